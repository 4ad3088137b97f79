import { ValidationError } from "../../schemas/errors.ts";
import {
  METRICS_COARSE_STEP_SECONDS,
  METRICS_FINE_SECONDS,
  METRICS_POINTS_MAX,
  METRICS_STEP_SECONDS,
  type MetricsQuery,
  type MetricsRange,
} from "../../schemas/hosting/metrics.ts";
import { wholeNumber } from "./query.ts";
import { LAST_TIME, timeIn } from "./time.ts";

const STANDARD_SECONDS = 60 * 60;
/** Without `step` a series has no more values than this: enough for a diagram across a screen. */
const STANDARD_POINTS_MAX = 360;
const DAY_SECONDS = 86_400;
/** Steps that people read, each a multiple of those before. */
const STEPS_SECONDS = [10, 60, 300, 900, 3_600, 21_600, DAY_SECONDS];

/**
 * The range of a request for metrics, with whole steps.
 * @param nowMs milliseconds since the epoch
 * @throws VALIDATION_ERROR
 */
export function metricsRange(query: MetricsQuery, nowMs: number = Date.now()): MetricsRange {
  const to = query.to === undefined ? nowMs / 1_000 : timeIn("query.to", query.to).getTime() / 1_000;
  const from =
    query.from === undefined ? to - STANDARD_SECONDS : timeIn("query.from", query.from).getTime() / 1_000;
  if (from < 0 || from >= to)
    throw new ValidationError("query.from", "must be a time before `to`, from 1970 on");
  const least =
    from < nowMs / 1_000 - METRICS_FINE_SECONDS ? METRICS_COARSE_STEP_SECONDS : METRICS_STEP_SECONDS;
  const step = stepOf(query, to - from, least);
  const range = { from: Math.floor(from / step) * step, to: Math.ceil(to / step) * step, step };
  if (range.to * 1_000 > LAST_TIME)
    throw new ValidationError(
      step > DAY_SECONDS ? "query.step" : "query.to",
      "leads to an end, rounded up to whole steps, after the year 9999",
    );
  if ((range.to - range.from) / step > METRICS_POINTS_MAX)
    throw new ValidationError(
      "query.step",
      `gives more than ${METRICS_POINTS_MAX} values: ask for longer steps or a shorter time`,
    );
  return range;
}

function stepOf({ step }: MetricsQuery, seconds: number, least: number): number {
  if (step === undefined) {
    const steps = STEPS_SECONDS.filter((one) => one >= least);
    return steps.find((one) => seconds / one <= STANDARD_POINTS_MAX) ?? Math.max(...STEPS_SECONDS);
  }
  const chosen = wholeNumber("step", step, least, least);
  if (chosen % least !== 0)
    throw new ValidationError("query.step", `must be a multiple of ${least} for this range`);
  return chosen;
}

/** A range as replies have it. */
export const rangeReply = ({ from, to, step }: MetricsRange) => ({
  from: new Date(from * 1_000).toISOString(),
  to: new Date(to * 1_000).toISOString(),
  step_seconds: step,
});
