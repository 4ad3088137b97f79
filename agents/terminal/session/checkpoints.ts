/** Less output than this is parsed again in milliseconds. */
const WORTH_BYTES = 64 * 1024;
/** Output that pauses for so long has come to rest: a screen is best kept then. */
const REST_MS = 250;
/** In a flood, which does not rest. Making a snapshot takes up to tens of milliseconds from everybody. */
const FLOOD_MS = 2_000;

/** Decides when a session's screen is kept: so that little has to be parsed again, and seldom. */
export class Checkpoints {
  readonly #store: () => boolean;
  #bytes = 0;
  #lastOutput = 0;
  #lastKept = 0;
  #timer: Timer | undefined;

  /** @param keep keeps the screen as it is now; false when that cannot be done at the moment */
  constructor(keep: () => boolean) {
    this.#store = keep;
  }

  output(bytes: number): void {
    this.#bytes += bytes;
    this.#lastOutput = performance.now();
    if (this.#bytes >= WORTH_BYTES) this.#timer ??= setTimeout(() => this.#compareSize(), REST_MS);
  }

  /** Keeps it at once, for what is not in the output. */
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
