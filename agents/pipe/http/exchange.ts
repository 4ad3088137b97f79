import { BodyError, decoderFor } from "../../http1/body.ts";
import type { RequestHead } from "../../http1/head.ts";
import { type Chunk, CONTINUE, type Fields } from "../../http1/response.ts";
import { type Transport, WriteBuffer } from "../../http1/transport.ts";
import { DROPPED_BODY_BYTES_MAX, DROPPED_BODY_MS_MAX, type Limits, PIPELINED_BYTES_MAX } from "../limits.ts";
import { type ResponseFraming, ResponseWriter } from "./response-writer.ts";

/** The reader of a request's body. No calls follow `end` or `fail`. */
export interface BodyReader {
  /** @param isLast whether `end` follows at once */
  data(bytes: Buffer, isLast: boolean): void;
  end(): void;
  /** The body broke off and stays incomplete. */
  fail(reason: string): void;
}

/** The events of an exchange, for its handler. */
export interface ExchangeEvents {
  /** The client is gone. */
  left?(): void;
  /** The client has half-closed the connection: it is gone, or it only listens from now on. */
  halfClosed?(): void;
  /** Everything written is sent; more may be written. */
  drained?(): void;
  /** The whole response is sent. */
  finished?(): void;
  /** Called at each sweep of the service. */
  swept?(now: number): void;
}

const DROP: BodyReader = { data() {}, end() {}, fail() {} };

/** One request on a connection, and its response. */
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
  /** The incomplete line of the body's framing, and the time since which it could have been read. */
  #openLine = 0;
  #openLineAt = 0;
  #reader: BodyReader | undefined;
  #readerPaused = false;
  #transportPaused = false;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #served = false;
  #over = false;

  /**
   * @param settled called once, when the request is read and the response is sent, or when no more of the request
   * will be read
   */
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

  /** Whether the response is sent, or the client is gone. */
  get isOver(): boolean {
    return this.#over;
  }

  get hasEnded(): boolean {
    return this.#response.hasEnded;
  }

  /** Takes the bytes after the request, which begin the next one. */
  takeRest(): Buffer {
    const rest = Buffer.concat(this.#held);
    this.#held = [];
    return rest;
  }

  // -- the request's body

  /** Begins to read the body. Bytes that have arrived are passed on at once. */
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

  /** The handler has returned: unread parts of the body wait in the socket. */
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

  /** Called at each sweep of the service. */
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

  /** Reads from the socket only while a reader accepts bytes. */
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

  // -- the response

  /** Sends a response in one piece. */
  respond(status: number, fields: Fields, body: string | Uint8Array = ""): void {
    const bytes = typeof body === "string" ? Buffer.from(body) : body;
    this.#discardBody();
    const length: Fields = status === 204 ? {} : { "Content-Length": String(bytes.length) };
    this.#start(status, { ...fields, ...length }, "none");
    if (this.request.method !== "HEAD") this.#writeBuffer.write(bytes);
    this.end();
  }

  /** Begins a response of `length` bytes, or one of unknown length. */
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

  /** Writes a chunk. Returns whether more may be written now; if not, `drained` follows. */
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

  /** Resets the connection, so that the client sees that the response is incomplete. */
  abort(): void {
    if (this.#over) return;
    this.#transport.terminate();
  }

  /** Probes whether the client is still connected. See `ResponseWriter.probe`. */
  probe(): void {
    if (!this.#over) this.#response.probe();
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
