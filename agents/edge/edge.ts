import type { Socket, SocketHandler, TCPSocketListener } from "bun";
import type { Logger } from "pino";
import type { RequestHead } from "../http1/head.ts";
import { AccessLog } from "./access-log.ts";
import { Places } from "./connection-limiter.ts";
import { ClientConnection } from "./downstream.ts";
import { LIMITS, type Limits } from "./limits.ts";
import { normaliseHost } from "./names.ts";
import { Directions, type DirectionsOptions, portOf } from "./router.ts";
import type { Certificate } from "./tls/certificates.ts";
import { Targets } from "./upstream.ts";

export interface EdgeOptions extends DirectionsOptions {
  readonly certificate: Certificate;
  readonly hostname: string;
  /** 0: any free one. */
  readonly httpsPort: number;
  readonly httpPort: number;
  /** The port of `https` that clients know, where it is not the one listened on. */
  readonly publicHttpsPort?: number;
  /** Where access logs are written. */
  readonly logs: string;
  readonly log: Logger;
  readonly limits?: Partial<Limits>;
}

interface SocketData {
  client?: ClientConnection;
  leave?: () => void;
}

/**
 * The edge of a host (design §4 "Edge"): listens for TLS and for plain HTTP, and passes each request to where its Host leads, by a table that is
 * asked anew for every one. What is open goes on while its own name leads to the same thing for the same user, whatever happens to others.
 */
export class Edge {
  readonly #limits: Limits;
  readonly #targets: Targets;
  readonly #directions: Directions;
  readonly #places: Places;
  readonly #clients = new Set<ClientConnection>();
  readonly #accessLog: AccessLog;
  readonly #https: TCPSocketListener<SocketData>;
  readonly #http: TCPSocketListener<SocketData>;
  readonly #sweeper: Timer;
  readonly #around;

  /** @throws Error when a port can't be had */
  constructor(private readonly options: EdgeOptions) {
    this.#limits = { ...LIMITS, ...options.limits };
    this.#targets = new Targets(this.#limits);
    this.#directions = new Directions(options, () => this.#publicPort);
    this.#places = new Places(this.#limits);
    this.#accessLog = new AccessLog(options.logs);
    this.#around = {
      limits: this.#limits,
      targets: this.#targets,
      strictTransport: options.certificate.authorityFile === null,
      decide: (head: RequestHead, client: ClientConnection) => this.#directions.decide(head, client),
      logged: this.#accessLog.write.bind(this.#accessLog),
      failed: (error: unknown) => options.log.error({ err: error }, "a request failed"),
    };
    const { hostname, certificate } = options;
    this.#https = Bun.listen<SocketData>({
      hostname,
      port: options.httpsPort,
      allowHalfOpen: true,
      tls: { key: certificate.key, cert: certificate.chain },
      socket: this.#handlers("https"),
    });
    try {
      this.#http = Bun.listen<SocketData>({
        hostname,
        port: options.httpPort,
        allowHalfOpen: true,
        socket: this.#handlers("http"),
      });
    } catch (error) {
      this.#https.stop(true);
      throw error;
    }
    this.#sweeper = setInterval(() => this.#sweep(), this.#limits.sweepMs);
  }

  get httpsPort(): number {
    return this.#https.port;
  }

  get httpPort(): number {
    return this.#http.port;
  }

  get connections(): number {
    return this.#clients.size;
  }

  /** Breaks all connections. */
  close(): void {
    clearInterval(this.#sweeper);
    this.#https.stop(true);
    this.#http.stop(true);
    for (const client of [...this.#clients]) client.terminate();
    this.#targets.close();
    this.#accessLog.close();
  }

  #handlers(scheme: "http" | "https"): SocketHandler<SocketData> {
    const gone = (socket: Socket<SocketData>, error?: Error) => {
      const { client, leave } = socket.data ?? {};
      leave?.();
      if (client === undefined || !this.#clients.delete(client)) return;
      client.closed(error !== undefined && error !== null);
    };
    return {
      binaryType: "buffer",
      open: (socket) => {
        const address = socket.remoteAddress;
        const leave = this.#places.enter(address);
        socket.data = {};
        if (leave === undefined) {
          socket.terminate();
          return;
        }
        socket.setKeepAlive(true, 60_000);
        socket.setNoDelay(true);
        const client = new ClientConnection(socket, address, scheme, this.#around);
        socket.data = { client, leave };
        this.#clients.add(client);
      },
      // A client that does not trust the certificate ends the connection by itself.
      handshake: (socket, success) => {
        if (success) this.#greet(socket);
        else socket.terminate();
      },
      data: (socket, bytes) => socket.data?.client?.received(bytes),
      end: (socket) => socket.data?.client?.receivedEnd(),
      drain: (socket) => socket.data?.client?.drained(),
      close: gone,
      // What a handler threw is a fault of ours, of which the client must not be told that all is well.
      error: (socket, error) => {
        this.options.log.error({ err: error }, "a connection failed");
        socket.terminate();
        gone(socket, error);
      },
    };
  }

  /** A name of ssh leads to its port as soon as TLS is there: the other side of ssh speaks first. */
  #greet(socket: Socket<SocketData>): void {
    const { client } = socket.data;
    client?.greeted();
    const name = normaliseHost(socket.getServername() ?? "")?.name;
    const route = name === undefined ? undefined : this.#directions.find(name);
    if (name === undefined || route?.to.kind !== "port" || route.to.protocol !== "ssh") return;
    client?.tunnelTo(portOf(route, route.to.port, false), { name: route.label }, () =>
      this.#directions.holds(name, route),
    );
  }

  get #publicPort(): number {
    return this.options.publicHttpsPort ?? this.httpsPort;
  }

  #sweep(): void {
    const now = performance.now();
    for (const client of this.#clients) client.sweep(now);
    this.#targets.sweep(now);
  }
}
