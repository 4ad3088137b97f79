import { sizeText } from "../../system/size-text.ts";
import type { ByteReader } from "./byte-reader.ts";

/** A program wrote more than its few lines. */
export class TooMuchOutput extends Error {
  override readonly name = "TooMuchOutput";
}

/** Lines of what a program writes, which is a few bytes in all. */
export class LineReader {
  readonly #reader: ByteReader;
  #text = "";
  #bytes = 0;

  constructor(
    stream: ReadableStream<Uint8Array>,
    private readonly bytesMax: number,
  ) {
    this.#reader = stream.getReader();
  }

  /**
   * The next line, without its end; null when the program has written all.
   *
   * @throws TooMuchOutput
   */
  async next(): Promise<string | null> {
    for (;;) {
      const end = this.#text.indexOf("\n");
      if (end !== -1) {
        const line = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 1);
        return line;
      }
      const { value } = await this.#reader.read();
      if (value === undefined) return null;
      this.#bytes += value.length;
      if (this.#bytes > this.bytesMax) throw new TooMuchOutput(`more than ${sizeText(this.bytesMax)}`);
      this.#text += Buffer.from(value).toString("latin1");
    }
  }

  /** Reads no further; who waits for a line gets null. */
  close(): void {
    this.#reader.cancel().catch(() => undefined);
  }
}
