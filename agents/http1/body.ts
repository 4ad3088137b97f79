import { type Framing, parseFields } from "./head.ts";
import { CHUNK_LINE_BYTES_MAX, CHUNK_OVERHEAD_BYTES_MAX, TRAILER_BYTES_MAX } from "./limits.ts";
import { Refusal } from "./refusal.ts";

/** A body that breaks the rules of its framing: nothing after it on the connection can be trusted. */
export class BodyError extends Error {
  override readonly name = "BodyError";
}

/** Splits a request's bytes into its body and the bytes after it. */
export interface BodyDecoder {
  readonly done: boolean;
  /**
   * The number of the incomplete line of the framing, counted from 1; the trailer counts as one. 0: none is
   * incomplete.
   */
  readonly openLine: number;
  /**
   * The part of the body that is in `bytes`; `rest` is what follows the body's end. The caller must not use `bytes`
   * any more, since the decoder may change them.
   * @throws BodyError
   */
  push(bytes: Buffer): { readonly data: Buffer; readonly rest: Buffer };
}

export const NO_BYTES: Buffer = Buffer.alloc(0);

export function decoderFor(framing: Framing): BodyDecoder {
  if (framing.kind === "chunked") return new ChunkedDecoder();
  return framing.kind === "length" ? new LengthDecoder(framing.bytes) : NO_BODY;
}

const NO_BODY: BodyDecoder = { done: true, openLine: 0, push: (bytes) => ({ data: NO_BYTES, rest: bytes }) };

class LengthDecoder implements BodyDecoder {
  readonly openLine = 0;
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  get done(): boolean {
    return this.#left === 0;
  }

  push(bytes: Buffer) {
    if (bytes.length <= this.#left) {
      this.#left -= bytes.length;
      return { data: bytes, rest: NO_BYTES };
    }
    const data = bytes.subarray(0, this.#left);
    const rest = bytes.subarray(this.#left);
    this.#left = 0;
    return { data, rest };
  }
}

type ChunkedState = "size" | "data" | "data-end" | "trailer" | "done";

const CR = 13;
const LF = 10;
/** A size of a few digits, and a short extension. */
const SMALL_CHUNK_LINE_BYTES = 16;
/** Text that may be the beginning of a chunk's size line. */
const SIZE_BEGINS = /^[0-9a-fA-F]{1,13}(?:;[\t\x20-\x7e\x80-\xff]*)?\r?$/;
const TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
const QUOTED = '"(?:[\\t\\x20\\x21\\x23-\\x5b\\x5d-\\x7e\\x80-\\xff]|\\\\[\\t\\x20-\\x7e\\x80-\\xff])*"';
/** RFC 9112 §7.1.1, without the blanks that senders must not write: readers interpret them in different ways. */
const SIZE_LINE = new RegExp(`^([0-9a-fA-F]{1,13})(?:;${TOKEN}(?:=(?:${TOKEN}|${QUOTED}))?)*$`);
/**
 * Fields for framing and routing are not allowed in trailers, where some readers would believe them (RFC 9110
 * §6.5.1).
 */
const NOT_IN_TRAILER = ["content-length", "transfer-encoding", "host"];
const NO_SIZE = "a chunk's size is malformed";
const TOO_LONG = "a chunk is longer than its size";

/**
 * Decodes the chunked coding (RFC 9112 §7.1). The data of all chunks in a piece is moved together and forwarded as
 * one.
 */
class ChunkedDecoder implements BodyDecoder {
  #state: ChunkedState = "size";
  /** The missing bytes of the present chunk. */
  #left = 0;
  /** The beginning of an incomplete line. */
  #line = "";
  #lines = 1;
  #trailerBytes = 0;
  #overhead = 0;

  get openLine(): number {
    return this.#line !== "" || this.#state === "trailer" ? this.#lines : 0;
  }

  get done(): boolean {
    return this.#state === "done";
  }

  push(bytes: Buffer) {
    let at = 0;
    let filled = 0;
    while (at < bytes.length && this.#state !== "done") {
      if (this.#state === "data") {
        const end = Math.min(bytes.length, at + this.#left);
        if (filled !== at) bytes.copyWithin(filled, at, end);
        filled += end - at;
        this.#left -= end - at;
        at = end;
        if (this.#left === 0) this.#state = "data-end";
        continue;
      }
      const newline = bytes.indexOf(LF, at);
      const end = newline === -1 ? bytes.length : newline + 1;
      this.#line += bytes.toString("latin1", at, end);
      at = end;
      if (this.#line.length > CHUNK_LINE_BYTES_MAX)
        throw new BodyError("a line of the chunked coding is too long");
      if (newline !== -1) this.#endLine();
      // Any other text is invalid, and its line might never end.
      else if (this.#state === "data-end" && this.#line !== "\r") throw new BodyError(TOO_LONG);
      else if (this.#state === "size" && !SIZE_BEGINS.test(this.#line)) throw new BodyError(NO_SIZE);
    }
    return { data: bytes.subarray(0, filled), rest: bytes.subarray(at) };
  }

  #endLine(): void {
    const line = this.#line;
    this.#line = "";
    if (this.#state !== "trailer") this.#lines += 1;
    if (line.charCodeAt(line.length - 2) !== CR || line.indexOf("\r") !== line.length - 2) {
      throw new BodyError("a line of the chunked coding does not end with CRLF");
    }
    const text = line.slice(0, -2);
    if (this.#state === "size") this.#startChunk(text);
    else if (this.#state === "data-end") {
      if (text !== "") throw new BodyError(TOO_LONG);
      this.#state = "size";
    } else if (text === "") this.#state = "done";
    else {
      this.#trailerBytes += line.length;
      if (this.#trailerBytes > TRAILER_BYTES_MAX) throw new BodyError("the trailer is too large");
      checkTrailer(text);
    }
  }

  #startChunk(text: string): void {
    const size = SIZE_LINE.exec(text)?.[1];
    const bytes = Number.parseInt(size ?? "", 16);
    if (!Number.isSafeInteger(bytes)) throw new BodyError(NO_SIZE);
    this.#overhead = Math.max(0, this.#overhead + text.length - SMALL_CHUNK_LINE_BYTES - bytes);
    if (this.#overhead > CHUNK_OVERHEAD_BYTES_MAX) throw new BodyError("there is more framing than body");
    this.#left = bytes;
    this.#state = bytes === 0 ? "trailer" : "data";
  }
}

/** @throws BodyError when it is not a field, or not allowed in a trailer */
function checkTrailer(line: string): void {
  try {
    const [field] = parseFields(line).lines;
    if (field === undefined || !NOT_IN_TRAILER.includes(field.key)) return;
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause;
  }
  throw new BodyError("a field of the trailer is malformed");
}
