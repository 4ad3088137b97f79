/**
 * What a member of a pool may do with what belongs to it (spec, control plane §4.4): the one table that the code and the
 * documentation share. A user who owns a thing may do all of it.
 */

export type PoolRole = "admin" | "user";

/** Acts on a container and what hangs on it, each with the least role that may do it. */
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
