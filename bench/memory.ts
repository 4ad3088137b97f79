import { readFileSync } from "node:fs";

/** Private memory of processes, from /proc: where there is none, nothing is known of it. */

const KIB = 1_024;
/** Runtimes give memory back in their own time: it is read until it hardly changes. */
const LOOK_MS = 2_000;
const LOOKS_MAX = 30;
const SETTLED_SHARE = 0.01;

/** The kernel's `Private_Clean` and `Private_Dirty`, in bytes. 0 where nothing is known. */
export function privateBytes(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
    return [...text.matchAll(/^Private_(?:Clean|Dirty): +(\d+) kB$/gm)].reduce(
      (sum, [, kib]) => sum + Number(kib) * KIB,
      0,
    );
  } catch {
    // It has ended meanwhile.
    return 0;
  }
}

/** The private memory of processes together, once two looks in a row differ by a hundredth at most. */
export async function settledBytes(pids: readonly number[]): Promise<number> {
  const read = () => pids.reduce((sum, pid) => sum + privateBytes(pid), 0);
  let before = read();
  for (let look = 0; look < LOOKS_MAX; look++) {
    await Bun.sleep(LOOK_MS);
    const now = read();
    if (Math.abs(now - before) <= SETTLED_SHARE * before) return now;
    before = now;
  }
  return before;
}
