import type { ExecTarget } from "../../exec/target.ts";
import { PtyHostError } from "../pty-host/connection.ts";
import { type AdoptedPty, adoptPty, type ProcessEvents, type ProcessStarter } from "./process.ts";
import type { Size } from "./protocol.ts";
import { readRecord } from "./record.ts";
import type { Sessions } from "./sessions.ts";

/** Holds a terminal's programs while no process serves it. */
export interface PtyStore extends ProcessStarter {
  /** What a session started now belongs to. Sessions of an earlier location are over. */
  location(): string;
  /**
   * Performs an operation that needs the store, and repeats it later if the store is unavailable. Settles after the
   * first attempt.
   */
  retryUntilAvailable(act: () => Promise<void>): Promise<void>;
  /** Lists the programs of this terminal that this process has not adopted. */
  list(): Promise<readonly HostedProgram[]>;
  find(held: HostedProgram): Promise<AdoptedPty>;
  end(held: HostedProgram): Promise<void>;
}

/**
 * Parsing a few megabytes of output per session takes less. A client that connects before it is complete sees the
 * output arrive.
 */
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
 * Adopts the sessions of the previous process, and ends those whose location is gone, that were being ended, or whose
 * start was incomplete. A session that cannot be adopted does not affect the others.
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
    // One after another: of two sessions with one number, the later one is kept.
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
  // If the program has ended meanwhile, wait for the session's end, so that no client joins it.
  return { shown: found.ended ? end.promise : found.shown };
}

/**
 * Ends the program as a session would: only the target machine can find all processes of a container, the holder of
 * the PTY cannot.
 */
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
