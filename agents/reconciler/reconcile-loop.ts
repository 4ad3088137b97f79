/**
 * Repeats a step until nothing has changed since it began. One step at a time: any number of changes during a step lead
 * to one more step.
 */
export class ReconcileLoop {
  #dirty = false;
  #working: Promise<void> | null = null;
  #timer: Timer | undefined;
  #closed = false;

  /** @param step must not throw */
  constructor(private readonly step: () => Promise<void>) {}

  /** Whether a step is in progress. */
  get isBusy(): boolean {
    return this.#working !== null;
  }

  /** Runs a step now, or after the one in progress. */
  enqueue(): void {
    this.#dirty = true;
    if (this.#closed || this.#working) return;
    this.#working = this.#drain().finally(() => {
      this.#working = null;
      // It may have changed since the last check.
      if (this.#dirty) this.enqueue();
    });
  }

  /** Runs a step after a delay, unless one runs before. */
  enqueueAfter(delayMs: number): void {
    clearTimeout(this.#timer);
    if (this.#closed) return;
    this.#timer = setTimeout(() => this.enqueue(), delayMs);
    this.#timer.unref();
  }

  /** Settles when no step is in progress. A delayed step does not count. */
  async settled(): Promise<void> {
    while (this.#working) await this.#working;
  }

  /** Starts no further step, and settles when the current one is done. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.settled();
  }

  async #drain(): Promise<void> {
    while (this.#dirty && !this.#closed) {
      this.#dirty = false;
      clearTimeout(this.#timer);
      await this.step();
    }
  }
}
