import type { Logger } from "pino";
import type { EventRecord, EventType } from "../../../schemas/events.ts";
import { repeat } from "../../../system/repeat.ts";
import { openSql } from "../../platform/db/sql.ts";
import type { Settings } from "../../platform/settings.ts";
import type { OutboxRow } from "../../runtime/ports.ts";
import type { ActorsFor } from "../../senders.ts";
import { connectProvider } from "./provider/connect.ts";
import { readUnsynced } from "./queries.ts";
import { type Announce, syncCredit } from "./sync.ts";

/** Users whose credit is brought to the provider at once: a provider counts requests, and this process has other work. */
const SYNCING_MAX = 4;
/** One user's transfers that follow each other this closely are brought over together. */
const PAUSE_MS = 100;
/** Users that wait for it in memory. Who does not fit is found by a later sweep. */
const WAITING_MAX = 10_000;
/** How often all wallets are compared with what the provider was told: the backstop for whatever was missed. */
const SWEEP_MS = 15_000;
/** Wallets compared in one statement: a few milliseconds. */
const PAGE = 5_000;
/** A try that failed is made again after this, doubled each time up to the longest, and spread so that not all come at once. */
const RETRY_MS = 500;
const RETRY_MS_MAX = 30_000;

/** Apart from those that actors are loaded through: the provider's pace must not become theirs. */
const CONNECTIONS_MAX = 2;

/** What is under way is left: whoever takes the wallet over brings it to its end. */
const STOP_S = 1;

const TRANSFERRED: EventType = "user.credit_transferred";

export interface AiCreditOptions {
  readonly settings: Pick<Settings, "databaseUrl" | "aiProvider">;
  readonly actors: ActorsFor<"reconciler">;
  readonly log: Logger;
  readonly announce: Announce;
  /** Whether the user's wallet is run by this host: its owner alone talks to the provider about it. */
  owns(userId: string): boolean;
}

export interface AiCreditFollower {
  /** Committed events, of which some tell that a user's AI credit has grown. */
  onEvents(events: readonly OutboxRow[]): void;
  stop(): Promise<void>;
}

interface Waiting {
  tries: number;
  /** It changed while it was brought over. */
  again: boolean;
  timer: Timer | undefined;
}

/**
 * Brings AI credit to its provider until both agree (docs/decisions/0017-ai-credit-reconciler.md). What is to be done is nothing but
 * the difference between two rows, so a nudge may be lost and a restart forgets nothing.
 */
export function startAiCredit(options: AiCreditOptions): AiCreditFollower | undefined {
  const { settings, log, owns } = options;
  const db = openSql(settings.databaseUrl, { max: CONNECTIONS_MAX, name: "berth-ai-credit" });
  const provider = connectProvider(settings.aiProvider, db);
  if (provider === undefined) return undefined;
  const tools = { ...options, db, provider };
  const users = new Map<string, Waiting>();
  const ready: string[] = [];
  let syncing = 0;
  let stopped = false;

  function nudge(userId: string): void {
    if (stopped || !owns(userId)) return;
    const known = users.get(userId);
    if (known !== undefined) {
      known.again = true;
      return;
    }
    if (users.size >= WAITING_MAX) return;
    users.set(userId, { tries: 0, again: false, timer: undefined });
    ready.push(userId);
    work();
  }

  function work(): void {
    while (syncing < SYNCING_MAX && !stopped) {
      const userId = ready.shift();
      if (userId === undefined) return;
      const user = users.get(userId);
      if (user === undefined) continue;
      if (!owns(userId)) {
        users.delete(userId);
        continue;
      }
      syncing += 1;
      user.again = false;
      void syncCredit(userId, tools)
        .then(
          () => onSynced(userId, user),
          (error) => retryLater(userId, user, error),
        )
        .finally(() => {
          syncing -= 1;
          work();
        });
    }
  }

  function onSynced(userId: string, user: Waiting): void {
    user.tries = 0;
    later(PAUSE_MS, userId, user, () => {
      if (!user.again) users.delete(userId);
      return user.again;
    });
  }

  /** Takes the user up again after so long, if there is still something to do. */
  function later(ms: number, userId: string, user: Waiting, isDue: () => boolean): void {
    if (stopped) return;
    user.timer = setTimeout(() => {
      if (!isDue()) return;
      ready.push(userId);
      work();
    }, ms);
  }

  function retryLater(userId: string, user: Waiting, error: unknown): void {
    if (stopped) return;
    const longest = Math.min(RETRY_MS * 2 ** user.tries, RETRY_MS_MAX);
    const ms = Math.round(longest * (0.5 + Math.random() / 2));
    user.tries += 1;
    log.warn(
      { err: error, user_id: userId, tries: user.tries, ms },
      "AI credit is not in sync; trying again",
    );
    later(ms, userId, user, () => true);
  }

  async function sweep(): Promise<void> {
    for (let after = ""; !stopped; ) {
      const { last, behind } = await readUnsynced(db, tools.provider.name, after, PAGE);
      for (const userId of behind) nudge(userId);
      if (last === null) return;
      after = last;
    }
  }

  const endSweeps = repeat(SWEEP_MS, sweep, log, "the sweep of AI credit failed; trying again");

  return {
    onEvents(events) {
      for (const { body } of events) {
        const { event_type, user_id } = body as EventRecord;
        if (event_type === TRANSFERRED && user_id !== null) nudge(user_id);
      }
    },
    async stop() {
      stopped = true;
      endSweeps();
      for (const { timer } of users.values()) clearTimeout(timer);
      await db.end({ timeout: STOP_S });
    },
  };
}
