import { readFileSync } from "node:fs";
import { until } from "../../harness/until.ts";
import { processesWith } from "../notifier/desktop/desktop.ts";

/** A program that is read writes something within that time, however busy the machine is. */
const QUIET_MS = 1_000;

/**
 * Waits until a program writes no more, since nobody reads its output, and returns how many bytes it has written.
 *
 * @param mark text that is in no other process's command line
 */
export async function writtenUntilHeldUp(mark: string): Promise<number> {
  let before = -1;
  return await until(
    () => {
      const now = writtenBy(mark);
      const isHeldUp = now > 0 && now === before;
      before = now;
      return isHeldUp && now;
    },
    { everyMs: QUIET_MS },
  );
}

/** What a process's calls of write(2) have written, in bytes. */
function writtenBy(mark: string): number {
  const [pid, ...others] = processesWith(mark);
  if (pid === undefined || others.length > 0) throw new Error(`not one process has ${mark}`);
  return Number(/^wchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, "utf8"))?.[1]);
}
