import { ACCESS_TOKEN_SECONDS, CLOCK_TOLERANCE_SECONDS } from "../../schemas/accounts/auth.ts";
import { SingleFlight } from "../../system/single-flight.ts";

/** About 100 bytes each. Past it the oldest are forgotten, and tokens of before are looked up. */
const SESSIONS_MAX = 100_000;
/** No token of a session outlives its end by more. */
const LIFETIME_MS = (ACCESS_TOKEN_SECONDS + 2 * CLOCK_TOLERANCE_SECONDS) * 1000;
const TOLERANCE_MS = CLOCK_TOLERANCE_SECONDS * 1000;

/**
 * Sessions that ended while tokens of theirs may still be around. However many end, a good token is never refused: where
 * an end had to be forgotten, the tokens that may be meant are looked up in the database instead.
 */
export class EndedSessions {
  /** Ended sessions and when that was heard, oldest first. */
  readonly #endedAtMs = new Map<string, number>();
  readonly #lookUps = new SingleFlight<string, boolean>();
  /** Ends that were heard up to then may be forgotten. */
  #forgottenToMs = 0;

  /** @param lookUp whether a session has ended, by the database */
  constructor(
    private readonly lookUp: (sessionId: string) => Promise<boolean>,
    private readonly now: () => number,
  ) {}

  has(sessionId: string): boolean {
    return this.#endedAtMs.has(sessionId);
  }

  add(sessionId: string): void {
    const now = this.now();
    for (const [id, endedAtMs] of this.#endedAtMs) {
      const isPast = endedAtMs + LIFETIME_MS < now;
      if (!isPast && this.#endedAtMs.size < SESSIONS_MAX) break;
      if (!isPast) this.#forgottenToMs = endedAtMs;
      this.#endedAtMs.delete(id);
    }
    this.#endedAtMs.delete(sessionId);
    this.#endedAtMs.set(sessionId, now);
  }

  /**
   * Whether the end of a token's session may have been forgotten.
   *
   * @param lookedUpAtMs when the session was last found not to have ended; 0: never
   */
  mayHaveForgotten(issuedAtMs: number, lookedUpAtMs: number): boolean {
    return issuedAtMs <= this.#forgottenToMs + TOLERANCE_MS && lookedUpAtMs <= this.#forgottenToMs;
  }

  /** Asks the database, once for all who ask about a session at the same time. */
  hasEnded(sessionId: string): Promise<boolean> {
    return this.#lookUps.run(sessionId, () => this.lookUp(sessionId));
  }
}
