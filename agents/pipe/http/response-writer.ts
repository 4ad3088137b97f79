import { type Chunk, type Fields, LAST_CHUNK, serializeResponseHead } from "../../http1/response.ts";
import type { WriteBuffer } from "../../http1/transport.ts";

/** How a client knows an answer's end: it came in one piece, by its length, by the chunked coding, or by the connection's end. */
export type ResponseFraming = "none" | "length" | "chunked" | "close";

const CRLF = Buffer.from("\r\n");

/** An answer's bytes, in the framing that it began with. */
export class ResponseWriter {
  hasStarted = false;
  hasEnded = false;
  readonly #writeBuffer: WriteBuffer;
  #framing: ResponseFraming = "none";
  #asking = false;

  constructor(writeBuffer: WriteBuffer) {
    this.#writeBuffer = writeBuffer;
  }

  start(status: number, fields: Fields, framing: ResponseFraming): void {
    this.hasStarted = true;
    this.#framing = framing;
    this.#writeBuffer.write(serializeResponseHead(status, fields));
  }

  /** Returns whether more may be written now. */
  write(chunk: Chunk): boolean {
    if (this.#framing !== "chunked") return this.#writeBuffer.write(chunk.data);
    if (this.#asking) return this.#writeAfterAsking(chunk.data);
    let more = true;
    for (const piece of chunk.framed) more = this.#writeBuffer.write(piece);
    return more;
  }

  end(): void {
    // A chunk was begun that has a byte: its answer is not whole without one.
    if (this.#asking) throw new Error("an answer ends within a chunk");
    this.hasEnded = true;
    if (this.#framing === "chunked") this.#writeBuffer.write(LAST_CHUNK);
  }

  /**
   * Asks whether the client is still there, by one byte that means nothing: it is part of an extension of the next chunk, which is
   * begun with a size of 1. A client that is gone answers with a reset, however much of its body stands unread before its end.
   */
  ask(): void {
    if (this.#framing !== "chunked" || this.hasEnded) return;
    this.#writeBuffer.write(Buffer.from(this.#asking ? "." : "1;wait=."));
    this.#asking = true;
  }

  #writeAfterAsking(data: Uint8Array): boolean {
    this.#asking = false;
    const [first, rest] = [data.subarray(0, 1), data.subarray(1)];
    const more = this.#writeBuffer.write(Buffer.concat([CRLF, first, CRLF]));
    if (rest.length === 0) return more;
    return this.#writeBuffer.write(
      Buffer.concat([Buffer.from(`${rest.length.toString(16)}\r\n`), rest, CRLF]),
    );
  }
}
