import { visibleFrom } from "./flood.ts";

/** What is copied stays in a processor's cache, and so many lines of a flood are looked through at once. */
export const WAITING_BYTES_MAX = 128 * 1024;

/** Output that has been read and not yet parsed, in a place of a fixed size. */
export class PendingOutput {
  readonly #place = new Uint8Array(WAITING_BYTES_MAX);
  #length = 0;

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  fits(bytes: Uint8Array): boolean {
    return bytes.length <= WAITING_BYTES_MAX - this.#length;
  }

  /** Takes a copy of what fits. */
  push(bytes: Uint8Array): void {
    this.#place.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Forgets what so many lines after it will have pushed out of sight. */
  trim(lines: number): void {
    const from = visibleFrom(this.#bytes, lines);
    if (from === 0) return;
    this.#place.copyWithin(0, from, this.#length);
    this.#length -= from;
  }

  /** All of it, to be used before the next `push`. */
  drain(): Uint8Array {
    const bytes = this.#bytes;
    this.#length = 0;
    return bytes;
  }

  get #bytes(): Uint8Array {
    return this.#place.subarray(0, this.#length);
  }
}
