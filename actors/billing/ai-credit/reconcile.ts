import type { Logger } from "pino";
import type { EventRecord, EventType } from "../../../schemas/events.ts";
import { Backoff } from "../../../system/backoff.ts";
import type { Reconciler } from "../../../system/reconciler.ts";
import { openSql } from "../../platform/db/sql.ts";
import type { Settings } from "../../platform/settings.ts";
import type { OutboxRow } from "../../runtime/ports.ts";
import type { ActorsFor } from "../../senders.ts";
import { connectProvider } from "./provider/connect.ts";
import { readUnsynced } from "./queries.ts";
import { type Announce, syncCredit } from "./sync.ts";

/** Users whose credit is synced at the same time: a provider limits requests, and this process has other work. */
const SYNCING_MAX = 4;
/** Transfers of a user within this time are synced together. */
const PAUSE_MS = 100;
/** Users that wait in memory. A later round of the reconciler finds the others. */
const WAITING_MAX = 10_000;
/** Interval for comparing all wallets with the provider's limits: the backstop for missed events. */
const INTERVAL_MS = 15_000;
/** Wallets compared by one statement: a few milliseconds. */
const PAGE = 5_000;
/** The pause after a failed sync, and the longest one. */
const RETRY_MS = 500;
const RETRY_MS_MAX = 30_000;

/** A pool of its own: a slow provider must not delay the loading of actors. */
const CONNECTIONS_MAX = 2;

/** Syncs in progress are abandoned at the stop: the wallet's next owner completes them. */
const STOP_S = 1;

const TRANSFERRED: EventType = "user.credit_transferred";

export interface AiCreditOptions {
  readonly settings: Pick<Settings, "databaseUrl" | "aiProvider">;
  readonly actors: ActorsFor<"reconciler">;
  readonly log: Logger;
  readonly announce: Announce;
  /** Whether this host runs the user's wallet: only its owner talks to the provider about it. */
  owns(userId: string): boolean;
}

export interface AiCreditSync {
  readonly reconciler: Reconciler;
  /** Committed events: transfers among them start a sync at once. */
  onEvents(events: readonly OutboxRow[]): void;
  stop(): Promise<void>;
}

interface Waiting {
  readonly backoff: Backoff;
  /** Whether the credit changed during its sync. */
  again: boolean;
  timer: Timer | undefined;
}

/**
 * Syncs AI credit to its provider until both agree (docs/decisions/0017-ai-credit-reconciler.md). The work to do is the
 * difference between two rows, so a missed event or a restart loses nothing.
 */
export function startAiCredit(options: AiCreditOptions): AiCreditSync | undefined {
  const { settings, log, owns } = options;
  const db = openSql(settings.databaseUrl, { max: CONNECTIONS_MAX, name: "berth-ai-credit" });
  const provider = connectProvider(settings.aiProvider, db);
  if (provider === undefined) return undefined;
  const tools = { ...options, db, provider };
  const users = new Map<string, Waiting>();
  const ready: string[] = [];
  let syncing = 0;
  let stopped = false;

  function enqueue(userId: string): void {
    if (stopped || !owns(userId)) return;
    const known = users.get(userId);
    if (known !== undefined) {
      known.again = true;
      return;
    }
    if (users.size >= WAITING_MAX) return;
    users.set(userId, { backoff: new Backoff(RETRY_MS, RETRY_MS_MAX), again: false, timer: undefined });
    ready.push(userId);
    startSyncs();
  }

  function startSyncs(): void {
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
          startSyncs();
        });
    }
  }

  function onSynced(userId: string, user: Waiting): void {
    user.backoff.reset();
    enqueueAfter(PAUSE_MS, userId, user, () => {
      if (!user.again) users.delete(userId);
      return user.again;
    });
  }

  /** Enqueues the user again after a pause, if a sync is still needed then. */
  function enqueueAfter(ms: number, userId: string, user: Waiting, isNeeded: () => boolean): void {
    if (stopped) return;
    user.timer = setTimeout(() => {
      if (!isNeeded()) return;
      ready.push(userId);
      startSyncs();
    }, ms);
  }

  function retryLater(userId: string, user: Waiting, error: unknown): void {
    if (stopped) return;
    const ms = user.backoff.next();
    log.warn(
      { err: error, user_id: userId, tries: user.backoff.failures, ms },
      "AI credit is not in sync; trying again",
    );
    enqueueAfter(ms, userId, user, () => true);
  }

  async function enqueueUnsynced(signal: AbortSignal): Promise<void> {
    for (let after = ""; !signal.aborted; ) {
      const { last, behind } = await readUnsynced(db, tools.provider.name, after, PAGE);
      for (const userId of behind) enqueue(userId);
      if (last === null) return;
      after = last;
    }
  }

  return {
    reconciler: { name: "ai-credit", intervalMs: INTERVAL_MS, reconcile: enqueueUnsynced },
    onEvents(events) {
      for (const { body } of events) {
        const { event_type, user_id } = body as EventRecord;
        if (event_type === TRANSFERRED && user_id !== null) enqueue(user_id);
      }
    },
    async stop() {
      stopped = true;
      for (const { timer } of users.values()) clearTimeout(timer);
      await db.end({ timeout: STOP_S });
    },
  };
}
