/**
 * What a member of a pool may do with the containers and rentals in it (spec, control plane §4.4): the one table that the
 * code and the documentation share. The owner may do all of it.
 */

export type PoolRole = "admin" | "user";

/**
 * Acts on a container, on its firewall and aliases, and on a storage share, each with the lowest role in the server's pool that permits
 * it.
 */
export const CONTAINER_ACTS = {
  /** See the container, its firewall rules and its aliases; see a storage share. */
  read: "user",
  /** Enter it: terminal, pipe, notifications, files. */
  use: "user",
  /** Create, start, stop and restart it, and change its settings and volumes; create, change, snapshot and restore a storage share. */
  operate: "admin",
  /** Change its firewall. */
  firewall: "admin",
  /** Create and change its aliases; let single users enter it. */
  expose: "admin",
  /** Delete it, or one of its aliases; delete a storage share. */
  delete: "admin",
} as const satisfies Record<string, PoolRole>;

export type ContainerAct = keyof typeof CONTAINER_ACTS;

/**
 * What the creator of a container ("maker") may still do after leaving the server's pool: the container still counts
 * towards the maker's quota and belongs to the maker's project.
 */
export const MAKER_ACTS: readonly ContainerAct[] = ["read", "delete"];

/** A user's role for a container. `maker`: created it, and no longer has a role on its server. */
export type ContainerRole = PoolRole | "owner" | "maker";

export function mayAct(role: ContainerRole, act: ContainerAct): boolean {
  return role === "maker" ? MAKER_ACTS.includes(act) : suffices(role, CONTAINER_ACTS[act]);
}

/** Acts on a rental. Only the owner may spend the owner's money. */
export const RENTAL_ACTS = {
  /** See it, and the current load of its server. */
  read: "user",
  extend: "owner",
  end: "owner",
} as const satisfies Record<string, PoolRole | "owner">;

export type RentalAct = keyof typeof RENTAL_ACTS;

const RANKS: readonly (PoolRole | "owner")[] = ["user", "admin", "owner"];

/** Whether a role is at least `least`. An unknown role on either side gives false. */
export function suffices(role: PoolRole | "owner", least: PoolRole | "owner"): boolean {
  const rank = RANKS.indexOf(least);
  return rank !== -1 && RANKS.indexOf(role) >= rank;
}

/**
 * The permissions of credentials other than an account login. Such a credential can do only what its permissions
 * allow, even if its user may do more. Each route states the permission that it needs (`signedIn` in the gateway);
 * docs/permissions.md lists them.
 */
export const PERMISSIONS = {
  "resources.read":
    "see projects, containers, storage shares, firewalls, aliases, servers, rentals, pools and images",
  "resources.write":
    "create, change and delete projects, containers, storage shares, firewalls, aliases and pools; enter containers; import and rate images",
  "resources.read_account": "see the account, its events and its notifications",
  "resources.write_account": "change records of the account: delete its events",
  "webhooks.manage":
    "create, change, test and delete webhooks, which send the account's events to an address",
  "wallet.read": "see balances, payment methods, invoices and transactions",
  "wallet.spend":
    "move and spend money: transfers, top-ups, rent, reserve, extend, purchase, and giving up what was paid for",
} as const;

export type Permission = keyof typeof PERMISSIONS;
export const PERMISSION_NAMES = Object.keys(PERMISSIONS) as Permission[];

/**
 * The permissions of an administrator who acts as a user. Spending money and deleting the log that records the
 * impersonation are excluded, and so is every new permission until it is added here.
 */
export const IMPERSONATION_PERMISSIONS: readonly Permission[] = [
  "resources.read",
  "resources.write",
  "resources.read_account",
  "wallet.read",
];

/** The permissions of a session that is limited to a realm, on the routes that accept such sessions. */
export const REALM_PERMISSIONS: readonly Permission[] = [
  "resources.read",
  "resources.write",
  "resources.read_account",
  "resources.write_account",
];
