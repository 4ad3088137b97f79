import type { AiCreditSynced } from "../../schemas/billing/ai-credit.ts";
import { BoundedMap } from "../../system/bounded-map.ts";

/** Users whose last news is kept: those of a few seconds, as far as anybody waits. */
const KNOWN_MAX = 10_000;
/**
 * Those who may wait at once. A person who moves money now and then always may; under a load of transfers the provider is
 * behind anyway, and their pace must not be its.
 */
const WAITING_MAX = 4;

/** Hears which users' AI credit has arrived at the provider, and lets those wait who want to know. */
export class SyncedCredits {
  readonly #known = new BoundedMap<string, AiCreditSynced>(KNOWN_MAX);
  readonly #waiting = new Map<string, Set<() => void>>();
  #waits = 0;

  /** Takes a message of `AI_CREDIT_SYNCED`. */
  onSynced(news: AiCreditSynced): void {
    const { user_id } = news;
    this.#known.set(user_id, news);
    for (const wake of this.#waiting.get(user_id) ?? []) wake();
  }

  /** Whether one more may wait. */
  get hasRoom(): boolean {
    return this.#waits < WAITING_MAX;
  }

  /** The news that a user's credit has reached a limit; undefined when there was none in time. */
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
