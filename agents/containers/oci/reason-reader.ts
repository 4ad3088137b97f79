import type { ByteReader } from "../../exec/byte-reader.ts";

/** What programs say when they fail is a line or two; more of it is not kept. */
const CHARS_MAX = 16 * 1024;
const REASON_CHARS_MAX = 300;
/** A program that has failed has said why before it ended. */
const END_MS_MAX = 500;

/** The message in a line of a log, as runc writes it: `time="…" level=error msg="…"`. Other text as it is. */
export function plainReason(text: string): string {
  const [, quoted] = /\bmsg=("(?:[^"\\]|\\.)*")/.exec(text) ?? [];
  if (quoted === undefined) return text;
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}

/** Reads what programs write to stderr, so that it can be told why they failed. */
export class ReasonReader {
  readonly #reader: ByteReader;
  readonly #ended: Promise<void>;
  #text = "";

  constructor(stream: ReadableStream<Uint8Array>) {
    this.#reader = stream.getReader();
    this.#ended = this.#read();
  }

  /** The last line. */
  async last(): Promise<string> {
    await Promise.race([this.#ended, Bun.sleep(END_MS_MAX)]);
    return plainReason(this.#text.trim().split("\n").at(-1) ?? "").slice(0, REASON_CHARS_MAX);
  }

  /** Reads no further. */
  close(): void {
    this.#reader.cancel().catch(() => undefined);
  }

  async #read(): Promise<void> {
    for (;;) {
      const { value } = await this.#reader.read();
      if (value === undefined) return;
      this.#text = (this.#text + Buffer.from(value).toString()).slice(-CHARS_MAX);
    }
  }
}
