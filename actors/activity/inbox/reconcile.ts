import type { Reconciler } from "../../../system/reconciler.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { retentionReconciler } from "../../platform/retention.ts";
import { deleteOldDeletions, deleteOldNotifications } from "./queries.ts";

/** Deletes notices that are older than the operator's setting, read or not. @param options.keepDays 0: for good */
export const inboxReconciler = ({
  db,
  keepDays,
}: {
  readonly db: Sql;
  readonly keepDays: number;
}): Reconciler =>
  retentionReconciler({
    name: "notifications",
    keepDays,
    deleteOld: async (before, rowsMax) =>
      (await deleteOldNotifications(db, before, rowsMax)) + (await deleteOldDeletions(db, before, rowsMax)),
  });
