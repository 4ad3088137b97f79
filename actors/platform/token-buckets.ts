import { BoundedMap } from "../../system/bounded-map.ts";

/** The rate for one key: a burst, and a steady rate after it. */
export interface Pace {
  readonly burst: number;
  readonly perSecond: number;
}

/** Token buckets by key, for one process. A key that was dropped begins with a full burst again. */
export class TokenBuckets {
  readonly #buckets: BoundedMap<string, { tokens: number; atMs: number }>;

  /** @param nowMs monotonic; for tests */
  constructor(
    private readonly pace: Pace,
    keysMax: number,
    private readonly nowMs: () => number = () => performance.now(),
  ) {
    this.#buckets = new BoundedMap(keysMax);
  }

  /** Takes a token of `key`; false if none is left. */
  take(key: string): boolean {
    const { burst, perSecond } = this.pace;
    const nowMs = this.nowMs();
    const { tokens, atMs } = this.#buckets.get(key) ?? { tokens: burst, atMs: nowMs };
    const now = Math.min(burst, tokens + ((nowMs - atMs) / 1_000) * perSecond);
    const isLeft = now >= 1;
    this.#buckets.set(key, { tokens: isLeft ? now - 1 : now, atMs: nowMs });
    return isLeft;
  }
}
