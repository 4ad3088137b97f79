/**
 * What a member of a pool may do with the containers and rentals in it (spec, control plane §4.4): the one table that the
 * code and the documentation share. The owner may do all of it.
 */

export type PoolRole = "admin" | "user";

/** Acts on a container and on its firewall and aliases, each with the least role in the server's pool that may do it. */
export const CONTAINER_ACTS = {
  /** See the container, its firewall rules and its aliases. */
  read: "user",
  /** Enter it: terminal, pipe, notifications, files. */
  use: "user",
  /** Create, start, stop and restart it. */
  operate: "admin",
  /** Change its firewall. */
  firewall: "admin",
  /** Create and change its aliases. */
  expose: "admin",
  /** Delete it, or one of its aliases. */
  delete: "admin",
} as const satisfies Record<string, PoolRole>;

export type ContainerAct = keyof typeof CONTAINER_ACTS;

/**
 * What the maker of a container may still do after leaving the server's pool: the container counts towards the maker's quota, and
 * stands in the maker's project.
 */
export const MAKER_ACTS: readonly ContainerAct[] = ["read", "delete"];

/** What a user is to a container. `maker`: made it, and has no role on its server any more. */
export type ContainerRole = PoolRole | "owner" | "maker";

export function mayAct(role: ContainerRole, act: ContainerAct): boolean {
  return role === "maker" ? MAKER_ACTS.includes(act) : suffices(role, CONTAINER_ACTS[act]);
}

/** Acts on a rental. Only the owner may spend the owner's money. */
export const RENTAL_ACTS = {
  /** See it, and the current load of its server. */
  read: "user",
  extend: "owner",
} as const satisfies Record<string, PoolRole | "owner">;

export type RentalAct = keyof typeof RENTAL_ACTS;

const RANKS: readonly (PoolRole | "owner")[] = ["user", "admin", "owner"];

/** Whether a role is at least `least`. A role that is none of ours suffices for nothing, and nothing suffices for it. */
export function suffices(role: PoolRole | "owner", least: PoolRole | "owner"): boolean {
  const rank = RANKS.indexOf(least);
  return rank !== -1 && RANKS.indexOf(role) >= rank;
}

/**
 * What a credential other than an account login may be allowed to do. It never gets more, whatever its user may do. Each route
 * states the permission that it needs (`signedIn` in the gateway); docs/permissions.md lists them.
 */
export const PERMISSIONS = {
  "resources.read": "see projects, containers, firewalls, aliases, servers, rentals, pools and images",
  "resources.write":
    "create, change and delete projects, containers, firewalls, aliases and pools; enter containers; import and rate images",
  "resources.read_account": "see the account, its events and its notifications",
  "resources.write_account": "change records of the account: delete its events",
  "webhooks.manage":
    "create, change, test and delete webhooks, which send the account's events to an address",
  "wallet.read": "see balances, payment methods, invoices and transactions",
  "wallet.spend": "move and spend money: transfers, top-ups, rent, reserve, extend, purchase",
} as const;

export type Permission = keyof typeof PERMISSIONS;
export const PERMISSION_NAMES = Object.keys(PERMISSIONS) as Permission[];

/**
 * What an administrator who acts as a user may do. Spending money and deleting the log that records the impersonation are
 * excluded. A new permission is excluded too until it is added here.
 */
export const IMPERSONATION_PERMISSIONS: readonly Permission[] = [
  "resources.read",
  "resources.write",
  "resources.read_account",
  "wallet.read",
];

/** What a session that is bound to a realm may do in it, on the routes that accept such sessions. */
export const REALM_PERMISSIONS: readonly Permission[] = [
  "resources.read",
  "resources.write",
  "resources.read_account",
  "resources.write_account",
];
