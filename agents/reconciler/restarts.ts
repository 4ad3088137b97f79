import { Backoff } from "../../system/backoff.ts";

const RETRY_FIRST_MS = 250;
const RETRY_MAX_MS = 30_000;
/** A container that ran for so long is not in a crash loop: its next start is quick again. */
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

  /** Something outside of the container failed. @returns when to try again */
  failed(): number {
    return this.#backoff.next();
  }

  /** Its desired state has changed: the next start is immediate. */
  reset(): void {
    this.#notBeforeMs = 0;
    this.#backoff.reset();
  }
}
