import type { Machine } from "../process/machine.ts";
import { adoptPty, type Found, type Holder } from "./process.ts";
import { readRecord } from "./record.ts";
import type { Sessions } from "./sessions.ts";

/** What holds a terminal's sessions while the process that serves it is away. */
export interface Keep extends Holder {
  /** What a session belongs to that is started now: one of before that belongs to something else is over. */
  place(): string;
  /** What is held of this terminal. */
  held(): Promise<readonly HeldProgram[]>;
  find(held: HeldProgram): Promise<Found>;
  end(held: HeldProgram): Promise<void>;
}

/** Some megabytes of output a session are parsed in less. Whoever comes before it is over sees it come. */
const SHOWN_MS_MAX = 5_000;

interface HeldProgram {
  readonly key: number;
  readonly owner: string;
  readonly pid: number;
  readonly ending?: boolean;
}

/** Goes on with the sessions of before. Those whose place is gone are ended. */
export async function adoptSessions(
  keep: Keep,
  machine: Machine,
  sessions: Sessions,
  report: (error: unknown) => void,
): Promise<void> {
  const shown: Promise<void>[] = [];
  try {
    for (const held of await keep.held()) {
      if (held.ending) {
        await keep.end(held);
        continue;
      }
      const found = await keep.find(held);
      const kept = readRecord(found.record);
      if (kept === null || kept.record.place !== keep.place()) {
        found.close();
        await keep.end(held);
        continue;
      }
      await sessions.adopt({ ...kept, start: (size, events) => adoptPty(machine, found, size, events) });
      shown.push(found.shown);
    }
    await Promise.race([Promise.all(shown), Bun.sleep(SHOWN_MS_MAX)]);
  } catch (error) {
    report(error);
  }
}
