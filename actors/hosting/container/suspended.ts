import type { Logger } from "pino";
import type { Sql } from "../../platform/db/sql.ts";
import { BACKSTOP_MS, type DueReconciler } from "../../platform/due/due.ts";
import type { ActorsFor } from "../../senders.ts";
import { hasContainersOfSuspended, listContainersOfSuspended } from "./queries.ts";

/** An administrator who suspends a user looks at the containers within a few seconds. */
const INTERVAL_MS = 2_000;

export interface SuspendedContainersOptions {
  readonly db: Sql;
  readonly actors: ActorsFor<"reconciler">;
  readonly log: Logger;
  owns(kind: string, id: string): boolean;
}

/** Stops the containers of suspended users, also one that a member of a pool starts again. */
export function suspendedContainersReconciler(options: SuspendedContainersOptions): DueReconciler {
  const { db, actors, log, owns } = options;
  return {
    name: "suspended-containers",
    intervalMs: INTERVAL_MS,
    backstopMs: BACKSTOP_MS,
    isDue: hasContainersOfSuspended,
    async reconcile() {
      for (const id of await listContainersOfSuspended(db)) {
        if (!owns("container", id)) continue;
        await actors
          .container(id)
          .stop({})
          .catch((error) => log.warn({ err: error }, "a suspended user's container was not stopped"));
      }
    },
  };
}
