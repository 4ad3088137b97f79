/** Parsing less output than this again takes only milliseconds. */
const WORTH_BYTES = 64 * 1024;
/** Output that pauses for this long has come to rest, which is the best time to save the screen. */
const REST_MS = 250;
/** The interval during continuous output. A snapshot delays all sessions by up to tens of milliseconds. */
const FLOOD_MS = 2_000;

/** Decides when a session's screen is saved: often enough that little output has to be parsed again, but rarely. */
export class Checkpoints {
  readonly #store: () => boolean;
  #bytes = 0;
  #lastOutput = 0;
  #lastKept = 0;
  #timer: Timer | undefined;

  /** @param keep saves the current screen; returns false when that is not possible at the moment */
  constructor(keep: () => boolean) {
    this.#store = keep;
  }

  output(bytes: number): void {
    this.#bytes += bytes;
    this.#lastOutput = performance.now();
    if (this.#bytes >= WORTH_BYTES) this.#timer ??= setTimeout(() => this.#compareSize(), REST_MS);
  }

  /** Saves the screen at once, after a change that is not in the output. */
  now(): void {
    this.stop();
    if (!this.#store()) {
      this.#bytes = WORTH_BYTES;
      this.#timer = setTimeout(() => this.#compareSize(), REST_MS);
      return;
    }
    this.#bytes = 0;
    this.#lastKept = performance.now();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #compareSize(): void {
    this.#timer = undefined;
    const now = performance.now();
    const isDue = now - this.#lastOutput >= REST_MS || now - this.#lastKept >= FLOOD_MS;
    if (isDue) this.now();
    else this.#timer = setTimeout(() => this.#compareSize(), REST_MS);
  }
}
