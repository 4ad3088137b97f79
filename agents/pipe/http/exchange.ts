import { BodyError, decoderFor } from "../../http1/body.ts";
import type { RequestHead } from "../../http1/head.ts";
import { type Chunk, CONTINUE, type Fields } from "../../http1/response.ts";
import { type Transport, WriteBuffer } from "../../http1/transport.ts";
import { DROPPED_BODY_BYTES_MAX, DROPPED_BODY_MS_MAX, type Limits, PIPELINED_BYTES_MAX } from "../limits.ts";
import { type ResponseFraming, ResponseWriter } from "./response-writer.ts";

/** Who reads a request's body. After `end` or `fail` nothing more comes. */
export interface BodyReader {
  /** @param isLast whether `end` follows at once */
  data(bytes: Buffer, isLast: boolean): void;
  end(): void;
  /** The body broke off: it is not whole and never will be. */
  fail(reason: string): void;
}

/** What an exchange tells whoever answers it. */
export interface ExchangeEvents {
  /** The client is gone; nothing can be written any more. */
  left?(): void;
  /** The client has ended its side: it is gone, or it only listens from now on. */
  halfClosed?(): void;
  /** All that was written has left; more may be. */
  drained?(): void;
  /** The whole answer has left. */
  finished?(): void;
  /** Comes round with the service's sweep. */
  swept?(now: number): void;
}

const DROP: BodyReader = { data() {}, end() {}, fail() {} };

/** One request on a connection, and its answer. */
export class Exchange {
  events: ExchangeEvents = {};
  /** Whether the connection can carry another request after this one. */
  reusable: boolean;
  readonly #transport: Transport;
  readonly #settled: () => void;
  readonly #writeBuffer: WriteBuffer;
  readonly #response: ResponseWriter;
  readonly #decoder;
  readonly #lineMs: number;
  /** The line of the body's framing that is not whole, and since when it would have been read. */
  #openLine = 0;
  #openLineAt = 0;
  #reader: BodyReader | undefined;
  #readerPaused = false;
  #transportPaused = false;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #served = false;
  #over = false;

  /** @param settled is called once when the request is read and the answer has left, or when no more will be read of it */
  constructor(
    readonly request: RequestHead,
    readonly address: string,
    transport: Transport,
    limits: Limits,
    settled: () => void,
  ) {
    this.#transport = transport;
    this.#lineMs = limits.lineMs;
    this.#settled = settled;
    this.#decoder = decoderFor(request.framing);
    this.reusable = request.keepsAlive;
    this.#writeBuffer = new WriteBuffer(transport, () => this.#drained());
    this.#response = new ResponseWriter(this.#writeBuffer);
  }

  get bodyIsRead(): boolean {
    return this.#decoder.done;
  }

  get hasStarted(): boolean {
    return this.#response.hasStarted;
  }

  /** Answered, or the client is gone. */
  get isOver(): boolean {
    return this.#over;
  }

  get hasEnded(): boolean {
    return this.#response.hasEnded;
  }

  /** What came after the request: the begin of the next one. */
  takeRest(): Buffer {
    const rest = Buffer.concat(this.#held);
    this.#held = [];
    return rest;
  }

  // -- the request's body

  /** Begins to read the body. What came so far is handed over at once. */
  readBody(reader: BodyReader): void {
    this.#reader = reader;
    if (this.bodyIsRead) reader.end();
    this.#flow();
  }

  pauseBody(): void {
    this.#readerPaused = true;
    this.#flow();
  }

  resumeBody(): void {
    this.#readerPaused = false;
    this.#flow();
  }

  received(bytes: Buffer): void {
    if (this.#over) return;
    if (this.bodyIsRead || this.#reader === undefined || this.#readerPaused || this.#heldBytes > 0) {
      this.#hold(bytes);
      if (this.#served) this.#flow();
    } else {
      this.#decode(bytes);
    }
  }

  /** Whoever answers has looked at the request: what is not read by now waits in the socket. */
  served(): void {
    this.#served = true;
    if (!this.#over) this.#flow();
  }

  /** The client's side has ended. */
  receivedEnd(): void {
    this.reusable = false;
    if (this.#over) return;
    if (this.bodyIsRead) this.events.halfClosed?.();
    else this.#failBody("the sender ended before its body did");
  }

  #decode(bytes: Buffer): void {
    try {
      const { data, rest } = this.#decoder.push(bytes);
      if (rest.length > 0) this.#hold(rest);
      if (data.length > 0) this.#reader?.data(data, this.bodyIsRead);
    } catch (error) {
      if (!(error instanceof BodyError)) throw error;
      this.#failBody(error.message);
      return;
    }
    if (!this.bodyIsRead || this.#over) return;
    this.#reader?.end();
    this.#flow();
    this.#settle();
  }

  /** Comes round with the service's sweep. */
  swept(now: number): void {
    const { openLine } = this.#decoder;
    if (openLine !== this.#openLine || this.#transportPaused) {
      this.#openLine = openLine;
      this.#openLineAt = now;
    } else if (openLine !== 0 && now - this.#openLineAt > this.#lineMs) {
      this.#failBody("a line of the chunked coding did not end in time");
    }
    this.events.swept?.(now);
  }

  #failBody(reason: string): void {
    const reader = this.#reader;
    this.#reader = DROP;
    this.reusable = false;
    reader?.fail(reason);
  }

  #hold(bytes: Buffer): void {
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    if (this.bodyIsRead && this.#heldBytes > PIPELINED_BYTES_MAX) this.abort();
  }

  /** Reads from the socket exactly while somebody takes what comes. */
  #flow(): void {
    while (this.#heldBytes > 0 && this.#reader !== undefined && !this.#readerPaused && !this.bodyIsRead) {
      const bytes = this.#held.shift();
      if (bytes === undefined) break;
      this.#heldBytes -= bytes.length;
      this.#decode(bytes);
    }
    const pause = !this.bodyIsRead && (this.#reader === undefined || this.#readerPaused) && !this.#over;
    if (pause === this.#transportPaused) return;
    this.#transportPaused = pause;
    if (pause) this.#transport.pause();
    else this.#transport.resume();
  }

  // -- the answer

  /** Answers in one piece. */
  respond(status: number, fields: Fields, body: string | Uint8Array = ""): void {
    const bytes = typeof body === "string" ? Buffer.from(body) : body;
    this.#discardBody();
    const length: Fields = status === 204 ? {} : { "Content-Length": String(bytes.length) };
    this.#start(status, { ...fields, ...length }, "none");
    if (this.request.method !== "HEAD") this.#writeBuffer.write(bytes);
    this.end();
  }

  /** Begins an answer of `length` bytes, or one whose length is not known yet. */
  start(status: number, fields: Fields, length?: string): void {
    if (length !== undefined) this.#start(status, { ...fields, "Content-Length": length }, "length");
    else if (this.request.minor === 1)
      this.#start(status, { ...fields, "Transfer-Encoding": "chunked" }, "chunked");
    else {
      this.reusable = false;
      this.#start(status, fields, "close");
    }
  }

  #start(status: number, fields: Fields, framing: ResponseFraming): void {
    const awaited = this.request.expectsContinue && !this.bodyIsRead && status < 300;
    if (awaited) this.#writeBuffer.write(CONTINUE);
    this.#response.start(status, this.reusable ? fields : { ...fields, Connection: "close" }, framing);
  }

  /** Returns whether more may be written now; if not, `drained` comes. */
  write(chunk: Chunk): boolean {
    return this.#over || this.#response.write(chunk);
  }

  get unsentBytes(): number {
    return this.#writeBuffer.waitingBytes;
  }

  end(): void {
    if (this.hasEnded || this.#over) return;
    this.#response.end();
    if (this.#writeBuffer.isEmpty) this.#finished();
  }

  /** The client sees a broken connection: what it got so far is not all. */
  abort(): void {
    if (this.#over) return;
    this.#transport.terminate();
  }

  /** Asks whether the client is still there: one that is gone answers with a reset. See `Answer.ask`. */
  ask(): void {
    if (!this.#over) this.#response.ask();
  }

  get canAsk(): boolean {
    return this.request.minor === 1;
  }

  /** A small body of a refused request is read and dropped; with a large one the connection ends. */
  #discardBody(): void {
    if (this.#reader !== undefined || this.bodyIsRead) return;
    const { framing, expectsContinue } = this.request;
    const small = framing.kind === "length" && framing.bytes <= DROPPED_BODY_BYTES_MAX && !expectsContinue;
    if (!small) this.reusable = false;
    this.#reader = DROP;
    this.#flow();
  }

  // -- the connection

  drained(): void {
    this.#writeBuffer.drained();
  }

  closed(): void {
    if (this.#over) return;
    this.#over = true;
    this.events.left?.();
  }

  #drained(): void {
    if (this.#over) return;
    if (this.hasEnded) this.#finished();
    else this.events.drained?.();
  }

  #finished(): void {
    this.events.finished?.();
    const limit = performance.now() + DROPPED_BODY_MS_MAX;
    this.events = {
      swept: (now) => {
        if (now > limit) this.#abandonBody();
      },
    };
    this.#settle();
  }

  #abandonBody(): void {
    this.reusable = false;
    this.#settle();
  }

  #settle(): void {
    if (this.#over || !this.hasEnded || !this.#writeBuffer.isEmpty) return;
    if (!this.bodyIsRead && this.reusable) return;
    this.#over = true;
    if (this.#transportPaused) {
      this.#transportPaused = false;
      this.#transport.resume();
    }
    this.#settled();
  }
}
