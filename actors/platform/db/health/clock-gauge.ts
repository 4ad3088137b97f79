import { Gauge, type Registry } from "../../../../system/prometheus.ts";
import type { Reconciler } from "../../../../system/reconciler.ts";
import type { Sql } from "../sql.ts";
import { readClock } from "./queries.ts";

/** A clock that goes wrong does so slowly, or at a boot. */
const INTERVAL_MS = 30_000;

/** How far this process's clock is from the database's: tokens, timers and rentals are compared by both. */
export function clockGauge(db: Sql, registry: Registry): Reconciler {
  const offset = new Gauge({
    name: "berth_clock_offset_seconds",
    help: "How far the clock of this process is ahead of the database's; accurate to half the time that a query takes",
    registers: [registry],
  });
  return {
    name: "clock",
    intervalMs: INTERVAL_MS,
    async reconcile() {
      const sentMs = Date.now();
      const database = await readClock(db);
      offset.set(offsetSeconds(sentMs, Date.now(), database));
    },
  };
}

/** The database looked at its clock between the question and the answer: in the middle, as far as anybody knows. */
export const offsetSeconds = (askedMs: number, answeredMs: number, database: Date): number =>
  ((askedMs + answeredMs) / 2 - database.getTime()) / 1_000;
