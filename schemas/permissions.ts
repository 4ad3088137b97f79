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

/**
 * What a credential other than an account login may be allowed to do, beyond which its user's own rights do not help. Each route
 * states the permission that it needs (`signedIn` in the gateway); docs/permissions.md lists them.
 */
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

/**
 * What an administrator who acts as a user may do: help. Such an administrator pays for nothing, and leaves the log that
 * tells of it as it is. A permission that is new is not among these until it is added here.
 */
export const IMPERSONATION_PERMISSIONS: readonly Permission[] = [
  "resources.read",
  "resources.write",
  "resources.read_account",
  "wallet.read",
];

/** What a session that is bound to a realm may do there, on the routes that take one. */
export const REALM_PERMISSIONS: readonly Permission[] = [
  "resources.read",
  "resources.write",
  "resources.read_account",
  "resources.write_account",
];
