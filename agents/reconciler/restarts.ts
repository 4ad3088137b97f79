import { Backoff } from "../../system/backoff.ts";

const RETRY_FIRST_MS = 250;
const RETRY_MAX_MS = 30_000;
/** A container that ran for this long is not in a crash loop: its next start is immediate again. */
const STABLE_MS = 60_000;

/** The back-off of a container that ended by itself or could not be started. */
export class Restarts {
  readonly #backoff = new Backoff(RETRY_FIRST_MS, RETRY_MAX_MS);
  #notBeforeMs = 0;
  #startedMs = 0;

  /** The remaining time before its next start. */
  get waitMs(): number {
    return this.#notBeforeMs - performance.now();
  }

  started(): void {
    this.#startedMs = performance.now();
  }

  /** Whether it has run for so long that its end is no part of a row of failures. */
  get wasStable(): boolean {
    return performance.now() - this.#startedMs > STABLE_MS;
  }

  /** Records that it ended by itself. @returns the pause before its next start */
  ended(): number {
    const now = performance.now();
    if (this.wasStable) this.#backoff.reset();
    const delayMs = this.#backoff.next();
    this.#notBeforeMs = now + delayMs;
    return delayMs;
  }

  /** Records a failure outside the container. @returns the pause before the next attempt */
  failed(): number {
    return this.#backoff.next();
  }

  /** Resets the back-off after a change of the desired state. */
  reset(): void {
    this.#notBeforeMs = 0;
    this.#backoff.reset();
  }
}
