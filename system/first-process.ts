import { dlopen } from "bun:ffi";
import { readFileSync, readlinkSync } from "node:fs";
import { basename, join } from "node:path";

/**
 * The first process of a system adopts all orphans and has to wait for them. In a container image whose first process
 * is npm, Node or Bun, nothing does: each orphaned process would remain as a zombie.
 */

const REAPER = join(import.meta.dir, "first-process.sh");
/**
 * Programs that wait only for their own children, even as the first process. `bun.exe` is the name of Bun as
 * installed by npm.
 */
const NON_REAPING_INITS = ["node", "bun", "bun.exe"];
/** From prctl.h. */
const PR_SET_PDEATHSIG = 1;
const PR_SET_CHILD_SUBREAPER = 36;
const SIGTERM = 15;

/**
 * Ensures that orphans are waited for, if the first process does not do so: this process turns into one that does,
 * keeping its process id, and runs the program again as its child. Returns if that is not needed. Must be called
 * before anything else.
 *
 * @param env variables for the program in addition to this environment
 * @param tied whether it gets a signal to end when this process's parent is gone
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
    // Both settings survive execve.
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
    // A process of another user, so not one that was started for this program.
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

/** After the name in parentheses, which may contain anything, come the state and the parent. */
const parentOf = (pid: number) => Number(read(pid, "stat").split(") ").at(-1)?.split(" ")[1] ?? 0);

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
