import type { Reconciler } from "../../../system/reconciler.ts";
import { listExpiredPermissions } from "../../hosting/container/queries.ts";
import type { Sql } from "../../platform/db/sql.ts";
import type { ActorsFor } from "../../senders.ts";
import { listOrphans, listOutdatedAccess } from "./queries.ts";

/** About the time after which a removed member has lost access to the pool's containers. */
const INTERVAL_MS = 1_000;
/**
 * Most rounds read only pools that changed within this time, which is cheap. Every few rounds read all pools, for
 * missed changes.
 */
const LATELY_MS = 5 * 60_000;
const ROUNDS_PER_FULL_READ = 30;

export interface PoolsOptions {
  readonly db: Sql;
  readonly actors: ActorsFor<"reconciler">;
  owns(kind: string, id: string): boolean;
}

/** Publishes changed access of pools to the hosts of their containers, ends permissions for single containers, and moves rentals of deleted pools to their owners' default pools. */
export function poolReconciler({ db, actors, owns }: PoolsOptions): Reconciler {
  let rounds = 0;
  return {
    name: "pools",
    intervalMs: INTERVAL_MS,
    async reconcile() {
      const isFullRead = rounds++ % ROUNDS_PER_FULL_READ === 0;
      const since = isFullRead ? undefined : new Date(Date.now() - LATELY_MS);
      for (const { id, revision } of await listOutdatedAccess(db, since))
        if (owns("container", id)) await actors.container(id).update_access({ access_revision: revision });
      for (const id of await listExpiredPermissions(db))
        if (owns("container", id)) await actors.container(id).expire_permissions({});
      for (const { id, poolId } of await listOrphans(db))
        if (owns("rental", id)) await actors.rental(id).move({ pool_id: poolId });
    },
  };
}
