import { visibleFrom } from "./flood.ts";

/** Small enough for a processor's cache, and large enough to skip many lines of a flood at once. */
export const WAITING_BYTES_MAX = 128 * 1024;

/** Output that has been read and not parsed yet, in a buffer of fixed size. */
export class PendingOutput {
  readonly #place = new Uint8Array(WAITING_BYTES_MAX);
  #length = 0;

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  fits(bytes: Uint8Array): boolean {
    return bytes.length <= WAITING_BYTES_MAX - this.#length;
  }

  /** Copies as much as fits. */
  push(bytes: Uint8Array): void {
    this.#place.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Drops output that the following lines push out of the scrollback. */
  trim(lines: number): void {
    const from = visibleFrom(this.#bytes, lines);
    if (from === 0) return;
    this.#place.copyWithin(0, from, this.#length);
    this.#length -= from;
  }

  /** Takes all of it. The result must be used before the next `push`. */
  drain(): Uint8Array {
    const bytes = this.#bytes;
    this.#length = 0;
    return bytes;
  }

  get #bytes(): Uint8Array {
    return this.#place.subarray(0, this.#length);
  }
}
