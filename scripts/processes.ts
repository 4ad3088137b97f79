import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** How often a process that was asked to end is checked. */
const POLL_MS = 20;
/** After SIGKILL only the kernel takes time; past this something is wrong with the machine. */
const KILL_LIMIT_MS = 5_000;

/** Whether a process of this id runs. A zombie does not run: it only waits for its parent. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
  return !/^\d+ \(.*\) Z/s.test(read(`/proc/${pid}/stat`));
}

/** The command line of a process, its arguments separated by spaces; empty when it cannot be read. */
export function commandOf(pid: number): string {
  if (process.platform === "linux") return read(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim();
  return spawnSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).stdout?.trim() ?? "";
}

/**
 * Ends a process: `signal`, then SIGKILL once `limitMs` have passed.
 *
 * @throws Error when it survives that too
 */
export async function endProcess(pid: number, signal: NodeJS.Signals, limitMs: number): Promise<void> {
  send(pid, signal);
  if (await gone(pid, limitMs)) return;
  send(pid, "SIGKILL");
  if (!(await gone(pid, KILL_LIMIT_MS))) throw new Error(`process ${pid} does not end`);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

async function gone(pid: number, limitMs: number): Promise<boolean> {
  const limit = performance.now() + limitMs;
  while (isAlive(pid)) {
    if (performance.now() > limit) return false;
    await Bun.sleep(POLL_MS);
  }
  return true;
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
