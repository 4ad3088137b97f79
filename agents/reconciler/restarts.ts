import { Backoff } from "../../system/backoff.ts";

const RETRY_FIRST_MS = 250;
const RETRY_MAX_MS = 30_000;
/** Who ran for so long is not in a crash loop: the next start comes soon again. */
const STABLE_MS = 60_000;

/** When a container that ended by itself, or could not be started, is started again. */
export class Restarts {
  readonly #backoff = new Backoff(RETRY_FIRST_MS, RETRY_MAX_MS);
  #notBeforeMs = 0;
  #startedMs = 0;

  /** How long its start still has to wait. */
  get waitMs(): number {
    return this.#notBeforeMs - performance.now();
  }

  started(): void {
    this.#startedMs = performance.now();
  }

  /** It ended by itself. @returns how long its start waits */
  ended(): number {
    const now = performance.now();
    if (now - this.#startedMs > STABLE_MS) this.#backoff.reset();
    const delayMs = this.#backoff.next();
    this.#notBeforeMs = now + delayMs;
    return delayMs;
  }

  /** Something failed that is not its own doing. @returns when to try again */
  failed(): number {
    return this.#backoff.next();
  }

  /** Something else is wanted of it: at once, whatever was before. */
  reset(): void {
    this.#notBeforeMs = 0;
    this.#backoff.reset();
  }
}
