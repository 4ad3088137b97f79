import type { Reconciler } from "../../system/reconciler.ts";
import { startOfRetention } from "./retention-settings.ts";

const INTERVAL_MS = 60_000;
/** Rows of one statement. */
const ROWS_MAX = 1_000;

export interface RetentionOptions {
  /** The reconciler's name. */
  readonly name: string;
  /** 0: for good. */
  readonly keepDays: number;
  /** Deletes at most so many rows from before a time. Returns how many it deleted. */
  deleteOld(before: Date, rowsMax: number): Promise<number>;
}

/** Deletes rows that are older than the operator's setting, a bounded number at a time. */
export const retentionReconciler = ({ name, keepDays, deleteOld }: RetentionOptions): Reconciler => ({
  name,
  intervalMs: INTERVAL_MS,
  async reconcile(signal) {
    const before = startOfRetention(keepDays, new Date());
    if (before === undefined) return;
    while (!signal.aborted && (await deleteOld(before, ROWS_MAX)) > 0);
  },
});
