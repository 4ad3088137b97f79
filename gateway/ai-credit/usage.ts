import {
  type AiProvider,
  ProviderError,
  type Reading,
} from "../../actors/billing/ai-credit/provider/provider.ts";
import { withTimeLimit } from "../../actors/billing/ai-credit/provider/time-limit.ts";
import { SingleFlight } from "../../system/single-flight.ts";

/** What a balance waits for its reading at most. */
const READ_MS_MAX = 500;
/** Readings under way at once: past it the provider is slower than its users ask, and more would make it slower. */
const READING_MAX = 64;
/** After so many failures in a row the provider is taken to be away … */
const FAILURES_MAX = 3;
/** … and asked again, by one reading, after so long. */
const AWAY_MS = 5_000;

/**
 * Readings of what was used, each made for those who wait for it and kept for nobody after (spec §2: `live`). A provider that
 * is away costs its time limit a few times, and then nothing.
 */
export class AiUsage {
  readonly #reads = new SingleFlight<string, Reading | undefined>();
  #failures = 0;
  #awayUntilMs = 0;

  /** @param now milliseconds, monotonic; for tests */
  constructor(
    private readonly provider: AiProvider,
    private readonly now: () => number = () => performance.now(),
    private readonly readMsMax = READ_MS_MAX,
  ) {}

  /** What was used of a key, just read; undefined when the provider did not say so in time. */
  read(keyId: string): Promise<Reading | undefined> {
    const isNew = !this.#reads.has(keyId);
    if (isNew && (this.#reads.size >= READING_MAX || this.#isAway())) return Promise.resolve(undefined);
    return this.#reads.run(keyId, () => this.#fetch(keyId));
  }

  /** When the time is over, whoever asks first is let through and the others are not until it is back. */
  #isAway(): boolean {
    if (this.#failures < FAILURES_MAX) return false;
    const now = this.now();
    if (now < this.#awayUntilMs) return true;
    this.#awayUntilMs = now + AWAY_MS;
    return false;
  }

  async #fetch(keyId: string): Promise<Reading | undefined> {
    try {
      const reading = await withTimeLimit(this.readMsMax, (signal) => this.provider.read(keyId, signal));
      this.#failures = 0;
      return reading;
    } catch (error) {
      // A key that it does not have says nothing of the provider.
      if (error instanceof ProviderError && error.isOfKey) return undefined;
      this.#failures += 1;
      if (this.#failures === FAILURES_MAX) this.#awayUntilMs = this.now() + AWAY_MS;
      return undefined;
    }
  }
}
