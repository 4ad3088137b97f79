import { dlopen } from "bun:ffi";
import { readFileSync, readlinkSync } from "node:fs";
import { basename, join } from "node:path";

/**
 * The first process of a system adopts the orphans of all others and has to wait for them. Where a container image starts npm,
 * Node or Bun as the first, nobody does: each process that a container or a service leaves behind would stay as a zombie.
 */

const REAPER = join(import.meta.dir, "first-process.sh");
/** What can be the first process and waits for nothing that it has not started itself. npm's Bun has such a name. */
const NON_REAPING_INITS = ["node", "bun", "bun.exe"];
/** From prctl.h. */
const PR_SET_PDEATHSIG = 1;
const PR_SET_CHILD_SUBREAPER = 36;
const SIGTERM = 15;

/**
 * Puts this process under one that waits for orphans, where the first process does not: this one becomes that one, under the number
 * that it has, and runs the program again below it. Returns where there is nothing to do. To be called before anything else is done.
 *
 * @param env what the program has beside this environment
 * @param tied whether it is asked to end when the process that started this one is gone
 */
export function ensureSubreaper({
  env = {},
  tied = false,
}: {
  env?: Record<string, string>;
  tied?: boolean;
} = {}) {
  if (process.platform !== "linux" || !isNonReapingInit(1) || hasReapingAncestor()) return;
  if (process.pid !== 1) {
    const libc = dlopen("libc.so.6", {
      prctl: { args: ["int", "u64", "u64", "u64", "u64"], returns: "int" },
    }).symbols;
    // Both outlast execve.
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    if (tied) libc.prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
  }
  const program = [process.execPath, ...process.execArgv, Bun.main, ...process.argv.slice(2)];
  const variables = Object.entries({ ...process.env, ...env }).filter(([, value]) => value !== undefined);
  process.execve?.("/bin/sh", ["sh", REAPER, ...program], Object.fromEntries(variables));
}

function isNonReapingInit(pid: number): boolean {
  try {
    return NON_REAPING_INITS.includes(basename(readlinkSync(`/proc/${pid}/exe`)));
  } catch {
    // Another user's, and so none that was started for this program.
    return false;
  }
}

/** Whether an ancestor waits for orphans already. */
function hasReapingAncestor(): boolean {
  for (let pid = process.ppid; pid > 1; pid = parentOf(pid)) {
    if (read(pid, "cmdline").split("\0")[1] === REAPER) return true;
  }
  return false;
}

/** After the name in parentheses, which may hold anything, come the state and the parent. */
const parentOf = (pid: number) => Number(read(pid, "stat").split(") ").at(-1)?.split(" ")[1] ?? 0);

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
