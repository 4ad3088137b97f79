import { DomainError } from "../../schemas/errors.ts";

/** About 150 bytes each. When it is full, the oldest window is dropped and its key starts again. */
const KEYS_MAX = 100_000;

export interface RateLimit {
  /** The name of the policy in the headers, such as `login`. */
  readonly name: string;
  readonly limit: number;
  readonly windowSeconds: number;
  /** The message of the refusal. */
  readonly message?: string;
}

export interface RateLimitResult {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the key's window ends and it has `limit` attempts again. */
  readonly retryAfterSeconds: number;
}

/**
 * Counts attempts by key in fixed windows that begin with a key's first attempt. It counts for one process: a limit
 * over all gateways belongs in an actor. (The memory store of rate-limiter-flexible is unbounded and has a timer for
 * each key.)
 */
export class RateLimiter {
  readonly #windows = new Map<string, { endsAt: number; tries: number }>();

  /** @param now milliseconds, monotonic; for tests */
  constructor(
    readonly policy: RateLimit,
    private readonly now: () => number = () => performance.now(),
    private readonly keysMax = KEYS_MAX,
  ) {}

  /** Counts one attempt of `key`. */
  tryConsume(key: string): RateLimitResult {
    const now = this.now();
    const window = this.#windowOf(key, now);
    const allowed = window.tries < this.policy.limit;
    if (allowed) window.tries++;
    return this.#taken(allowed, window.tries, window.endsAt);
  }

  /** Whether an attempt of `key` would be admitted; counts nothing. */
  peek(key: string): RateLimitResult {
    const window = this.#windows.get(key);
    const now = this.now();
    const tries = window !== undefined && window.endsAt > now ? window.tries : 0;
    return this.#taken(tries < this.policy.limit, tries, window?.endsAt ?? now);
  }

  /** Drops the attempts of a key, for example after a success. */
  reset(key: string): void {
    this.#windows.delete(key);
  }

  /** Takes back one attempt of a key, for example one that was not checked. */
  refund(key: string): void {
    const window = this.#windows.get(key);
    if (window !== undefined && window.tries > 0) window.tries--;
  }

  #taken(allowed: boolean, tries: number, endsAt: number): RateLimitResult {
    const { limit } = this.policy;
    return {
      allowed,
      limit,
      remaining: limit - tries,
      // Rounded first: a sum of fractions of milliseconds can exceed the window by a rounding error.
      retryAfterSeconds: Math.max(1, Math.ceil(Math.round(endsAt - this.now()) / 1000)),
    };
  }

  #windowOf(key: string, now: number) {
    const known = this.#windows.get(key);
    if (known !== undefined && known.endsAt > now) return known;
    this.#windows.delete(key);
    this.#makeRoom(now);
    const window = { endsAt: now + this.policy.windowSeconds * 1000, tries: 0 };
    this.#windows.set(key, window);
    return window;
  }

  /** All windows have the same length, so the map's order is the order in which they end. */
  #makeRoom(now: number): void {
    for (const [key, { endsAt }] of this.#windows) {
      if (endsAt > now && this.#windows.size < this.keysMax) return;
      this.#windows.delete(key);
    }
  }
}

type Headers = Record<string, string | number>;

/**
 * Counts one attempt and sets the headers of the limit. Throws RATE_LIMITED, which carries `Retry-After`. In a
 * handler: `enforceLimit(signIns, addressOf(ctx), ctx.set.headers)`.
 */
export function enforceLimit(limiter: RateLimiter, key: string, headers: Headers): void {
  enforceResult(limiter.policy, limiter.tryConsume(key), headers);
}

/** Sets `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers). Throws RATE_LIMITED past the limit. */
export function enforceResult(policy: RateLimit, taken: RateLimitResult, headers: Headers): void {
  const { name, limit, windowSeconds, message = "Too many attempts. Wait before the next one" } = policy;
  const { allowed, remaining, retryAfterSeconds } = taken;
  headers["ratelimit-policy"] = `"${name}";q=${limit};w=${windowSeconds}`;
  headers.ratelimit = `"${name}";r=${remaining};t=${retryAfterSeconds}`;
  if (allowed) return;
  throw new DomainError("RATE_LIMITED", message, {
    retry_after_seconds: retryAfterSeconds,
  });
}
