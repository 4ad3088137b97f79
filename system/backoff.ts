/** The wait after a failure that `failures` others preceded: `firstMs`, doubled with each, at most `maxMs`. */
export const backoffMs = (failures: number, firstMs: number, maxMs: number): number =>
  Math.min(maxMs, firstMs * 2 ** failures);

/** A wait is shortened at random by up to this fraction, so that processes do not retry in step. */
const SPREAD = 0.25;

/** Counts consecutive failures, and tells how long to wait before the next attempt. */
export class Backoff {
  #failures = 0;

  constructor(
    private readonly firstMs: number,
    private readonly maxMs: number,
  ) {}

  get failures(): number {
    return this.#failures;
  }

  /** Counts one more failure. Returns the wait before the next try, in milliseconds. */
  next(): number {
    const fullMs = backoffMs(this.#failures, this.firstMs, this.maxMs);
    this.#failures += 1;
    return Math.round(fullMs * (1 - SPREAD * Math.random()));
  }

  reset(): void {
    this.#failures = 0;
  }
}
