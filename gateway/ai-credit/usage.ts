import {
  type AiProvider,
  ProviderError,
  type Reading,
} from "../../actors/billing/ai-credit/provider/provider.ts";
import { withTimeLimit } from "../../actors/billing/ai-credit/provider/time-limit.ts";
import { SingleFlight } from "../../system/single-flight.ts";

/** How long a balance waits for its reading. */
const READ_MS_MAX = 500;
/**
 * Readings in progress at the same time. Beyond that the provider cannot keep up, and more requests would slow it
 * down further.
 */
const READING_MAX = 64;
/** After this many failures in a row the provider counts as unavailable, and is not asked. */
const FAILURES_MAX = 3;
/** An unavailable provider is tried again, with one reading, after this time. */
const AWAY_MS = 5_000;

/**
 * Reads the usage of a key from the provider. A reading is shared by the requests that wait for it and is not cached
 * (spec §2: `live`). An unavailable provider costs a few time-outs, and then nothing.
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

  /** The usage of a key, read now; undefined when the provider does not reply in time. */
  read(keyId: string): Promise<Reading | undefined> {
    const isNew = !this.#reads.has(keyId);
    if (isNew && (this.#reads.size >= READING_MAX || this.#isUnavailable()))
      return Promise.resolve(undefined);
    return this.#reads.run(keyId, () => this.#fetch(keyId));
  }

  /** After `AWAY_MS` the first reading is let through; the others wait until it has succeeded. */
  #isUnavailable(): boolean {
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
      // An unknown key is no failure of the provider.
      if (error instanceof ProviderError && error.isOfKey) return undefined;
      this.#failures += 1;
      if (this.#failures === FAILURES_MAX) this.#awayUntilMs = this.now() + AWAY_MS;
      return undefined;
    }
  }
}
