/** The wait after so many failures before this one: `firstMs`, doubled with each, at most `maxMs`. */
export const backoffMs = (failures: number, firstMs: number, maxMs: number): number =>
  Math.min(maxMs, firstMs * 2 ** failures);

/** Up to this part of a wait is left out at random, so that processes do not retry in step. */
const SPREAD = 0.25;

/** Counts failures in a row, and says how long to wait before the next try. */
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
