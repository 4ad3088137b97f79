import type { ContainerExit } from "../../schemas/hosting/container.ts";
import type { RestartPolicy } from "../../schemas/hosting/container-settings.ts";
import type { RunEnd } from "../containers/driver.ts";
import { toReportText } from "./report-text.ts";
import type { ContainerRecord } from "./store.ts";

/** What follows the end of a container's run. */

/** Of a control plane that names no policy. */
const STANDARD: RestartPolicy = { name: "always", max_retries: null };

/** An end for the record. @param reason in place of the end's own */
export const exitOf = (end: RunEnd, reason = end.reason): ContainerExit => ({
  status: end.status,
  signal: end.signal,
  reason: toReportText(reason),
  at: end.at.toISOString(),
  out_of_memory: end.isOutOfMemory,
});

/**
 * What a record is after its container has ended by itself: with `finished` it is not started again.
 *
 * @param wasStable it has run for so long that earlier failures do not count
 */
export function afterEnd(
  { desired, generation, restarts = 0, retries = 0 }: ContainerRecord,
  end: RunEnd,
  wasStable: boolean,
): Partial<ContainerRecord> {
  const { name, max_retries } = desired.restart_policy ?? STANDARD;
  const inARow = wasStable ? 0 : retries;
  const isAgain =
    name === "on-failure"
      ? end.status !== 0 && (max_retries === null || inARow < max_retries)
      : name !== "no";
  const exit = exitOf(end);
  if (isAgain) return { init: null, exit, restarts: restarts + 1, retries: inARow + 1 };
  // A newer generation was asked for meanwhile: that one is started.
  return { init: null, exit, finished: generation };
}

/** Whether it has ended by itself and is to stay so, until its user starts it. */
export const isFinished = ({ desired, finished }: ContainerRecord): boolean =>
  finished === desired.generation;

/** The state and the error of a container that is not started again. */
export function finishedState({ desired, exit, retries = 0 }: ContainerRecord): {
  state: "stopped" | "error";
  error: string | null;
} {
  if (exit === undefined || exit.status === 0) return { state: "stopped", error: null };
  const { max_retries } = desired.restart_policy ?? STANDARD;
  const isUsedUp = max_retries !== null && retries >= max_retries;
  const why = isUsedUp ? `it was started again ${max_retries} times` : "its restart policy lets it end";
  return { state: "error", error: `${exit.reason}; ${why}` };
}

/** The end of a container with its host. */
export const endOfHost = (): RunEnd => ({
  ...{ status: null, signal: null, isOutOfMemory: false, at: new Date() },
  reason: "its host was restarted",
});
