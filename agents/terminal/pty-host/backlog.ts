/** Small pieces, such as echoed characters, share a block. */
const BLOCK_BYTES = 16 * 1024;

/** The last bytes of a stream, bounded, addressed by their offsets in the whole stream. */
export class Backlog {
  #blocks: { readonly at: number; readonly bytes: Uint8Array; used: number }[] = [];
  #start = 0;
  #end = 0;

  /** The offset of the first stored byte. */
  get start(): number {
    return this.#start;
  }

  /** The length of the stream. */
  get end(): number {
    return this.#end;
  }

  /** Appends bytes, which the caller must not change any more, and drops the oldest ones above `bytesMax`. */
  push(bytes: Uint8Array, bytesMax: number): void {
    const last = this.#blocks.at(-1);
    if (last !== undefined && last.used + bytes.length <= last.bytes.length) {
      last.bytes.set(bytes, last.used);
      last.used += bytes.length;
    } else if (bytes.length >= BLOCK_BYTES) {
      this.#blocks.push({ at: this.#end, bytes, used: bytes.length });
    } else {
      const block = { at: this.#end, bytes: new Uint8Array(BLOCK_BYTES), used: bytes.length };
      block.bytes.set(bytes);
      this.#blocks.push(block);
    }
    this.#end += bytes.length;
    this.drop(this.#end - bytesMax);
  }

  /** Drops the bytes before an offset. */
  drop(before: number): void {
    this.#start = Math.min(Math.max(this.#start, before), this.#end);
    const first = this.#blocks.findIndex(({ at, used }) => at + used > this.#start);
    if (first !== 0) this.#blocks.splice(0, first < 0 ? this.#blocks.length : first);
  }

  /** Contiguous bytes from an offset on, at most `bytesMax`; none at the end. */
  read(from: number, bytesMax: number): Uint8Array {
    const block = this.#blocks.find(({ at, used }) => at + used > from);
    if (block === undefined) return new Uint8Array();
    const begin = from - block.at;
    return block.bytes.subarray(begin, Math.min(block.used, begin + bytesMax));
  }
}
