import type { Reconciler } from "../../../system/reconciler.ts";
import type { Sql } from "../../platform/db/sql.ts";
import type { MailMetrics } from "./metrics.ts";
import { countPendingMails, deleteOldMails } from "./queue/queries.ts";

const INTERVAL_MS = 60_000;
const HOUR_MS = 60 * 60 * 1000;
/** Rows of one statement. */
const ROWS_MAX = 1_000;

export interface MailReconcilerOptions {
  readonly db: Sql;
  readonly metrics: MailMetrics;
  /** How long mails that ended are kept. */
  readonly keepHours: number;
}

/** Counts what waits, and deletes what is old. */
export const mailReconciler = ({ db, metrics, keepHours }: MailReconcilerOptions): Reconciler => ({
  name: "mail",
  intervalMs: INTERVAL_MS,
  async reconcile(signal) {
    metrics.setPending(await countPendingMails(db));
    const before = new Date(Date.now() - keepHours * HOUR_MS);
    while (!signal.aborted && (await deleteOldMails(db, before, ROWS_MAX)) > 0);
  },
});
