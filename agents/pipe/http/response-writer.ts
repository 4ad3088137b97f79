import { type Chunk, type Fields, LAST_CHUNK, serializeResponseHead } from "../../http1/response.ts";
import type { WriteBuffer } from "../../http1/transport.ts";

/** How the end of a response is determined: one piece, a length, the chunked coding, or the end of the connection. */
export type ResponseFraming = "none" | "length" | "chunked" | "close";

const CRLF = Buffer.from("\r\n");

/** Writes the bytes of a response, in its framing. */
export class ResponseWriter {
  hasStarted = false;
  hasEnded = false;
  readonly #writeBuffer: WriteBuffer;
  #framing: ResponseFraming = "none";
  #isProbing = false;

  constructor(writeBuffer: WriteBuffer) {
    this.#writeBuffer = writeBuffer;
  }

  start(status: number, fields: Fields, framing: ResponseFraming): void {
    this.hasStarted = true;
    this.#framing = framing;
    this.#writeBuffer.write(serializeResponseHead(status, fields));
  }

  /** Writes a chunk. Returns whether more may be written now. */
  write(chunk: Chunk): boolean {
    if (this.#framing !== "chunked") return this.#writeBuffer.write(chunk.data);
    if (this.#isProbing) return this.#writeAfterAsking(chunk.data);
    let more = true;
    for (const piece of chunk.framed) more = this.#writeBuffer.write(piece);
    return more;
  }

  end(): void {
    // A probe has begun a chunk of one byte, which the response must still send.
    if (this.#isProbing) throw new Error("a response ends within a chunk");
    this.hasEnded = true;
    if (this.#framing === "chunked") this.#writeBuffer.write(LAST_CHUNK);
  }

  /**
   * Probes whether the client is still connected, by a byte without meaning: a part of an extension of the next
   * chunk, which begins with a size of 1. A client that is gone responds with a reset, even if much of its body is
   * unread.
   */
  probe(): void {
    if (this.#framing !== "chunked" || this.hasEnded) return;
    this.#writeBuffer.write(Buffer.from(this.#isProbing ? "." : "1;wait=."));
    this.#isProbing = true;
  }

  #writeAfterAsking(data: Uint8Array): boolean {
    this.#isProbing = false;
    const [first, rest] = [data.subarray(0, 1), data.subarray(1)];
    const more = this.#writeBuffer.write(Buffer.concat([CRLF, first, CRLF]));
    if (rest.length === 0) return more;
    return this.#writeBuffer.write(
      Buffer.concat([Buffer.from(`${rest.length.toString(16)}\r\n`), rest, CRLF]),
    );
  }
}
