import type { Socket } from "bun";
import { until } from "../../harness/until.ts";

/** An HTTP response as far as it came. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
  /** Its framing says that this is all: the last chunk, the whole length, or an orderly end of the connection. */
  readonly isWhole: boolean;
  /** How many bytes of the connection it took. */
  readonly bytes: number;
}

const encoded = (text: string | Uint8Array): Buffer =>
  typeof text === "string" ? Buffer.from(text, "latin1") : Buffer.from(text);

/** A client of which each byte, and each end, is in the hands of the test. */
export class RawClient {
  #socket: Socket | undefined;
  readonly #unsent: Buffer[] = [];
  #pieces: Buffer[] = [];
  receivedBytes = 0;
  /** The server has ended its side in good order. */
  ended = false;
  /** The connection broke. */
  broken = false;

  static async connect(port: number, hostname = "127.0.0.1"): Promise<RawClient> {
    const client = new RawClient();
    client.#socket = await Bun.connect({
      hostname,
      port,
      allowHalfOpen: true,
      socket: {
        data: (_, bytes) => {
          client.#pieces.push(bytes);
          client.receivedBytes += bytes.length;
        },
        drain: () => client.#write(),
        end: () => {
          client.ended = true;
        },
        close: (_, error) => {
          if (error !== undefined && error !== null) client.broken = true;
          else if (!client.broken) client.ended = true;
        },
        error: () => {
          client.broken = true;
        },
      },
    });
    return client;
  }

  send(...parts: readonly (string | Uint8Array)[]): this {
    // In one piece, as far as it is one send: some tests look at what arrives together.
    this.#unsent.push(Buffer.concat(parts.map(encoded)));
    this.#write();
    return this;
  }

  get unsentBytes(): number {
    return this.#unsent.reduce((sum, { length }) => sum + length, 0);
  }

  get received(): Buffer {
    if (this.#pieces.length > 1) this.#pieces = [Buffer.concat(this.#pieces)];
    return this.#pieces[0] ?? Buffer.alloc(0);
  }

  get text(): string {
    return this.received.toString("latin1");
  }

  /** Ends the own side, and goes on to listen. */
  endOwnSide(): void {
    this.#socket?.shutdown();
  }

  /** As a program does that ends: what it sent still arrives, but nobody is there any more. */
  close(): void {
    this.#socket?.close();
  }

  /** Breaks the connection. */
  reset(): void {
    this.#socket?.terminate();
  }

  pause(): void {
    this.#socket?.pause();
  }

  resume(): void {
    this.#socket?.resume();
  }

  /** Waits until text has come. */
  async sees(text: string): Promise<this> {
    await until(() => this.text.includes(text)).catch((cause) => {
      throw new Error(`"${text}" did not come, only: ${this.text.slice(0, 2_000)}`, { cause });
    });
    return this;
  }

  /** Waits until the connection is over, in one way or the other. */
  async over(): Promise<"ended" | "broken"> {
    await until(() => this.ended || this.broken);
    return this.broken ? "broken" : "ended";
  }

  /** Waits for a whole response, or what there is of it when the connection is over. */
  async response(): Promise<RawResponse> {
    await until(() => this.ended || this.broken || parseResponse(this.received, false)?.isWhole);
    const response = parseResponse(this.received, this.ended && !this.broken);
    if (response === undefined) throw new Error(`no response came, only: "${this.text}"`);
    return response;
  }

  /** Forgets a response, so that the next one on the connection can be looked at. */
  async next(): Promise<RawResponse> {
    const response = await this.response();
    this.#pieces = [this.received.subarray(response.bytes)];
    return response;
  }

  #write(): void {
    for (let first = this.#unsent[0]; first !== undefined; first = this.#unsent[0]) {
      const taken = Math.max(0, this.#socket?.write(first) ?? 0);
      if (taken < first.length) {
        this.#unsent[0] = first.subarray(taken);
        return;
      }
      this.#unsent.shift();
    }
  }
}

/** The first response in the bytes that is none of the interim ones; undefined before its header is there. */
export function parseResponse(bytes: Buffer, orderlyEnd: boolean): RawResponse | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const [statusLine = "", ...lines] = bytes.toString("latin1", 0, end).split("\r\n");
  const status = Number(statusLine.split(" ")[1]);
  if (status < 200) {
    const later = parseResponse(bytes.subarray(end + 4), orderlyEnd);
    return later === undefined ? undefined : { ...later, bytes: later.bytes + end + 4 };
  }
  const headers = new Headers();
  for (const line of lines) {
    headers.append(line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim());
  }
  const rest = bytes.subarray(end + 4);
  const length = headers.get("content-length");
  if (status === 204) return { status, headers, body: rest.subarray(0, 0), isWhole: true, bytes: end + 4 };
  if (headers.get("transfer-encoding") === "chunked") {
    const { body, isWhole, bytes: taken } = parseChunks(rest);
    return { status, headers, body, isWhole, bytes: end + 4 + taken };
  }
  if (length !== null) {
    const body = rest.subarray(0, Number(length));
    return { status, headers, body, isWhole: body.length === Number(length), bytes: end + 4 + body.length };
  }
  return { status, headers, body: rest, isWhole: orderlyEnd, bytes: bytes.length };
}

function parseChunks(bytes: Buffer): { body: Buffer; isWhole: boolean; bytes: number } {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = bytes.indexOf("\r\n", at);
    if (lineEnd === -1) return { body: Buffer.concat(parts), isWhole: false, bytes: at };
    const size = Number.parseInt(bytes.toString("latin1", at, lineEnd), 16);
    if (size === 0) {
      const isWhole = bytes.toString("latin1", lineEnd, lineEnd + 4) === "\r\n\r\n";
      return { body: Buffer.concat(parts), isWhole, bytes: lineEnd + 4 };
    }
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
    if (at > bytes.length) return { body: Buffer.concat(parts), isWhole: false, bytes: at };
  }
}
