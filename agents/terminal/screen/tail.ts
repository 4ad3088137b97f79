/** A longer sequence is data, such as an image: a snapshot waits for its end instead of repeating it. */
const TAIL_BYTES_MAX = 16_384;

const ESC = 0x1b;
/** In UTF-8, the first byte of the controls from U+0080 to U+009F. */
const C1_LEAD = 0xc2;
/** The second bytes of controls that begin a sequence in any state: DCS, SOS, CSI, OSC, PM and APC. */
const C1_BEGINNINGS = [0x90, 0x98, 0x9b, 0x9d, 0x9e, 0x9f];

/**
 * Keeps the last part of the output that the parser has read but not executed: half an escape sequence, or half a
 * character. A snapshot ends with it, so that the following output is parsed correctly.
 */
export class Tail {
  #sequence: Uint8Array = new Uint8Array();
  /** The last bytes, which may be an incomplete character. */
  #last: Uint8Array = new Uint8Array();
  #isTooLong = false;

  /** @param atRest whether the parser, after these bytes, is between sequences */
  push(bytes: Uint8Array, atRest: boolean): void {
    if (bytes.length === 0) return;
    const before = this.#sequence.length > 0 ? this.#sequence : halfCharacter(this.#last);
    this.#last = bytes.length >= 3 ? bytes.slice(-3) : Buffer.concat([this.#last, bytes]).subarray(-3);
    if (atRest) {
      this.#sequence = new Uint8Array();
      this.#isTooLong = false;
      return;
    }
    let start = lastBeginning(bytes);
    let all = bytes;
    if (start < 0 && before.length > 0) {
      all = Buffer.concat([before, bytes]);
      // Its first byte may be at the end of the last piece.
      start = lastBeginning(all);
    }
    if (start >= 0) this.#isTooLong = false;
    const begun = all.subarray(Math.max(start, 0));
    if (begun.length > TAIL_BYTES_MAX) this.#isTooLong = true;
    this.#sequence = this.#isTooLong ? new Uint8Array() : begun.slice();
  }

  /** The end of a snapshot; null in the middle of a very long sequence. */
  get bytes(): Uint8Array | null {
    if (this.#isTooLong) return null;
    return this.#sequence.length > 0 ? this.#sequence : halfCharacter(this.#last);
  }
}

/** The offset of the last sequence; -1 for none. */
function lastBeginning(bytes: Uint8Array): number {
  const esc = bytes.lastIndexOf(ESC);
  for (let at = bytes.length - 2; at > esc; at--) {
    if (bytes[at] === C1_LEAD && C1_BEGINNINGS.includes(bytes[at + 1] ?? 0)) return at;
  }
  return esc;
}

/** The beginning of an incomplete UTF-8 character. */
function halfCharacter(last: Uint8Array): Uint8Array {
  for (let back = 1; back <= last.length; back++) {
    const byte = last[last.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const size = byte >= 0xf0 && byte < 0xf8 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return byte < 0xf8 && size > back ? last.slice(-back) : new Uint8Array();
  }
  return new Uint8Array();
}
