import { constants } from "node:os";
import { isRunning, type ProcessIdentity, signal } from "../../system/process-identity.ts";
import { ContainerError, type RunEnd } from "./driver.ts";

const POLL_MS = 10;
/** After SIGKILL only the kernel is in the way: it takes apart the namespaces first. */
const KILL_MS_MAX = 10_000;

/**
 * Ends a process: SIGTERM, and SIGKILL after `graceMs`.
 *
 * @param target whom to signal when it is not the process alone: minus a process group's id
 * @param first in place of SIGTERM
 * @throws ContainerError when it outlives even that
 */
export async function terminate(
  process: ProcessIdentity,
  graceMs: number,
  target = process.pid,
  first: NodeJS.Signals | number = "SIGTERM",
): Promise<void> {
  signal(process, first, target);
  if (await hasEndedWithin(process, graceMs)) return;
  signal(process, "SIGKILL", target);
  if (!(await hasEndedWithin(process, KILL_MS_MAX)))
    throw new ContainerError(`process ${process.pid} does not end`);
}

/** An exit status above this means a signal, as in shells. */
const SIGNAL_STATUS = 128;

/**
 * How a run ended.
 *
 * @param what ended, in words
 * @param status as a shell reports it; null: not known
 */
export function runEnd(what: string, status: number | null, isOutOfMemory = false, at = new Date()): RunEnd {
  const [signal = null] =
    status === null
      ? []
      : (Object.entries(constants.signals).find(([, number]) => number === status - SIGNAL_STATUS) ?? []);
  const how =
    status === null
      ? "has ended"
      : signal === null
        ? `ended with status ${status}`
        : `was ended by ${signal}`;
  return {
    status: signal === null ? status : null,
    signal,
    isOutOfMemory,
    reason: `${what} ${how}${isOutOfMemory ? ": out of memory" : ""}`,
    at,
  };
}

async function hasEndedWithin(process: ProcessIdentity, limitMs: number): Promise<boolean> {
  const limit = performance.now() + limitMs;
  while (isRunning(process)) {
    if (performance.now() > limit) return false;
    await Bun.sleep(POLL_MS);
  }
  return true;
}
