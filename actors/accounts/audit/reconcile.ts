import type { Reconciler } from "../../../system/reconciler.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { startOfRetention } from "../../platform/retention-settings.ts";
import { deleteOldAudit } from "./queries.ts";

const INTERVAL_MS = 60_000;
/** Rows of one statement. */
const ROWS_MAX = 1_000;

/** Deletes entries of the audit log that are older than the operator's setting. @param options.keepDays 0: for good */
export const auditReconciler = ({
  db,
  keepDays,
}: {
  readonly db: Sql;
  readonly keepDays: number;
}): Reconciler => ({
  name: "audit-log",
  intervalMs: INTERVAL_MS,
  async reconcile(signal) {
    const before = startOfRetention(keepDays, new Date());
    if (before === undefined) return;
    while (!signal.aborted && (await deleteOldAudit(db, before, ROWS_MAX)) > 0);
  },
});
