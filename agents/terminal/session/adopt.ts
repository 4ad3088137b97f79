import type { ExecTarget } from "../../exec/target.ts";
import { PtyHostError } from "../pty-host/connection.ts";
import { type AdoptedPty, adoptPty, type ProcessEvents, type ProcessStarter } from "./process.ts";
import type { Size } from "./protocol.ts";
import { readRecord } from "./record.ts";
import type { Sessions } from "./sessions.ts";

/** What holds a terminal's sessions while the process that serves it is away. */
export interface PtyStore extends ProcessStarter {
  /** What a session belongs to that is started now: a session of an earlier location is over. */
  location(): string;
  /** Does what needs its answer; where it does not answer, again when it does. Settles after the first try. */
  retryUntilAvailable(act: () => Promise<void>): Promise<void>;
  /** What is held of this terminal, and not in this process's hands. */
  list(): Promise<readonly HostedProgram[]>;
  find(held: HostedProgram): Promise<AdoptedPty>;
  end(held: HostedProgram): Promise<void>;
}

/** Some megabytes of output a session are parsed in less. Whoever comes before it is over sees it come. */
const SHOWN_MS_MAX = 5_000;

const UNSEEN: Size = { cols: 80, rows: 24 };
const NO_EVENTS: ProcessEvents = {
  output: () => undefined,
  exited: () => undefined,
  gap: () => undefined,
  resized: () => undefined,
  live: () => undefined,
};

interface HostedProgram {
  readonly key: number;
  readonly owner: string;
  readonly pid: number;
  readonly ending?: boolean;
}

/**
 * Adopts the sessions of the previous process, and ends those whose location is gone, that were told to end, or whose start was not over. One that
 * cannot be adopted does nothing to the others.
 */
export async function adoptSessions(
  ptyStore: PtyStore,
  target: ExecTarget,
  sessions: Sessions,
  report: (error: unknown) => void,
): Promise<void> {
  const adoptAll = async () => {
    const all = await ptyStore.list();
    const found = await Promise.allSettled(all.map((held) => ptyStore.find(held)));
    const shown: Promise<void>[] = [];
    let unanswered: PtyHostError | null = null;
    // One after another, since of two with one number the later one counts.
    for (const [at, held] of all.entries()) {
      const one = found[at];
      try {
        if (one?.status !== "fulfilled") throw one?.reason;
        const kept = held.ending ? null : readRecord(one.value.record);
        if (kept?.record.location !== ptyStore.location()) await endHosted(ptyStore, target, held, one.value);
        else shown.push((await adopt(kept, one.value, target, sessions)).shown);
      } catch (error) {
        if (error instanceof PtyHostError) unanswered = error;
        else report(error);
      }
    }
    await Promise.race([Promise.all(shown), Bun.sleep(SHOWN_MS_MAX)]);
    if (unanswered !== null) throw unanswered;
  };
  await ptyStore.retryUntilAvailable(adoptAll).catch(report);
}

async function adopt(
  kept: NonNullable<ReturnType<typeof readRecord>>,
  found: AdoptedPty,
  target: ExecTarget,
  sessions: Sessions,
): Promise<{ readonly shown: Promise<void> }> {
  const end = Promise.withResolvers<void>();
  const start = (size: Size, events: ProcessEvents) =>
    adoptPty(target, found, size, {
      ...events,
      exited(exit) {
        events.exited(exit);
        end.resolve();
      },
    });
  await sessions.adopt({ ...kept, start });
  // Nobody is to join one whose program ended meanwhile.
  return { shown: found.ended ? end.promise : found.shown };
}

/** As a session is ended: of what runs in a container only the machine knows all, and not who holds its terminal. */
async function endHosted(
  ptyStore: PtyStore,
  target: ExecTarget,
  held: HostedProgram,
  found: AdoptedPty,
): Promise<void> {
  try {
    (await adoptPty(target, found, UNSEEN, NO_EVENTS)).end();
  } catch (error) {
    found.close();
    await ptyStore.end(held);
    throw error;
  }
}
