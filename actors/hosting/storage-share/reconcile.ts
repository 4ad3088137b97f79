import type { Sql } from "../../platform/db/sql.ts";
import { BACKSTOP_MS, type DueReconciler } from "../../platform/due/due.ts";
import type { ActorsFor } from "../../senders.ts";
import { hasDueSnapshots, listDueSnapshots } from "./queries.ts";

/** About how late a scheduled snapshot begins at most. */
const INTERVAL_MS = 5_000;

export interface ScheduledSnapshotsOptions {
  readonly db: Sql;
  readonly actors: ActorsFor<"reconciler">;
  owns(kind: string, id: string): boolean;
}

/** Takes the snapshots of storage shares whose schedule is due. */
export const scheduledSnapshotsReconciler = ({
  db,
  actors,
  owns,
}: ScheduledSnapshotsOptions): DueReconciler => ({
  name: "scheduled-snapshots",
  intervalMs: INTERVAL_MS,
  backstopMs: BACKSTOP_MS,
  isDue: (look) => hasDueSnapshots(look, new Date()),
  async reconcile() {
    for (const id of await listDueSnapshots(db, new Date()))
      if (owns("storage_share", id)) await actors.storage_share(id).take_scheduled_snapshot({});
  },
});
