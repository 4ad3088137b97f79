import type { CommonLook, Reconciler } from "../../../system/reconciler.ts";
import type { Sql } from "../db/sql.ts";
import { type DueCondition, findDue } from "./queries.ts";

/** The interval of the common look. Whoever loses access to a container has lost it about so long afterwards. */
const LOOK_INTERVAL_MS = 1_000;

/** A round that no look asked for follows after this time: it finds what the conditions miss. */
export const BACKSTOP_MS = 30_000;

/** A reconciler whose work shows in the database, by one condition. */
export interface DueReconciler extends Reconciler {
  readonly backstopMs: number;
  /** Whether a round would find work. */
  readonly isDue: DueCondition;
}

/**
 * One statement for the work of all these reconcilers. An actor host with nothing to do asks it once a second, instead of the queries of each
 * (docs/decisions/0127-one-look-for-all-work.md).
 */
export function commonLook(db: Sql, reconcilers: readonly Reconciler[]): CommonLook {
  const conditions = reconcilers.flatMap((one) =>
    isDueReconciler(one) ? [[one.name, one.isDue] as const] : [],
  );
  return { intervalMs: LOOK_INTERVAL_MS, find: () => findDue(db, conditions) };
}

const isDueReconciler = (reconciler: Reconciler): reconciler is DueReconciler => "isDue" in reconciler;
