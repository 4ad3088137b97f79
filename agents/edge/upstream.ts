import type { Socket, SocketHandler } from "bun";
import { WriteBuffer } from "../http1/transport.ts";
import type { Limits } from "./limits.ts";

/** The endpoint of a target: a port of a container, or the Unix socket of a built-in service. */
export type Endpoint =
  | {
      readonly kind: "port";
      readonly host: string;
      readonly port: number;
      readonly tls: boolean;
      /** The source address. */
      readonly from?: string | undefined;
    }
  | { readonly kind: "file"; readonly path: string };

/** Receives the events of a connection to a target, while using it. */
export interface UpstreamHandler {
  opened(): void;
  /** The connection could not be made. No other event follows. */
  refused(): void;
  received(bytes: Buffer): void;
  drained(): void;
  /** The target has ended its side without an error. */
  ended(): void;
  closed(isBroken: boolean): void;
}

const noop: UpstreamHandler = {
  opened() {},
  refused() {},
  received() {},
  drained() {},
  ended() {},
  closed() {},
};

/** A connection to a target. */
export class UpstreamConnection {
  handler: UpstreamHandler = noop;
  /** Whether it has carried a request before: then the target may be closing it right now. */
  isReused = false;
  isOpen = false;
  isClosed = false;
  idleSince = 0;
  /** Under which the pool keeps it. */
  poolKey: string | undefined;
  #writeBuffer: WriteBuffer | undefined;
  /** Bytes that were written before the connection was made. */
  #early: Uint8Array[] = [];
  #socket: Socket | undefined;

  /** Receives the events while it is idle: bytes that a target sends without a request belong to no response. */
  readonly idleHandler: UpstreamHandler = {
    ...noop,
    received: () => this.terminate(),
    ended: () => this.terminate(),
  };

  constructor(readonly endpoint: Endpoint) {
    const { promise, resolve } = Promise.withResolvers<void>();
    void promise.then(() => this.#connect());
    resolve();
  }

  /** Writes bytes. Returns whether more may be written now; if not, `drained` is called when it may. */
  write(bytes: Uint8Array): boolean {
    if (this.#writeBuffer !== undefined) return this.#writeBuffer.write(bytes);
    this.#early.push(bytes);
    return false;
  }

  get isFlushed(): boolean {
    return this.#writeBuffer?.isEmpty ?? this.#early.length === 0;
  }

  pause(): void {
    this.#socket?.pause();
  }

  resume(): void {
    this.#socket?.resume();
  }

  /** Ends this side, after everything is sent. */
  end(): void {
    // The socket's own `end` would close both sides.
    this.#socket?.shutdown();
  }

  close(): void {
    this.isClosed = true;
    this.#socket?.close();
  }

  terminate(): void {
    this.isClosed = true;
    this.#socket?.terminate();
  }

  #connect(): void {
    if (this.isClosed) return;
    const { endpoint } = this;
    const isTls = endpoint.kind === "port" && endpoint.tls;
    const opened = (socket: Socket) => {
      this.isOpen = true;
      socket.setNoDelay(true);
      this.#writeBuffer = new WriteBuffer(socket, () => this.handler.drained());
      for (const bytes of this.#early.splice(0)) this.#writeBuffer.write(bytes);
      this.handler.opened();
    };
    const gone = (isBroken: boolean) => {
      if (this.isClosed) return;
      this.isClosed = true;
      if (this.isOpen) this.handler.closed(isBroken);
      else this.handler.refused();
    };
    const socket: SocketHandler<undefined> = {
      binaryType: "buffer",
      open: (socket) => {
        this.#socket = socket;
        if (this.isClosed) socket.terminate();
        else if (!isTls) opened(socket);
      },
      handshake: (socket, success, error) => {
        if (this.isClosed) return;
        // A handshake with an untrusted certificate is reported as a failure too; here it is good enough.
        if (success || codeOf(error) !== TLS_FAILED) opened(socket);
        else {
          gone(true);
          socket.terminate();
        }
      },
      data: (_socket, bytes) => this.handler.received(bytes),
      drain: () => this.#writeBuffer?.drained(),
      end: () => {
        // What was written did not arrive: the end is that of a reset, and what came before it may be incomplete.
        if (this.isOpen && !this.#writeBuffer?.isBroken) this.handler.ended();
        else gone(true);
      },
      close: (_socket, error) => gone(error !== undefined && error !== null),
      error: () => gone(true),
      connectError: () => gone(true),
    };
    const connecting: Promise<unknown> =
      endpoint.kind === "file"
        ? Bun.connect({ unix: endpoint.path, allowHalfOpen: true, socket })
        : Bun.connect({
            hostname: endpoint.host,
            port: endpoint.port,
            ...(endpoint.from === undefined ? {} : { localAddress: endpoint.from }),
            allowHalfOpen: true,
            // The certificate is the container's own, and the connection does not leave this host.
            ...(isTls ? { tls: { rejectUnauthorized: false } } : {}),
            socket,
          });
    connecting.catch(() => gone(true));
  }
}

/** The connections to targets, with those that targets keep open for reuse. */
export class UpstreamPool {
  readonly #idle = new Map<string, UpstreamConnection[]>();

  /** @param onIdle called when a connection waits for another request: it is closed by `closeIdle` */
  constructor(
    private readonly limits: Limits,
    private readonly onIdle: () => void,
  ) {}

  open(endpoint: Endpoint): UpstreamConnection {
    return new UpstreamConnection(endpoint);
  }

  /** An idle connection; undefined if there is none. */
  acquire(endpoint: Endpoint, owner: string): UpstreamConnection | undefined {
    const idle = this.#idle.get(keyOf(endpoint, owner));
    for (let connection = idle?.pop(); connection !== undefined; connection = idle?.pop()) {
      if (!connection.isClosed) return connection;
    }
    return undefined;
  }

  /**
   * Keeps a connection for reuse, after its response has been read to the end.
   * @param owner the container, since another one may get its address later
   */
  release(connection: UpstreamConnection, owner: string): void {
    connection.poolKey ??= keyOf(connection.endpoint, owner);
    const key = connection.poolKey;
    const idle = this.#idle.get(key) ?? [];
    if (connection.isClosed || !connection.isFlushed || idle.length >= this.limits.targetIdleMax) {
      connection.close();
      return;
    }
    if (idle.length === 0) this.#idle.set(key, idle);
    connection.isReused = true;
    connection.idleSince = performance.now();
    connection.handler = connection.idleHandler;
    idle.push(connection);
    this.onIdle();
  }

  /** Whether connections wait for another request. */
  get hasIdle(): boolean {
    return this.#idle.size > 0;
  }

  closeIdle(now: number): void {
    for (const [key, idle] of this.#idle) {
      const kept = idle.filter((connection) => {
        if (!connection.isClosed && now - connection.idleSince <= this.limits.targetKeepAliveMs) return true;
        if (!connection.isClosed) connection.close();
        return false;
      });
      if (kept.length === 0) this.#idle.delete(key);
      else this.#idle.set(key, kept);
    }
  }

  close(): void {
    this.closeIdle(Number.POSITIVE_INFINITY);
  }
}

/** The error code of a target that does not speak TLS; every other code concerns the certificate. */
const TLS_FAILED = "EPROTO";
const codeOf = (error: Error | null): unknown => (error as { code?: unknown } | null)?.code;

const keyOf = (endpoint: Endpoint, owner: string): string =>
  endpoint.kind === "file"
    ? endpoint.path
    : `${owner} ${endpoint.host}:${endpoint.port}${endpoint.tls ? " tls" : ""}`;
