import { enforceResult, RateLimiter } from "../http/rate-limit.ts";

/** A refresh token cannot be guessed; the limit bounds the reads and actor messages that guesses cost. */
const WRONG_PER_ADDRESS = { name: "refresh-address", limit: 100, windowSeconds: 60 };
const WRONG_PER_SESSION_AND_ADDRESS = { name: "refresh-session", limit: 10, windowSeconds: 60 };
/** A client refreshes once in a quarter of an hour; each refresh is a commit. */
const PER_SESSION = { name: "refresh", limit: 30, windowSeconds: 60 };

type Headers = Record<string, string | number>;

/**
 * Limits how often refresh tokens are presented. Wrong tokens count against the address that presents them, so an
 * attacker cannot keep the owner of a session from refreshing it elsewhere. Each gateway counts for itself.
 */
export class RefreshLimits {
  readonly #addresses: RateLimiter;
  readonly #pairs: RateLimiter;
  readonly #sessions: RateLimiter;

  /** @param now milliseconds, monotonic; for tests */
  constructor(now?: () => number) {
    this.#addresses = new RateLimiter(WRONG_PER_ADDRESS, now);
    this.#pairs = new RateLimiter(WRONG_PER_SESSION_AND_ADDRESS, now);
    this.#sessions = new RateLimiter(PER_SESSION, now);
  }

  /**
   * Admits an attempt or refuses it, before anything is read for it. It counts nothing: `countWrong` or `countRight`
   * follows when the outcome is known.
   *
   * @param sessionId undefined for a text that is not in the form of a refresh token
   * @throws RATE_LIMITED
   */
  admit(sessionId: string | undefined, address: string, headers: Headers): void {
    enforceResult(WRONG_PER_ADDRESS, this.#addresses.peek(address), headers);
    if (sessionId === undefined) return;
    enforceResult(WRONG_PER_SESSION_AND_ADDRESS, this.#pairs.peek(pairOf(sessionId, address)), headers);
    enforceResult(PER_SESSION, this.#sessions.peek(sessionId), headers);
  }

  /** The token was unknown, or used already. */
  countWrong(sessionId: string | undefined, address: string): void {
    this.#addresses.tryConsume(address);
    if (sessionId !== undefined) this.#pairs.tryConsume(pairOf(sessionId, address));
  }

  /** The token was the newest of its session. */
  countRight(sessionId: string): void {
    this.#sessions.tryConsume(sessionId);
  }
}

const pairOf = (sessionId: string, address: string): string => `${sessionId} ${address}`;
