import { ACCESS_TOKEN_SECONDS, CLOCK_TOLERANCE_SECONDS } from "../../schemas/accounts/auth.ts";
import { SingleFlight } from "../../system/single-flight.ts";

/** About 100 bytes each. When it is full the oldest are dropped, and older tokens are looked up in the database. */
const SESSIONS_MAX = 100_000;
/** The longest that a token can outlive the end of its session. */
const LIFETIME_MS = (ACCESS_TOKEN_SECONDS + 2 * CLOCK_TOLERANCE_SECONDS) * 1000;
const TOLERANCE_MS = CLOCK_TOLERANCE_SECONDS * 1000;

/**
 * Sessions that ended while some of their tokens have not expired. A valid token is never refused, however many
 * sessions end: where an entry had to be dropped, the tokens that it may concern are looked up in the database.
 */
export class EndedSessions {
  /** Ended sessions with the time at which this gateway learned of it, oldest first. */
  readonly #endedAtMs = new Map<string, number>();
  readonly #lookUps = new SingleFlight<string, boolean>();
  /** Entries up to this time may have been dropped. */
  #forgottenToMs = 0;

  /** @param lookUp asks the database whether a session has ended */
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
   * Whether the end of a token's session may have been dropped.
   *
   * @param lookedUpAtMs when the session was last found not to have ended; 0: never
   */
  mayHaveForgotten(issuedAtMs: number, lookedUpAtMs: number): boolean {
    return issuedAtMs <= this.#forgottenToMs + TOLERANCE_MS && lookedUpAtMs <= this.#forgottenToMs;
  }

  /** Asks the database whether a session has ended. Concurrent calls for one session share a read. */
  hasEnded(sessionId: string): Promise<boolean> {
    return this.#lookUps.run(sessionId, () => this.lookUp(sessionId));
  }
}
