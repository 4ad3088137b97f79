import type { TrustedProxies } from "../../system/trusted-proxies.ts";
import { NO_BYTES } from "../http1/body.ts";
import { headEnd, parseHead, type RequestHead, withoutEmptyLines } from "../http1/head.ts";
import { Refusal } from "../http1/refusal.ts";
import { serializeResponseHead } from "../http1/response.ts";
import { type Transport, WriteBuffer } from "../http1/transport.ts";
import { Forwarding, type ForwardingClient, type ForwardingOptions } from "./forwarding.ts";
import { RequestRewriter } from "./headers.ts";
import { HELD_BYTES_MAX, LINGER_BYTES_MAX, type Limits } from "./limits.ts";
import { codeOf, type LocalResponse, localErrorResponse, type ResponseFormatter } from "./local-response.ts";
import { Tunnel } from "./tunnel.ts";
import { type Endpoint, UpstreamConnection, type UpstreamPool } from "./upstream.ts";

/** The socket of a client's connection. Bun's sockets satisfy it. */
export interface DownstreamTransport extends Transport {
  /** Half-closes the connection: ends this side and leaves the other open. `end` closes both. */
  shutdown(): unknown;
}

/** A built-in service that hijacks whole connections: it reads the requests itself. */
export interface ConnectionService {
  /** Undefined when the service accepts no further connections. */
  connect(transport: Transport): ServiceConnection | undefined;
  disconnect(connection: ServiceConnection): void;
}

export interface ServiceConnection {
  /** Passes bytes to the service, which may keep them. */
  received(bytes: Buffer): void;
  receivedEnd(): void;
  drained(): void;
}

/** The routing decision for a request. */
export type Decision =
  | { readonly kind: "respond"; readonly response: LocalResponse; readonly note?: LogNote }
  | {
      readonly kind: "forward";
      readonly options: ForwardingOptions;
      readonly note: LogNote;
      /** Called repeatedly while the request or connection lasts. */
      readonly isStillAuthorized: () => boolean;
      /** The format of a response that the edge makes itself. */
      readonly shape?: ResponseFormatter;
    }
  | {
      readonly kind: "hijack";
      readonly service: ConnectionService;
      readonly note: LogNote;
      readonly isStillAuthorized: () => boolean;
    };

/** The name and user under which a request is logged. */
export interface LogNote {
  readonly name: string;
}

export interface LoggedRequest extends LogNote {
  readonly address: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly bytes: number;
  readonly ms: number;
}

/** The context that all client connections of an edge share. */
export interface EdgeContext {
  readonly limits: Limits;
  readonly upstreams: UpstreamPool;
  readonly proxies: TrustedProxies;
  /** Whether the certificate is publicly trusted: then browsers are told to use https only. */
  readonly strictTransport: boolean;
  decide(head: RequestHead, client: DownstreamConnection): Decision | Promise<Decision>;
  logged(request: LoggedRequest): void;
  failed(error: unknown): void;
}

/** RFC 6797 §6.1: a year, as browsers' preload lists require. */
const STRICT_TRANSPORT = { "Strict-Transport-Security": "max-age=31536000" };

const AS_IT_IS: ResponseFormatter = (answer) => answer;

const ALWAYS = () => true;

const SSH_GREETING = Buffer.from("SSH-2.0-");

const beginsAsSsh = (bytes: Buffer): boolean =>
  bytes[0] === SSH_GREETING[0] && bytes.indexOf(SSH_GREETING) === 0;

type State =
  | "handshake"
  | "head"
  | "deciding"
  | "forwarding"
  | "tunnel"
  | "hijacked"
  | "lingering"
  | "closed";

/** A client's connection: one request after the other, each forwarded by its Host. */
export class DownstreamConnection implements ForwardingClient {
  #state: State;
  #writeBuffer: WriteBuffer;
  /** The beginning of a header, or bytes that arrived during the routing of their request. */
  #held: Buffer = NO_BYTES;
  #lingered = 0;
  #paused = false;
  #peerEnded = false;
  #deadline: number;
  #address: string;
  readonly #isProxied: boolean;
  #head: RequestHead | undefined;
  /** The request before it: most clients send the same fields with each. */
  #formerHead: RequestHead | undefined;
  readonly rewriter = new RequestRewriter();
  #startedAt = 0;
  #forwarding: Forwarding | undefined;
  #tunnel: Tunnel | undefined;
  #hijacked: { service: ConnectionService; connection: ServiceConnection } | undefined;
  #note: LogNote | undefined;
  #isStillAuthorized: () => boolean = ALWAYS;
  #shape: ResponseFormatter = AS_IT_IS;
  #mustEnd = false;
  /** A hijack that waits until the earlier responses are sent. */
  #pendingHijack: (() => void) | undefined;

  constructor(
    private readonly transport: DownstreamTransport,
    private readonly peer: string,
    readonly scheme: "http" | "https",
    private readonly context: EdgeContext,
  ) {
    this.#address = peer;
    this.#isProxied = context.proxies.isTrusted(peer);
    this.#state = scheme === "https" ? "handshake" : "head";
    this.#writeBuffer = new WriteBuffer(transport, () => this.#drained());
    this.#deadline = performance.now() + context.limits.headMs;
  }

  /** The address of the present request's client. A trusted proxy sends requests of many over one connection. */
  get address(): string {
    return this.#address;
  }

  /** The TLS handshake is complete. */
  tlsEstablished(): void {
    if (this.#state === "handshake") this.#state = "head";
  }

  received(bytes: Buffer): void {
    if (this.#state === "forwarding") this.#forwarding?.fromClient(bytes);
    else if (this.#state === "tunnel") this.#tunnel?.fromClient(bytes);
    else if (this.#state === "hijacked") this.#hijacked?.connection.received(bytes);
    else if (this.#state === "head") this.#readHead(bytes);
    else if (this.#state === "deciding") {
      this.#held = Buffer.concat([this.#held, bytes]);
      if (this.#held.length > HELD_BYTES_MAX) this.pause();
    } else if (this.#state === "lingering") {
      this.#lingered += bytes.length;
      if (this.#lingered > LINGER_BYTES_MAX) this.transport.close();
    }
  }

  receivedEnd(): void {
    this.#peerEnded = true;
    if (this.#state === "forwarding") this.#forwarding?.clientEnded();
    else if (this.#state === "tunnel") this.#tunnel?.clientEnded();
    else if (this.#state === "hijacked") this.#hijacked?.connection.receivedEnd();
    else if (this.#state === "head" || this.#state === "handshake") this.#linger();
    else if (this.#state === "lingering") this.transport.close();
  }

  /** The socket accepts bytes again. */
  drained(): void {
    if (this.#state === "hijacked") this.#hijacked?.connection.drained();
    else this.#writeBuffer.drained();
  }

  /** The socket is closed. */
  closed(isBroken: boolean): void {
    const state = this.#state;
    if (state === "closed") return;
    this.#state = "closed";
    this.#held = NO_BYTES;
    if (state === "forwarding") {
      this.#forwarding?.clientClosed();
      this.#log(this.#forwarding?.status || 499, this.#forwarding?.bytes ?? 0);
    } else if (state === "tunnel") this.#tunnel?.clientClosed(isBroken || this.#writeBuffer.isBroken);
    else if (state === "hijacked" && this.#hijacked !== undefined) {
      this.#hijacked.service.disconnect(this.#hijacked.connection);
    }
  }

  enforceTimeouts(now: number): void {
    const state = this.#state;
    if (state === "forwarding" || state === "tunnel" || state === "hijacked") {
      if (!this.#isStillAuthorized()) this.#break();
      else if (state === "forwarding") this.#forwarding?.enforceTimeouts(now);
      else if (state === "tunnel" && now - (this.#tunnel?.activeAt ?? now) > this.context.limits.tunnelIdleMs)
        this.#break();
    } else if (now < this.#deadline || state === "closed") return;
    else if (state === "lingering") this.transport.close();
    else if (state === "head" && this.#held.length > 0) {
      this.#refuse(new Refusal(408, "The request's header did not come in time."));
    } else if (state === "deciding") this.#break();
    else this.#linger();
  }

  /** Opens a tunnel to a port at once, without a request. */
  tunnelTo(endpoint: Endpoint, note: LogNote, isStillAuthorized: () => boolean): void {
    this.#note = note;
    this.#isStillAuthorized = isStillAuthorized;
    this.#startedAt = performance.now();
    const target = new UpstreamConnection(endpoint);
    const tunnel = new Tunnel(this, target, () => this.onClosed());
    this.switchToTunnel(tunnel);
    // Bytes that arrive meanwhile wait in the socket.
    this.pause();
    target.handler = {
      opened: () => this.resume(),
      refused: () => tunnel.break(),
      received: (bytes) => tunnel.fromTarget(bytes),
      drained: () => tunnel.targetDrained(),
      ended: () => tunnel.targetEnded(),
      closed: (isBroken) => tunnel.targetClosed(isBroken),
    };
  }

  // -- the side of forwardings and services

  write(bytes: Uint8Array): boolean {
    return this.#state === "closed" || this.#writeBuffer.write(bytes);
  }

  get isFlushed(): boolean {
    return this.#writeBuffer.isEmpty;
  }

  pause(): void {
    this.#paused = true;
    this.transport.pause();
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.transport.resume();
  }

  end(): void {
    this.transport.shutdown();
  }

  close(): void {
    this.transport.close();
  }

  terminate(): void {
    this.transport.terminate();
  }

  switchToTunnel(tunnel: Tunnel): void {
    this.#tunnel = tunnel;
    this.#forwarding = undefined;
    this.#state = "tunnel";
  }

  onClosed(): void {
    if (this.#tunnel !== undefined) this.#log(101, this.#tunnel.bytes);
  }

  onSettled(reusable: boolean, rest: Buffer): void {
    const forwarding = this.#forwarding;
    this.#log(forwarding?.status ?? 0, forwarding?.bytes ?? 0);
    this.#next(reusable, rest);
  }

  fail({ status, message }: Refusal): void {
    this.#forwarding = undefined;
    this.#respond(this.#shape(localErrorResponse(this.#head, status, codeOf(status), message)), false);
  }

  // -- requests

  #readHead(bytes: Buffer): void {
    const searched = this.#held.length;
    if (searched === 0) this.#deadline = performance.now() + this.context.limits.headMs;
    this.#held = searched === 0 ? withoutEmptyLines(bytes) : Buffer.concat([this.#held, bytes]);
    if (this.#held.length === 0) return;
    if (searched === 0 && beginsAsSsh(this.#held)) {
      // Its name has no target any more, and a tunnel's client understands no HTTP response.
      this.#linger();
      return;
    }
    try {
      const end = headEnd(this.#held, searched);
      if (end === -1) return;
      const isAll = end === this.#held.length;
      const headBytes = isAll ? this.#held : this.#held.subarray(0, end);
      this.#held = isAll ? NO_BYTES : this.#held.subarray(end);
      this.#head = parseHead(headBytes, this.#formerHead);
      this.#formerHead = this.#head;
      this.#begin(this.#head, headBytes);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#refuse(error);
    }
  }

  #begin(head: RequestHead, headBytes: Buffer): void {
    this.#state = "deciding";
    this.#startedAt = performance.now();
    if (this.#isProxied)
      this.#address = this.context.proxies.clientOf(this.peer, head.headers.all("x-forwarded-for").join(","));
    try {
      const decision = this.context.decide(head, this);
      if (decision instanceof Promise) {
        decision
          .then((decided) => this.#act(head, decided, headBytes))
          .catch((error) => this.#failedToDecide(error));
      } else this.#act(head, decision, headBytes);
    } catch (error) {
      this.#failedToDecide(error);
    }
  }

  #failedToDecide(error: unknown): void {
    this.context.failed(error);
    if (this.#state === "deciding") this.fail(new Refusal(500, "This is a fault of the server."));
  }

  #act(head: RequestHead, decision: Decision, headBytes: Buffer): void {
    if (this.#state !== "deciding") return;
    const rest = this.#held;
    this.#held = NO_BYTES;
    this.resume();
    this.#note = decision.note;
    if (decision.kind === "respond") {
      this.#held = rest;
      // Other programs may interpret a malformed request in another way, so its connection is closed.
      const isSound = decision.response.status !== 400 && head.framing.kind === "none";
      this.#respond(decision.response, head.keepsAlive && isSound);
      return;
    }
    this.#isStillAuthorized = decision.isStillAuthorized;
    if (decision.kind === "hijack") {
      this.#pendingHijack = () => this.#hijack(decision.service, [headBytes, rest]);
      this.pause();
      this.#drained();
      return;
    }
    this.#state = "forwarding";
    this.#shape = decision.shape ?? AS_IT_IS;
    const { upstreams, limits } = this.context;
    const forwarding = new Forwarding(this, decision.options, upstreams, limits);
    this.#forwarding = forwarding;
    if (rest.length > 0) forwarding.fromClient(rest);
    if (this.#peerEnded) forwarding.clientEnded();
  }

  #hijack(service: ConnectionService, pieces: readonly Buffer[]): void {
    this.resume();
    const connection = service.connect(this.transport);
    if (connection === undefined) return;
    this.#state = "hijacked";
    this.#hijacked = { service, connection };
    // Passed on as copies, since a service may keep or change the bytes.
    for (const bytes of [...pieces, this.#held])
      if (bytes.length > 0) connection.received(Buffer.from(bytes));
    this.#held = NO_BYTES;
    if (this.#peerEnded) connection.receivedEnd();
  }

  get addedFields(): string {
    return this.#isStrict
      ? `Strict-Transport-Security: ${STRICT_TRANSPORT["Strict-Transport-Security"]}\r\n`
      : "";
  }

  /** Whether to send the field: over plain HTTP it has no effect (RFC 6797 §7.2). */
  get #isStrict(): boolean {
    return this.scheme === "https" && this.context.strictTransport;
  }

  #respond({ status, fields, body }: LocalResponse, reusable: boolean): void {
    const bytes = Buffer.from(body);
    const staysOpen = reusable && !this.#peerEnded;
    const head = serializeResponseHead(status, {
      ...fields,
      ...(this.#isStrict ? STRICT_TRANSPORT : {}),
      "Content-Length": String(bytes.length),
      ...(staysOpen ? {} : { Connection: "close" }),
    });
    this.#writeBuffer.write(this.#head?.method === "HEAD" ? head : Buffer.concat([head, bytes]));
    this.#log(status, bytes.length);
    const rest = this.#held;
    this.#held = NO_BYTES;
    this.#next(staysOpen, rest);
  }

  #next(reusable: boolean, rest: Buffer): void {
    this.#forwarding = undefined;
    this.#head = undefined;
    this.#isStillAuthorized = ALWAYS;
    this.#shape = AS_IT_IS;
    if (this.#state === "closed") return;
    if (!reusable || this.#peerEnded) {
      this.#linger();
      return;
    }
    this.#state = "head";
    this.#deadline = performance.now() + this.context.limits.keepAliveMs;
    // In a microtask: otherwise many small requests in one piece would be served recursively.
    if (rest.length > 0) queueMicrotask(() => this.received(rest));
  }

  #refuse({ status, message }: Refusal): void {
    this.#head = undefined;
    this.#held = NO_BYTES;
    this.#respond(localErrorResponse(undefined, status, codeOf(status), message), false);
  }

  /** Ends this side when everything is sent, and gives a slow client the time to read the response. */
  #linger(): void {
    this.#held = NO_BYTES;
    this.#state = "lingering";
    this.#deadline = performance.now() + this.context.limits.idleMs;
    this.resume();
    this.#mustEnd = true;
    this.#drained();
  }

  #drained(): void {
    if (this.#state === "forwarding") this.#forwarding?.clientDrained();
    else if (this.#state === "tunnel") this.#tunnel?.clientDrained();
    else if (this.#pendingHijack !== undefined && this.#writeBuffer.isEmpty) {
      const hijack = this.#pendingHijack;
      this.#pendingHijack = undefined;
      hijack();
    } else if (this.#state === "lingering" && this.#mustEnd && this.#writeBuffer.isEmpty) {
      this.#mustEnd = false;
      this.#deadline = performance.now() + this.context.limits.lingerMs;
      this.transport.shutdown();
      if (this.#peerEnded) this.transport.close();
    }
  }

  #break(): void {
    if (this.#state === "forwarding") this.#forwarding?.breakOff();
    else if (this.#state === "tunnel") this.#tunnel?.break();
    else this.transport.terminate();
  }

  #log(status: number, bytes: number): void {
    const note = this.#note;
    if (note === undefined) return;
    this.#note = undefined;
    const { method, path } = this.#head ?? { method: "CONNECT", path: "" };
    const ms = Math.round(performance.now() - this.#startedAt);
    const { name } = note;
    this.context.logged({ name, address: this.address, method, path, status, bytes, ms });
  }
}
