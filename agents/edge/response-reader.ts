import { NO_BYTES } from "../http1/body.ts";
import { HEAD_END, hasBareLineFeed } from "../http1/head.ts";
import { Refusal } from "../http1/refusal.ts";
import { RESPONSE_HEAD_BYTES_MAX } from "./limits.ts";
import { noHttp, parseResponseHead, type ResponseHead } from "./response-head.ts";

/** The form in which every response begins, with any status. */
const BEGIN = "HTTP/1.1 200";
const BEGINS = /^HTTP\/1\.[01] [1-9]\d\d/;

/** Reads response headers from the bytes of a target. Bytes that cannot be a header are refused at once: the end may never come. */
export class ResponseReader {
  /** The time at which the present, incomplete header began. */
  begunAt: number | undefined;
  #bytes: Buffer = NO_BYTES;
  #searched = 0;

  get isEmpty(): boolean {
    return this.#bytes.length === 0;
  }

  /** @param now by `performance.now()` */
  push(bytes: Buffer, now: number): void {
    this.begunAt ??= now;
    this.#bytes = this.isEmpty ? bytes : Buffer.concat([this.#bytes, bytes]);
  }

  /**
   * The next header; undefined while it is incomplete.
   * @param method the request's method
   * @throws Refusal 502
   */
  next(method: string): ResponseHead | undefined {
    const bytes = this.#bytes;
    const end = bytes.indexOf(HEAD_END, Math.max(0, this.#searched - 3));
    if ((end === -1 ? bytes.length : end) > RESPONSE_HEAD_BYTES_MAX) {
      throw new Refusal(502, "The header of the answer from the container is too large.");
    }
    if (end === -1) {
      if (this.#searched < BEGIN.length && !mayBegin(bytes)) throw noHttp();
      if (hasBareLineFeed(bytes, this.#searched)) throw noHttp();
      this.#searched = bytes.length;
      return undefined;
    }
    const head = parseResponseHead(bytes.toString("latin1", 0, end), method);
    const next = end + HEAD_END.length;
    this.#bytes = next === bytes.length ? NO_BYTES : bytes.subarray(next);
    this.#searched = 0;
    this.begunAt = this.isEmpty ? undefined : performance.now();
    return head;
  }

  /** The bytes after the last header. */
  rest(): Buffer {
    const rest = this.#bytes;
    this.#bytes = NO_BYTES;
    return rest;
  }
}

/** Whether the bytes can be the beginning of a response. */
function mayBegin(bytes: Buffer): boolean {
  const begun = bytes.toString("latin1", 0, BEGIN.length);
  return BEGINS.test(begun + BEGIN.slice(begun.length));
}
