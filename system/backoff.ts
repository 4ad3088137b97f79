/** A growing wait between tries: doubled each time, up to a maximum, with a spread so that hosts do not march in step. */
export class Backoff {
  #failures = 0;

  constructor(
    private readonly firstMs: number,
    private readonly maxMs: number,
  ) {}

  get failures(): number {
    return this.#failures;
  }

  /** Counts one more failure and says how long to wait before the next try, in milliseconds. */
  next(): number {
    const fullMs = Math.min(this.maxMs, this.firstMs * 2 ** this.#failures);
    this.#failures += 1;
    return Math.round(fullMs * (0.75 + Math.random() * 0.25));
  }

  reset(): void {
    this.#failures = 0;
  }
}
