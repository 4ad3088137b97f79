import { hasExpiredPermissions, listExpiredPermissions } from "../../hosting/container/queries.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { BACKSTOP_MS, type DueReconciler } from "../../platform/due/due.ts";
import type { ActorsFor } from "../../senders.ts";
import { hasOrphans, hasOutdatedAccess, listOrphans, listOutdatedAccess } from "./queries.ts";

/** About the time after which a removed member has lost access to the pool's containers. */
const INTERVAL_MS = 1_000;
/**
 * The common look and most rounds read only pools that changed within this time, which is cheap. Twice in a backstop's time a round may
 * read all pools, for missed changes.
 */
const LATELY_MS = 5 * 60_000;
/** Below the backstop, whose times vary a little. */
const FULL_READ_AFTER_MS = BACKSTOP_MS / 2;

export interface PoolsOptions {
  readonly db: Sql;
  readonly actors: ActorsFor<"reconciler">;
  owns(kind: string, id: string): boolean;
}

/** Publishes changed access of pools to the hosts of their containers, ends permissions for single containers, and moves rentals of deleted pools to their owners' default pools. */
export function poolReconciler({ db, actors, owns }: PoolsOptions): DueReconciler {
  let allReadAtMs = Number.NEGATIVE_INFINITY;
  const lately = () => new Date(Date.now() - LATELY_MS);
  return {
    name: "pools",
    intervalMs: INTERVAL_MS,
    backstopMs: BACKSTOP_MS,
    isDue: (look) =>
      look`(${hasOutdatedAccess(look, lately())} OR ${hasExpiredPermissions(look)} OR ${hasOrphans(look)})`,
    async reconcile() {
      const startedMs = performance.now();
      const isFullRead = startedMs - allReadAtMs >= FULL_READ_AFTER_MS;
      for (const { id, revision } of await listOutdatedAccess(db, isFullRead ? undefined : lately()))
        if (owns("container", id)) await actors.container(id).update_access({ access_revision: revision });
      for (const id of await listExpiredPermissions(db))
        if (owns("container", id)) await actors.container(id).expire_permissions({});
      for (const { id, poolId } of await listOrphans(db))
        if (owns("rental", id)) await actors.rental(id).move({ pool_id: poolId });
      if (isFullRead) allReadAtMs = startedMs;
    },
  };
}
