import { type BodyDecoder, BodyError, decoderFor, NO_BYTES } from "../http1/body.ts";
import type { RequestHead } from "../http1/head.ts";
import { Refusal } from "../http1/refusal.ts";
import { Chunk, LAST_CHUNK } from "../http1/response.ts";
import { rewriteResponseHead } from "./headers.ts";
import { HELD_BYTES_MAX, INTERIM_MAX, type Limits } from "./limits.ts";
import { noHttp, type ResponseHead } from "./response-head.ts";
import { ResponseReader } from "./response-reader.ts";
import { Tunnel, type TunnelEnd } from "./tunnel.ts";
import type { Endpoint, UpstreamConnection, UpstreamHandler, UpstreamPool } from "./upstream.ts";
import { opensWebSocket } from "./websocket.ts";

/** The client's side of a forwarding. */
export interface ForwardingClient extends TunnelEnd {
  /** Complete header lines that every response to this client gets. */
  readonly addedFields: string;
  /** Sends this refusal instead of a response of which nothing was sent yet, and ends the connection. */
  fail(refusal: Refusal): void;
  /** The whole response was written. `rest` holds the bytes after the request. */
  onSettled(reusable: boolean, rest: Buffer): void;
  /** Passes bytes through from here on. */
  switchToTunnel(tunnel: Tunnel): void;
  /** The forwarding is over, and so is the connection. */
  onClosed(): void;
}

export interface ForwardingOptions {
  readonly head: RequestHead;
  /** The requested host, normalised. */
  readonly host: string;
  /** The complete request header for the target. */
  readonly headBytes: Buffer;
  /** The key of the WebSocket that the client requests. */
  readonly webSocketKey: string | undefined;
  readonly endpoint: Endpoint;
  /** The container's id. */
  readonly owner: string;
}

/** The beginning of a response's body up to this size goes with its header in one piece. */
const JOINED_BYTES_MAX = 4 * 1024;
const NO_SERVICE = "This service of the host takes no connections now.";

type Decoded = ReturnType<BodyDecoder["push"]>;

/** Methods that may be sent again when a reused connection turns out to be closed. */
const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/** Forwards one request to a target, and the response back. */
export class Forwarding implements UpstreamHandler {
  /** The status of the response; 0 before there is one. */
  status = 0;
  /** The bytes of the response's body. */
  bytes = 0;
  #target: UpstreamConnection;
  readonly #decoder: BodyDecoder;
  /** Buffered bytes from the client: those before the target is connected, and those after the request's end. */
  #held: Buffer[] = [];
  #heldBytes = 0;
  #clientPaused = false;
  #clientEnded = false;
  readonly #answers = new ResponseReader();
  #interim = 0;
  #answer: ResponseHead | undefined;
  #answerDecoder: BodyDecoder | undefined;
  #chunked = false;
  #reusable: boolean;
  #activeAt: number;
  #isOver = false;

  constructor(
    private readonly client: ForwardingClient,
    private readonly options: ForwardingOptions,
    private readonly upstreams: UpstreamPool,
    private readonly limits: Limits,
  ) {
    this.#activeAt = performance.now();
    const { head, endpoint, owner, webSocketKey } = options;
    this.#decoder = decoderFor(head.framing);
    this.#reusable = head.keepsAlive && webSocketKey === undefined;
    const kept = this.#mayAskTwice ? upstreams.acquire(endpoint, owner) : undefined;
    this.#target = kept ?? upstreams.open(endpoint);
    this.#target.handler = this;
    if (kept !== undefined) kept.write(options.headBytes);
  }

  get hasStarted(): boolean {
    return this.#answer !== undefined;
  }

  // -- the client's side

  received(bytes: Buffer): void {
    this.#activeAt = performance.now();
    if (this.#isOver) return;
    if (this.#answer !== undefined) {
      this.#pass(bytes);
      return;
    }
    try {
      this.#answers.push(bytes, this.#activeAt);
      this.#readAnswers();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#fail(error.status, error.message);
    }
  }

  fromClient(bytes: Buffer): void {
    this.#activeAt = performance.now();
    if (this.#isOver) return;
    if (this.#decoder.done || !this.#target.isOpen || this.#heldBytes > 0) this.#hold(bytes);
    else this.#send(bytes);
  }

  clientDrained(): void {
    this.#activeAt = performance.now();
    this.#target.resume();
  }

  clientEnded(): void {
    this.#clientEnded = true;
    this.#reusable = false;
    if (!this.#decoder.done) this.breakOff();
  }

  clientClosed(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#target.terminate();
  }

  /** Breaks both sides, so that the client sees that the response is incomplete. */
  breakOff(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#target.terminate();
    this.client.terminate();
    this.client.onClosed();
  }

  enforceTimeouts(now: number): void {
    const silentMs = now - this.#activeAt;
    const { connectMs, headMs, answerMs, idleMs, halfClosedIdleMs } = this.limits;
    if (this.hasStarted) {
      if (silentMs > (this.#clientEnded ? halfClosedIdleMs : idleMs)) this.breakOff();
    } else if (now - (this.#answers.begunAt ?? now) > headMs) {
      this.#fail(504, `${this.#targetName} did not finish the header of its answer in time.`);
    } else if (!this.#target.isOpen) {
      if (silentMs > connectMs) this.#fail(504, "The container did not take the connection in time.");
    } else if (!this.#decoder.done && !this.#clientPaused) {
      if (silentMs > idleMs) this.#fail(408, "The request's body did not come in time.");
    } else if (silentMs > answerMs) {
      this.#fail(504, `${this.#targetName} did not answer in time.`);
    }
  }

  // -- the target's side

  opened(): void {
    this.#activeAt = performance.now();
    this.#target.write(this.options.headBytes);
    const held = this.#held;
    this.#held = [];
    this.#heldBytes = 0;
    for (const bytes of held) this.fromClient(bytes);
    if (this.#heldBytes <= HELD_BYTES_MAX) this.#pauseClient(false);
  }

  refused(): void {
    const isService = this.options.endpoint.kind === "file";
    this.#fail(
      502,
      isService
        ? NO_SERVICE
        : "Nothing takes connections there: the container is stopped, or no program in it listens on this port.",
    );
  }

  drained(): void {
    this.#activeAt = performance.now();
    if (this.#heldBytes <= HELD_BYTES_MAX) this.#pauseClient(false);
  }

  ended(): void {
    if (this.#answer?.framing.kind === "close") this.#finish();
    else this.closed();
  }

  closed(): void {
    if (this.#isOver) return;
    if (this.hasStarted) {
      this.breakOff();
    } else if (this.#target.isReused && this.#answers.isEmpty && this.#mayAskTwice) {
      this.#target.terminate();
      this.#target = this.upstreams.open(this.options.endpoint);
      this.#target.handler = this;
    } else {
      this.#fail(502, `${this.#targetName} has closed the connection without an answer.`);
    }
  }

  /** The target's name in error messages. */
  get #targetName(): string {
    return this.options.endpoint.kind === "file"
      ? "This service of the host"
      : "The program in the container";
  }

  get #mayAskTwice(): boolean {
    const { head, webSocketKey } = this.options;
    return head.framing.kind === "none" && webSocketKey === undefined && SAFE_METHODS.has(head.method);
  }

  #hold(bytes: Buffer): void {
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    if (this.#heldBytes > HELD_BYTES_MAX) this.#pauseClient(true);
  }

  #pauseClient(pause: boolean): void {
    if (pause === this.#clientPaused) return;
    this.#clientPaused = pause;
    if (pause) this.client.pause();
    else this.client.resume();
  }

  /** Forwards the bytes of the request's body. */
  #send(bytes: Buffer): void {
    try {
      const { data, rest } = this.#decoder.push(bytes);
      const isChunked = this.options.head.framing.kind === "chunked";
      let more = true;
      if (data.length > 0) {
        if (isChunked) for (const piece of new Chunk(data).framed) more = this.#target.write(piece);
        else more = this.#target.write(data);
      }
      if (isChunked && this.#decoder.done) more = this.#target.write(LAST_CHUNK);
      if (!more) this.#pauseClient(true);
      if (rest.length > 0) this.#hold(rest);
    } catch (error) {
      if (!(error instanceof BodyError)) throw error;
      if (this.hasStarted) this.breakOff();
      else this.#fail(400, "The request's body is malformed.");
    }
  }

  #readAnswers(): void {
    const { method, minor } = this.options.head;
    for (let head = this.#answers.next(method); head !== undefined; head = this.#answers.next(method)) {
      if (head.status === 101) {
        this.#changeProtocol(head, this.#answers.rest());
        return;
      }
      if (head.status >= 200) {
        this.#begin(head, this.#answers.rest());
        return;
      }
      this.#interim += 1;
      if (this.#interim > INTERIM_MAX)
        throw new Refusal(502, "The container gives too many interim answers.");
      if (minor === 1) this.client.write(rewriteResponseHead(head, this.options.host, ""));
    }
  }

  #begin(answer: ResponseHead, received: Buffer): void {
    this.#answerDecoder = answer.framing.kind === "close" ? undefined : decoderFor(answer.framing);
    // Decoded before the header is sent, so that an error in the same piece can still be reported.
    const first = this.#firstOf(received);
    this.#answer = answer;
    this.status = answer.status;
    const { kind } = answer.framing;
    const hasLength = kind === "none" || kind === "length";
    const { minor } = this.options.head;
    this.#chunked = !hasLength && minor === 1;
    // The rest of a request that has its response already may never arrive.
    if (!this.#decoder.done || (!hasLength && minor === 0)) this.#reusable = false;
    const transfer = (this.#chunked ? "Transfer-Encoding: chunked\r\n" : "") + this.client.addedFields;
    const extra = this.#reusable ? transfer : `${transfer}Connection: close\r\n`;
    const goesAlong = !this.#chunked && first.data.length <= JOINED_BYTES_MAX;
    const head = rewriteResponseHead(answer, this.options.host, extra, goesAlong ? first.data : NO_BYTES);
    if (!this.client.write(head)) this.#target.pause();
    if (goesAlong) this.#written(first);
    else this.#write(first);
  }

  /** @throws Refusal 502 */
  #firstOf(received: Buffer): Decoded {
    try {
      return this.#decode(received);
    } catch (error) {
      throw error instanceof BodyError ? noHttp() : error;
    }
  }

  #pass(bytes: Buffer): void {
    try {
      this.#write(this.#decode(bytes));
    } catch (error) {
      if (!(error instanceof BodyError)) throw error;
      this.breakOff();
    }
  }

  /** @throws BodyError */
  #decode(bytes: Buffer): Decoded {
    return this.#answerDecoder?.push(bytes) ?? { data: bytes, rest: NO_BYTES };
  }

  #write(decoded: Decoded): void {
    const { data } = decoded;
    if (data.length > 0) {
      let more = true;
      if (this.#chunked) for (const piece of new Chunk(data).framed) more = this.client.write(piece);
      else more = this.client.write(data);
      if (!more) this.#target.pause();
    }
    this.#written(decoded);
  }

  #written({ data, rest }: Decoded): void {
    this.bytes += data.length;
    if (this.#answerDecoder?.done) this.#finish(rest);
  }

  #finish(rest: Buffer = NO_BYTES): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#chunked) this.client.write(LAST_CHUNK);
    this.#target.resume();
    if (this.#answer?.keepsAlive && this.#decoder.done && rest.length === 0) {
      this.upstreams.release(this.#target, this.options.owner);
    } else {
      this.#target.terminate();
    }
    this.#pauseClient(false);
    const held = this.#held.length === 0 ? NO_BYTES : Buffer.concat(this.#held);
    this.client.onSettled(this.#reusable && this.#decoder.done, held);
  }

  #changeProtocol(answer: ResponseHead, rest: Buffer): void {
    const key = this.options.webSocketKey;
    if (key === undefined || !opensWebSocket(answer, key)) {
      throw new Refusal(502, "The container changes the protocol to one that nobody asked for.");
    }
    this.#isOver = true;
    this.status = answer.status;
    this.client.write(
      rewriteResponseHead(answer, this.options.host, "Connection: Upgrade\r\nUpgrade: websocket\r\n"),
    );
    const target = this.#target;
    const tunnel = new Tunnel(this.client, target, () => this.client.onClosed());
    target.handler = tunnelHandler(tunnel);
    this.client.switchToTunnel(tunnel);
    this.#pauseClient(false);
    for (const bytes of this.#held) tunnel.fromClient(bytes);
    if (rest.length > 0) tunnel.fromTarget(rest);
    if (this.#clientEnded) tunnel.clientEnded();
  }

  #fail(status: number, message: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.status = status;
    this.#target.terminate();
    this.#pauseClient(false);
    this.client.fail(new Refusal(status, message));
  }
}

/** Passes the events of a target on to its tunnel. */
export const tunnelHandler = (tunnel: Tunnel): UpstreamHandler => ({
  opened() {},
  refused() {},
  received: (bytes) => tunnel.fromTarget(bytes),
  drained: () => tunnel.targetDrained(),
  ended: () => tunnel.targetEnded(),
  closed: (isBroken) => tunnel.targetClosed(isBroken),
});
