import { DomainError } from "../../schemas/errors.ts";

/** About 150 bytes each. When full, the oldest window is forgotten: its key may then try again. */
const KEYS_MAX = 100_000;

export interface RateLimit {
  /** A word for the policy in the headers, such as `login`. */
  readonly name: string;
  readonly limit: number;
  readonly windowSeconds: number;
  /** What whoever is refused is told. */
  readonly message?: string;
}

export interface RateLimitResult {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the key's window ends and it may try `limit` times again. */
  readonly retryAfterSeconds: number;
}

/**
 * Counts tries by key in fixed windows that begin with a key's first try. It counts for one process: what must hold
 * over all gateways belongs into an actor. (rate-limiter-flexible's memory store has no bound and a timer a key.)
 */
export class RateLimiter {
  readonly #windows = new Map<string, { endsAt: number; tries: number }>();

  /** @param now milliseconds, monotonic; for tests */
  constructor(
    readonly policy: RateLimit,
    private readonly now: () => number = () => performance.now(),
    private readonly keysMax = KEYS_MAX,
  ) {}

  /** Counts one try of `key`. */
  tryConsume(key: string): RateLimitResult {
    const now = this.now();
    const window = this.#windowOf(key, now);
    const allowed = window.tries < this.policy.limit;
    if (allowed) window.tries++;
    return this.#taken(allowed, window.tries, window.endsAt);
  }

  /** Whether a try of `key` would be let through, without counting one. */
  peek(key: string): RateLimitResult {
    const window = this.#windows.get(key);
    const now = this.now();
    const tries = window !== undefined && window.endsAt > now ? window.tries : 0;
    return this.#taken(tries < this.policy.limit, tries, window?.endsAt ?? now);
  }

  /** Forgets the tries of a key: what succeeded need not count against it. */
  reset(key: string): void {
    this.#windows.delete(key);
  }

  /** Takes one try of a key back: what was never looked at need not count. */
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
      // Rounded first: a sum of fractions of milliseconds can be a hair over the window.
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

  /** Windows last equally long, so the map's order is the order in which they end. */
  #makeRoom(now: number): void {
    for (const [key, { endsAt }] of this.#windows) {
      if (endsAt > now && this.#windows.size < this.keysMax) return;
      this.#windows.delete(key);
    }
  }
}

type Headers = Record<string, string | number>;

/**
 * Counts one try and says so in the headers. Throws RATE_LIMITED, which carries `Retry-After`.
 * In a handler: `limited(signIns, addressOf(ctx), ctx.set.headers)`.
 */
export function limited(limiter: RateLimiter, key: string, headers: Headers): void {
  enforce(limiter.policy, limiter.tryConsume(key), headers);
}

/** Sets `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers). Throws RATE_LIMITED past the limit. */
export function enforce(policy: RateLimit, taken: RateLimitResult, headers: Headers): void {
  const { name, limit, windowSeconds, message = "Too many tries. Wait before the next one" } = policy;
  const { allowed, remaining, retryAfterSeconds } = taken;
  headers["ratelimit-policy"] = `"${name}";q=${limit};w=${windowSeconds}`;
  headers.ratelimit = `"${name}";r=${remaining};t=${retryAfterSeconds}`;
  if (allowed) return;
  throw new DomainError("RATE_LIMITED", message, {
    retry_after_seconds: retryAfterSeconds,
  });
}
