import { BodyError } from "../../http1/body.ts";
import { type Announcement, customHeaders } from "../headers/forwarded.ts";
import type { BodyReader, Exchange } from "../http/exchange.ts";
import { HELD_BYTES_MAX } from "../limits.ts";
import { boundaryOf, MultipartParser, type PartReader, TEXT_FORM } from "../multipart.ts";
import type { PeerLimiter } from "../peer-limiter.ts";

/** Where a sender's bytes go. After `end` or `fail` nothing more comes. */
export interface Sink {
  /** Comes once, before all else. */
  announced(announcement: Announcement): void;
  data(bytes: Buffer): void;
  end(): void;
  fail(reason: string): void;
}

/** A sender's body: of a multipart one its first file. While nobody takes it, a bounded part of it is held and the rest not read. */
export class Source implements BodyReader {
  readonly #boundary: string | undefined;
  #parser: MultipartParser | undefined;
  /** What a piece had for the sink: told when all of the piece has proved good, so that a failure may still come before the first byte. */
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

  /** All of it was received. */
  get isWhole(): boolean {
    return this.#ended;
  }

  /** How many bytes it will hand over; undefined when the sender does not tell. */
  get total(): number | undefined {
    const length = this.exchange.request.headers.get("content-length");
    return length === undefined || this.#boundary !== undefined ? undefined : Number(length);
  }

  /** It waits in the client or on the way, where nothing can be told of how it ends. */
  get isPaused(): boolean {
    return this.#paused;
  }

  /** Begins to read. */
  read(): void {
    this.exchange.readBody(this);
  }

  /** Begins to hand it over: what is held at once, the rest as it comes. */
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

  /** Nobody wants it any more. */
  drop(): void {
    this.#releaseHeld();
    this.#sink = { announced() {}, data() {}, end() {}, fail() {} };
    this.#parser = undefined;
  }

  /** How long nothing has come, although it would have been taken. */
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
