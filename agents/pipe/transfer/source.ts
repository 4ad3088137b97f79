import { BodyError } from "../../http1/body.ts";
import { type Announcement, customHeaders } from "../headers/forwarded.ts";
import type { BodyReader, Exchange } from "../http/exchange.ts";
import { HELD_BYTES_MAX } from "../limits.ts";
import { boundaryOf, MultipartParser, type PartReader, TEXT_FORM } from "../multipart.ts";
import type { PeerLimiter } from "../peer-limiter.ts";

/** The destination of a sender's bytes. No calls follow `end` or `fail`. */
export interface Sink {
  /** Called once, before everything else. */
  announced(announcement: Announcement): void;
  data(bytes: Buffer): void;
  end(): void;
  fail(reason: string): void;
}

/**
 * A sender's body, or the first file of a multipart body. Before the transfer begins, a bounded part of it is
 * buffered and the rest is not read.
 */
export class Source implements BodyReader {
  readonly #boundary: string | undefined;
  #parser: MultipartParser | undefined;
  /**
   * The calls to the sink for a piece. They are made when the whole piece is valid, so that a failure can still
   * precede the first byte.
   */
  #parsed: (() => void)[] = [];
  #sink: Sink | undefined;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #ended = false;
  #paused = false;
  #lastDataAt = 0;

  /** @throws Refusal 400 when it is multipart without a boundary */
  constructor(
    private readonly exchange: Exchange,
    private readonly peers: PeerLimiter,
    private readonly broken: (reason: string) => void,
  ) {
    this.#boundary = boundaryOf(exchange.request.headers.get("content-type"));
  }

  /** Whether the whole body was received. */
  get isWhole(): boolean {
    return this.#ended;
  }

  /** The total number of bytes; undefined if the sender does not state it. */
  get total(): number | undefined {
    const length = this.exchange.request.headers.get("content-length");
    return length === undefined || this.#boundary !== undefined ? undefined : Number(length);
  }

  /** Whether reading is paused. Then the end of the body cannot be noticed. */
  get isPaused(): boolean {
    return this.#paused;
  }

  /** Begins to read. */
  read(): void {
    this.exchange.readBody(this);
  }

  /** Begins to pass the body to the sink: buffered bytes at once, the rest as it arrives. */
  open(sink: Sink): void {
    this.#sink = sink;
    this.#lastDataAt = performance.now();
    if (this.#boundary === undefined) sink.announced(this.#announcement());
    else {
      const isTextForm = this.exchange.request.query.get(TEXT_FORM.name) === TEXT_FORM.value;
      const reader: PartReader = {
        part: ({ contentType, disposition }) => {
          const announcement = { ...this.#announcement(), contentType, disposition, length: undefined };
          this.#parsed.push(() => sink.announced(announcement));
        },
        data: (bytes) => this.#parsed.push(() => sink.data(bytes)),
      };
      this.#parser = new MultipartParser(this.#boundary, reader, isTextForm);
    }
    const held = this.#held.length === 1 ? this.#held[0] : Buffer.concat(this.#held);
    this.#releaseHeld();
    this.#paused = false;
    if (held !== undefined && held.length > 0) this.#deliver(held, this.#ended);
    if (this.#ended) this.#end();
    if (!this.#paused) this.exchange.resumeBody();
  }

  pause(): void {
    this.#paused = true;
    this.exchange.pauseBody();
  }

  resume(): void {
    this.#paused = false;
    this.#lastDataAt = performance.now();
    this.exchange.resumeBody();
  }

  /** Discards the rest of the body. */
  drop(): void {
    this.#releaseHeld();
    this.#sink = { announced() {}, data() {}, end() {}, fail() {} };
    this.#parser = undefined;
  }

  /** How long nothing has arrived, although it would have been accepted. */
  idleMs(now: number): number {
    return this.#paused || this.#ended ? 0 : now - this.#lastDataAt;
  }

  data(bytes: Buffer, isLast: boolean): void {
    if (this.#sink !== undefined) {
      this.#lastDataAt = performance.now();
      this.#deliver(bytes, isLast);
      return;
    }
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    if (!this.peers.hold(bytes.length)) this.broken("too much is held for waiting senders");
    else if (this.#heldBytes >= HELD_BYTES_MAX) this.pause();
  }

  end(): void {
    this.#ended = true;
    if (this.#sink !== undefined) this.#end();
  }

  fail(reason: string): void {
    this.#ended = true;
    if (this.#sink !== undefined) this.#sink.fail(reason);
    else this.broken(reason);
  }

  #deliver(bytes: Buffer, isLast: boolean): void {
    if (this.#parser === undefined) this.#sink?.data(bytes);
    else {
      this.#parse((parser) => {
        parser.push(bytes);
        if (isLast) parser.end();
      });
    }
  }

  #end(): void {
    if (this.#parser === undefined || this.#parse((parser) => parser.end())) this.#sink?.end();
  }

  #parse(step: (parser: MultipartParser) => void): boolean {
    const { parser, sink } = { parser: this.#parser, sink: this.#sink };
    if (parser === undefined) return false;
    try {
      step(parser);
    } catch (error) {
      if (!(error instanceof BodyError)) throw error;
      this.#parsed = [];
      sink?.fail(error.message);
      return false;
    }
    const parsed = this.#parsed;
    this.#parsed = [];
    for (const tell of parsed) tell();
    return true;
  }

  #announcement(): Announcement {
    const { headers } = this.exchange.request;
    return {
      contentType: headers.get("content-type"),
      disposition: headers.get("content-disposition"),
      length: headers.get("content-length"),
      custom: customHeaders(headers),
    };
  }

  #releaseHeld(): void {
    this.peers.hold(-this.#heldBytes);
    this.#held = [];
    this.#heldBytes = 0;
  }
}
