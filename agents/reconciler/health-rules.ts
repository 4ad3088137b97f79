import { HEALTH_CHECK_STANDARD, type HealthCheck } from "../../schemas/hosting/health-check.ts";
import type { ImageHealthCheck } from "../containers/images/health-check.ts";

/** When a container is healthy, with Docker's meaning. */

/** A container's check, with what its image says where the container says nothing. */
export interface HealthPlan {
  readonly argv: readonly string[];
  readonly intervalMs: number;
  readonly timeoutMs: number;
  readonly startPeriodMs: number;
  /** In place of the interval, while it starts. */
  readonly startIntervalMs: number;
  readonly retries: number;
  readonly restart: boolean;
}

/** A check starts a process on the host: an image asks for no more of them. */
const INTERVAL_MS_MIN = 1_000;
const TIMEOUT_MS_MAX = 300_000;
/** Docker's, for images that name none. */
const START_INTERVAL_MS = 5_000;

/** Null: it has no check. */
export function healthPlan(
  asked: HealthCheck | undefined,
  ofImage: ImageHealthCheck | null | undefined,
): HealthPlan | null {
  if (asked?.enabled === false) return null;
  const own = asked?.command ?? [];
  const argv = own.length > 0 ? own : (ofImage?.argv ?? []);
  if (argv.length === 0) return null;
  const ms = (seconds: number | null | undefined, image: number | null | undefined, standard: number) =>
    seconds == null ? (image ?? standard * 1_000) : seconds * 1_000;
  const { interval_seconds, timeout_seconds, start_period_seconds } = HEALTH_CHECK_STANDARD;
  const intervalMs = ms(asked?.interval_seconds, ofImage?.interval_ms, interval_seconds);
  const startIntervalMs = Math.min(intervalMs, ofImage?.start_interval_ms ?? START_INTERVAL_MS);
  return {
    argv,
    intervalMs: Math.max(INTERVAL_MS_MIN, intervalMs),
    timeoutMs: Math.min(TIMEOUT_MS_MAX, ms(asked?.timeout_seconds, ofImage?.timeout_ms, timeout_seconds)),
    startPeriodMs: ms(asked?.start_period_seconds, ofImage?.start_period_ms, start_period_seconds),
    startIntervalMs: Math.max(INTERVAL_MS_MIN, startIntervalMs),
    retries: asked?.retries ?? ofImage?.retries ?? HEALTH_CHECK_STANDARD.retries,
    restart: asked?.restart ?? false,
  };
}

export interface HealthCount {
  readonly state: "starting" | "healthy" | "unhealthy";
  /** In a row. */
  readonly failures: number;
}

/** What a check makes of its container. @param isStarting its time to come up is not over */
export function afterCheck(
  { state, failures }: HealthCount,
  hasSucceeded: boolean,
  isStarting: boolean,
  retries: number,
): HealthCount {
  if (hasSucceeded) return { state: "healthy", failures: 0 };
  if (isStarting && state === "starting") return { state, failures };
  return { state: failures + 1 >= retries ? "unhealthy" : state, failures: failures + 1 };
}
