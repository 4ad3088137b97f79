import type { Reconciler } from "../../../system/reconciler.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { retentionReconciler } from "../../platform/retention.ts";
import { deleteOldAudit } from "./queries.ts";

/** Deletes entries of the audit log that are older than the operator's setting. @param options.keepDays 0: for good */
export const auditReconciler = ({
  db,
  keepDays,
}: {
  readonly db: Sql;
  readonly keepDays: number;
}): Reconciler =>
  retentionReconciler({
    name: "audit-log",
    keepDays,
    deleteOld: (before, rowsMax) => deleteOldAudit(db, before, rowsMax),
  });
