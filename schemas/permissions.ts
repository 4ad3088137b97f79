/**
 * What a member of a pool may do with what belongs to it (spec, control plane §4.4): the one table that the code and the
 * documentation share. A user who owns a thing may do all of it.
 */

export type PoolRole = "admin" | "user";

/** Acts on a container and what hangs on it, each with the least role in its server's pool that may do it. */
export const CONTAINER_ACTS = {
  /** See the container, its firewall rules and its aliases. */
  read: "user",
  /** Enter it: terminal, pipe, notifications, files. */
  use: "user",
  /** Make, start, stop, restart and delete it. */
  operate: "admin",
  /** Change its firewall. */
  firewall: "admin",
  /** Make, change and delete its aliases. */
  expose: "admin",
} as const satisfies Record<string, PoolRole>;

export type ContainerAct = keyof typeof CONTAINER_ACTS;

/** Acts on a rental: what spends its owner's money is the owner's. */
export const RENTAL_ACTS = {
  /** See it, and what its server does just now. */
  read: "user",
  extend: "owner",
} as const satisfies Record<string, PoolRole | "owner">;

export type RentalAct = keyof typeof RENTAL_ACTS;

const RANKS: readonly (PoolRole | "owner")[] = ["user", "admin", "owner"];

/** Whether a role is enough where `least` is asked for. */
export const suffices = (role: PoolRole | "owner", least: PoolRole | "owner"): boolean =>
  RANKS.indexOf(role) >= RANKS.indexOf(least);

/** What a credential other than an account login may be allowed to do, beyond which its user's own rights do not help. */
export const PERMISSIONS = {
  "resources.read": "see projects, containers, firewalls, aliases, servers, rentals, pools and images",
  "resources.write": "change them",
  "resources.read_account": "see the account, its events and its notifications",
  "resources.write_account": "change records of the account: delete its events",
  "wallet.read": "see balances, payment methods, invoices and transactions",
  "wallet.spend": "move and spend money: transfers, top-ups, rent, reserve, extend, purchase",
} as const;

export type Permission = keyof typeof PERMISSIONS;
export const PERMISSION_NAMES = Object.keys(PERMISSIONS) as Permission[];

const NOT_IMPERSONATED: readonly Permission[] = ["wallet.spend", "resources.write_account"];
/** An administrator who acts as a user helps, pays for nothing, and leaves the log that says so as it is. */
export const IMPERSONATION_PERMISSIONS = PERMISSION_NAMES.filter((name) => !NOT_IMPERSONATED.includes(name));

interface Area {
  /** Paths of it, or patterns of paths; the first that meets a path decides. */
  readonly paths: RegExp;
  readonly read: Permission;
  readonly write: Permission;
  /** Whether a credential that is bound to a realm gets in: only where the routes know of realms. */
  readonly realm: boolean;
}

/** One table for every route that takes more than account logins. */
const AREAS: readonly Area[] = [
  {
    paths:
      /^\/api\/v1\/(servers|rentals|offers)\/[^/]+\/(rent|extend|reserve)$|^\/api\/v1\/images\/purchase\//,
    read: "resources.read",
    write: "wallet.spend",
    realm: false,
  },
  { paths: /^\/api\/v1\/wallet\//, read: "wallet.read", write: "wallet.spend", realm: false },
  {
    paths: /^\/api\/v1\/auth\//,
    read: "resources.read_account",
    write: "resources.write_account",
    realm: false,
  },
  {
    paths: /^\/api\/v1\/(events|notifications)(\/|$)/,
    read: "resources.read_account",
    write: "resources.write_account",
    realm: true,
  },
  {
    paths: /^\/api\/v1\/(projects|containers|proxy)(\/|$)/,
    read: "resources.read",
    write: "resources.write",
    realm: true,
  },
  { paths: /^/, read: "resources.read", write: "resources.write", realm: false },
];

/** The permission that a request needs when it comes with no account login, and whether a realm's credential may make it. */
export function neededFor(method: string, path: string): { permission: Permission; realm: boolean } {
  const { read, write, realm } = AREAS.find(({ paths }) => paths.test(path)) as Area;
  return { permission: method === "GET" || method === "HEAD" ? read : write, realm };
}
