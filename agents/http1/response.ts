import { STATUS_CODES } from "node:http";
import { NO_BYTES } from "./body.ts";
import { COPIED_CHUNK_BYTES_MAX } from "./limits.ts";

export type Fields = Readonly<Record<string, string>>;

export const CONTINUE: Buffer = Buffer.from("HTTP/1.1 100 Continue\r\n\r\n");
export const LAST_CHUNK: Buffer = Buffer.from("0\r\n\r\n");
const CRLF = Buffer.from("\r\n");

/** Encoded as Latin-1, like the fields of requests, so that a sender's bytes reach the receivers unchanged. */
export function serializeResponseHead(status: number, fields: Fields): Buffer {
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\nDate: ${httpDate()}\r\n`;
  for (const name in fields) text += `${name}: ${fields[name]}\r\n`;
  return Buffer.from(`${text}\r\n`, "latin1");
}

/** Encodes a header as Latin-1, with the bytes that follow it in the same piece. */
export function encodeHead(text: string, following: Uint8Array = NO_BYTES): Buffer {
  const bytes = Buffer.allocUnsafe(text.length + following.length);
  bytes.write(text, "latin1");
  bytes.set(following, text.length);
  return bytes;
}

let dated = { second: 0, text: "" };

/** The present time in the format of header fields. */
export function httpDate(): string {
  const second = Math.floor(Date.now() / 1_000);
  if (second !== dated.second) dated = { second, text: new Date(second * 1_000).toUTCString() };
  return dated.text;
}

/** One piece of a body for many receivers: it is framed once and shared by all. */
export class Chunk {
  #framed: readonly Uint8Array[] | undefined;

  constructor(readonly data: Uint8Array) {}

  /** The piece in the chunked coding. */
  get framed(): readonly Uint8Array[] {
    this.#framed ??= frame(this.data);
    return this.#framed;
  }
}

function frame(data: Uint8Array): Uint8Array[] {
  const size = Buffer.from(`${data.length.toString(16)}\r\n`, "latin1");
  return data.length <= COPIED_CHUNK_BYTES_MAX ? [Buffer.concat([size, data, CRLF])] : [size, data, CRLF];
}
