import { DomainError } from "../../schemas/errors.ts";

/** About 150 bytes each. When full, the oldest window is forgotten: its key may then try anew. */
const KEYS_MAX = 100_000;

export interface RateLimit {
  /** A word for the policy in the headers, such as `login`. */
  readonly name: string;
  readonly limit: number;
  readonly windowSeconds: number;
}

export interface Taken {
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
  take(key: string): Taken {
    const now = this.now();
    const window = this.#windowOf(key, now);
    const { limit } = this.policy;
    const allowed = window.tries < limit;
    if (allowed) window.tries++;
    return {
      allowed,
      limit,
      remaining: limit - window.tries,
      // Rounded first: a sum of fractions of milliseconds can be a hair over the window.
      retryAfterSeconds: Math.max(1, Math.ceil(Math.round(window.endsAt - now) / 1000)),
    };
  }

  /** Forgets the tries of a key: what succeeded need not count against it. */
  forgive(key: string): void {
    this.#windows.delete(key);
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

/**
 * Counts one try and says so in the headers `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers).
 * Throws RATE_LIMITED, which carries `Retry-After`. In a handler: `limited(signIns, addressOf(ctx), ctx.set.headers)`.
 */
export function limited(limiter: RateLimiter, key: string, headers: Record<string, string | number>): void {
  const { name, limit, windowSeconds } = limiter.policy;
  const { allowed, remaining, retryAfterSeconds } = limiter.take(key);
  headers["ratelimit-policy"] = `"${name}";q=${limit};w=${windowSeconds}`;
  headers.ratelimit = `"${name}";r=${remaining};t=${retryAfterSeconds}`;
  if (allowed) return;
  throw new DomainError("RATE_LIMITED", "Too many tries. Wait before the next one", {
    retry_after_seconds: retryAfterSeconds,
  });
}

interface Connection {
  readonly request: Request;
  readonly server: { requestIP(request: Request): { address: string } | null } | null;
}

/** The caller's network address as a key: whoever has one IPv6 address has its whole /64. */
export function addressOf({ server, request }: Connection): string {
  const address = server?.requestIP(request)?.address ?? "unknown";
  if (!address.includes(":") || address.includes(".")) return address.replace(/^::ffff:/i, "");
  const [head = "", tail] = address.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill("0");
  return `${[...before, ...zeros, ...after].slice(0, 4).join(":")}::/64`;
}
