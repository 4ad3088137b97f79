import { SandboxError } from "./driver.ts";
import { isRunning, type ProcessIdentity, signal } from "./process-identity.ts";

const POLL_MS = 10;
/** After SIGKILL only the kernel is in the way: it takes apart the namespaces first. */
const KILL_MS_MAX = 10_000;

/**
 * Ends a process: SIGTERM, and SIGKILL after `graceMs`.
 *
 * @param target whom to signal when it is not the process alone: minus a process group's id
 * @throws SandboxError when it outlives even that
 */
export async function end(process: ProcessIdentity, graceMs: number, target = process.pid): Promise<void> {
  signal(process, "SIGTERM", target);
  if (await gone(process, graceMs)) return;
  signal(process, "SIGKILL", target);
  if (!(await gone(process, KILL_MS_MAX))) throw new SandboxError(`process ${process.pid} does not end`);
}

async function gone(process: ProcessIdentity, limitMs: number): Promise<boolean> {
  const limit = performance.now() + limitMs;
  while (isRunning(process)) {
    if (performance.now() > limit) return false;
    await Bun.sleep(POLL_MS);
  }
  return true;
}
