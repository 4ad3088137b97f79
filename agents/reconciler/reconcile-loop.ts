/**
 * Runs a step again and again until nothing has changed since it began. One step at a time: whatever changes meanwhile,
 * however often, is one more step.
 */
export class ReconcileLoop {
  #dirty = false;
  #working: Promise<void> | null = null;
  #timer: Timer | undefined;
  #closed = false;

  /** @param step must not throw */
  constructor(private readonly step: () => Promise<void>) {}

  /** Whether a step is under way. */
  get isBusy(): boolean {
    return this.#working !== null;
  }

  /** A step, now or after the one that is under way. */
  enqueue(): void {
    this.#dirty = true;
    if (this.#closed || this.#working) return;
    this.#working = this.#drain().finally(() => {
      this.#working = null;
      // Between the last look and here.
      if (this.#dirty) this.enqueue();
    });
  }

  /** A step after a while, unless there is one before. */
  enqueueAfter(delayMs: number): void {
    clearTimeout(this.#timer);
    if (this.#closed) return;
    this.#timer = setTimeout(() => this.enqueue(), delayMs);
    this.#timer.unref();
  }

  /** Settles when nothing is under way; what waits for its time does not count. */
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
