import type { Reconciler } from "../../../system/reconciler.ts";
import type { Sql } from "../../platform/db/sql.ts";
import type { ActorsFor } from "../../senders.ts";
import { listDueSnapshots } from "./queries.ts";

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
}: ScheduledSnapshotsOptions): Reconciler => ({
  name: "scheduled-snapshots",
  intervalMs: INTERVAL_MS,
  async reconcile() {
    for (const id of await listDueSnapshots(db, new Date()))
      if (owns("storage_share", id)) await actors.storage_share(id).take_scheduled_snapshot({});
  },
});
