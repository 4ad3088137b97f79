import { enforce, RateLimiter } from "../http/rate-limit.ts";

/** Nobody guesses a refresh token; each guess must not cost a read and a message to an actor without end. */
const WRONG_PER_ADDRESS = { name: "refresh-address", limit: 100, windowSeconds: 60 };
const WRONG_PER_SESSION_AND_ADDRESS = { name: "refresh-session", limit: 10, windowSeconds: 60 };
/** A client refreshes once in a quarter of an hour; each refresh is a commit. */
const PER_SESSION = { name: "refresh", limit: 30, windowSeconds: 60 };

type Headers = Record<string, string | number>;

/**
 * How often refresh tokens are taken. Wrong tokens count for the address that shows them alone, so nobody who guesses
 * keeps the owner of a session from refreshing it elsewhere. Each gateway counts for itself.
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
   * Lets a try through or refuses it, before anything is read for it. Nothing is counted: what became of the try is
   * told afterwards.
   *
   * @param sessionId undefined for a text that has not the form of a refresh token
   * @throws RATE_LIMITED
   */
  admit(sessionId: string | undefined, address: string, headers: Headers): void {
    enforce(WRONG_PER_ADDRESS, this.#addresses.peek(address), headers);
    if (sessionId === undefined) return;
    enforce(WRONG_PER_SESSION_AND_ADDRESS, this.#pairs.peek(pairOf(sessionId, address)), headers);
    enforce(PER_SESSION, this.#sessions.peek(sessionId), headers);
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
