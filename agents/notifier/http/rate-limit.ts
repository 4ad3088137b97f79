import { RATE_CLIENTS_MAX, RATE_WINDOW_MS, RATES } from "../limits.ts";
import { Refusal } from "./refusal.ts";

export type Bucket = keyof typeof RATES;

/**
 * Limits the requests in any minute, for each client and bucket. Refused requests do not count, so that a client that
 * keeps trying is served again when its oldest request is a minute old.
 */
export class RateLimits {
  /**
   * The times of the requests in the last minute, oldest first, by client; the least recently seen client comes
   * first.
   */
  readonly #clients = new Map<string, number[]>();

  constructor(
    private readonly now: () => number,
    private readonly clientsMax = RATE_CLIENTS_MAX,
  ) {}

  /** @throws Refusal (429) with the seconds to wait in `Retry-After` */
  count(bucket: Bucket, client: string): void {
    const now = this.now();
    const key = `${bucket} ${client}`;
    const since = now - RATE_WINDOW_MS;
    const times = (this.#clients.get(key) ?? []).filter((time) => time > since);
    this.#clients.delete(key);
    this.#clients.set(key, times);
    this.#forget(since);
    if (times.length < RATES[bucket]) {
      times.push(now);
      return;
    }
    const seconds = Math.max(1, Math.ceil(((times[0] ?? now) - since) / 1_000));
    throw new Refusal(
      429,
      "RATE_LIMITED",
      `at most ${RATES[bucket]} requests a minute here; try again in ${seconds} s`,
      { "retry-after": String(seconds) },
    );
  }

  #forget(since: number): void {
    for (const [key, times] of this.#clients) {
      const isOver = (times.at(-1) ?? 0) <= since && times.length > 0;
      if (!isOver && this.#clients.size <= this.clientsMax) return;
      this.#clients.delete(key);
    }
  }

  get size(): number {
    return this.#clients.size;
  }
}
