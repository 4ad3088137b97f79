import type { AiCreditSynced } from "../../schemas/billing/ai-credit.ts";
import { BoundedMap } from "../../system/bounded-map.ts";

/** Users whose latest sync is kept. It is needed for the few hundred milliseconds in which a transfer waits for it. */
const KNOWN_MAX = 10_000;
/**
 * Transfers that may wait at the same time. Single transfers of people always may. Under load the provider lags
 * behind, and waiting for it would slow the transfers down to its pace.
 */
const WAITING_MAX = 4;

/** Keeps the latest syncs of AI credit with the provider, and lets transfers wait for theirs. */
export class SyncedCredits {
  readonly #known = new BoundedMap<string, AiCreditSynced>(KNOWN_MAX);
  readonly #waiting = new Map<string, Set<() => void>>();
  #waits = 0;

  /** Handles a message of `AI_CREDIT_SYNCED`. */
  onSynced(news: AiCreditSynced): void {
    const { user_id } = news;
    this.#known.set(user_id, news);
    for (const wake of this.#waiting.get(user_id) ?? []) wake();
  }

  /** Whether one more transfer may wait. */
  get hasRoom(): boolean {
    return this.#waits < WAITING_MAX;
  }

  /** Waits until a user's credit at the provider has reached a limit; undefined when the time is over. */
  async waitFor(userId: string, limitMicros: bigint, ms: number): Promise<AiCreditSynced | undefined> {
    const reached = () => {
      const news = this.#known.get(userId);
      return news !== undefined && BigInt(news.synced_micros) >= limitMicros ? news : undefined;
    };
    const already = reached();
    if (already !== undefined) return already;
    this.#waits += 1;
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = () => reached() !== undefined && resolve();
    const waiters = this.#waiting.get(userId) ?? new Set();
    this.#waiting.set(userId, waiters.add(wake));
    const timer = setTimeout(resolve, ms);
    await promise;
    clearTimeout(timer);
    this.#waits -= 1;
    waiters.delete(wake);
    if (waiters.size === 0) this.#waiting.delete(userId);
    return reached();
  }
}
