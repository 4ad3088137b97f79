import { readFileSync } from "node:fs";

/** In the statistics of a process, after its name: its state is the first field, its processor time the 12th and 13th. */
const TICKS = [11, 12] as const;
/** How often within its time a worker is looked at. */
const LOOKS = 10;

interface Seen {
  readonly ticks: number;
  readonly sinceMs: number;
}

/**
 * Ends workers of a test run whose first thread waits for a lock and takes no processor time: no limit of a test's time ends them, since it is that thread
 * that would look at its clock. Their tests then fail, and the run goes on. Only Linux says what a thread waits for; elsewhere nothing is ended.
 *
 * @param run the process whose children the workers are
 * @param limitMs how long a worker may stand still; longer than a test may take
 * @returns a function that stops looking
 */
export function endStuckWorkers(run: number, limitMs: number, say: (line: string) => void): () => void {
  let seen = new Map<number, Seen>();
  const look = () => {
    const now = performance.now();
    const waiting = childrenOf(run).filter(waitsForLock);
    seen = new Map(
      waiting.map((pid) => {
        const ticks = ticksOf(pid);
        const before = seen.get(pid);
        return [pid, before?.ticks === ticks ? before : { ticks, sinceMs: now }];
      }),
    );
    for (const [pid, { sinceMs }] of seen) {
      if (now - sinceMs < limitMs) continue;
      say(
        `worker ${pid} waits for a lock for ${Math.round((now - sinceMs) / 1_000)} s: it is ended, and its test fails`,
      );
      process.kill(pid, "SIGKILL");
    }
  };
  const timer = setInterval(look, limitMs / LOOKS);
  return () => clearInterval(timer);
}

const childrenOf = (pid: number): number[] =>
  read(`/proc/${pid}/task/${pid}/children`).split(" ").filter(Boolean).map(Number);

const waitsForLock = (pid: number): boolean => read(`/proc/${pid}/task/${pid}/wchan`).startsWith("futex");

function ticksOf(pid: number): number {
  const [, after = ""] = read(`/proc/${pid}/task/${pid}/stat`).split(") ");
  const fields = after.split(" ");
  return TICKS.reduce((sum, at) => sum + Number(fields[at]), 0);
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // It has ended.
    return "";
  }
}
