import type { Socket, SocketHandler, TCPSocketListener } from "bun";
import type { Logger } from "pino";
import { ActiveTimer } from "../../system/active-timer.ts";
import type { RequestHead } from "../http1/head.ts";
import { ConnectionLimiter } from "../web/connection-limiter.ts";
import { AccessLog } from "./access-log.ts";
import { DownstreamConnection, type LoggedRequest } from "./downstream.ts";
import { LIMITS, type Limits } from "./limits.ts";
import { normaliseHost } from "./names.ts";
import { endpointOf, Router, type RouterOptions } from "./router.ts";
import type { Certificate } from "./tls/certificates.ts";
import type { IssuedCertificates } from "./tls/issued-certificates.ts";
import { tlsOptions } from "./tls/listener.ts";
import { serverNameHandler } from "./tls/server-name.ts";
import { Traffic } from "./traffic.ts";
import { UpstreamPool } from "./upstream.ts";

export interface EdgeOptions extends RouterOptions {
  readonly certificate: Certificate;
  /** Certificates of single names; without them every name gets `certificate`. */
  readonly issued?: Pick<IssuedCertificates, "contextOf" | "await">;
  readonly hostname: string;
  /** 0: any free port. */
  readonly httpsPort: number;
  readonly httpPort: number;
  /** The port of `https` for clients, if it differs from the listening port. */
  readonly publicHttpsPort?: number | undefined;
  /** The folder of the access logs. */
  readonly logs: string;
  /** How many days a name's access log is kept after its last request. */
  readonly keepLogsDays: number;
  readonly log: Logger;
  readonly limits?: Partial<Limits>;
}

interface SocketData {
  client?: DownstreamConnection;
  leave?: () => void;
}

/**
 * The edge of a host (design §4 "Edge"): it listens for TLS and plain HTTP, and routes each request by its Host, with
 * a table that is read for every request. A connection stays open while its own name has the same target and its user
 * has access, whatever happens to other names.
 */
export class Edge {
  readonly traffic = new Traffic();
  readonly #limits: Limits;
  readonly #upstreams: UpstreamPool;
  readonly #router: Router;
  readonly #limiter: ConnectionLimiter;
  readonly #clients = new Set<DownstreamConnection>();
  readonly #accessLog: AccessLog;
  #https: TCPSocketListener<SocketData>;
  readonly #http: TCPSocketListener<SocketData>;
  #certificate: Certificate;
  readonly #timeoutTimer: ActiveTimer;
  readonly #context;

  /** @throws Error when a port cannot be opened */
  constructor(private readonly options: EdgeOptions) {
    this.#limits = { ...LIMITS, ...options.limits };
    this.#timeoutTimer = new ActiveTimer(this.#limits.sweepMs, () => this.#enforceTimeouts());
    this.#upstreams = new UpstreamPool(this.#limits, () => this.#timeoutTimer.start());
    this.#router = new Router(options, () => this.#publicPort);
    this.#limiter = new ConnectionLimiter({
      max: this.#limits.connectionsMax,
      perAddressMax: this.#limits.connectionsPerAddressMax,
      perProxyMax: this.#limits.connectionsPerProxyMax,
      isProxy: options.proxies.isTrusted,
    });
    this.#accessLog = new AccessLog(options.logs, options.keepLogsDays);
    const isTrusted = () => this.#certificate.authorityFile === null;
    this.#context = {
      limits: this.#limits,
      upstreams: this.#upstreams,
      proxies: options.proxies,
      get strictTransport() {
        return isTrusted();
      },
      decide: (head: RequestHead, client: DownstreamConnection) => this.#router.decide(head, client),
      logged: (request: LoggedRequest) => {
        this.traffic.count(request);
        this.#accessLog.write(request);
      },
      failed: (error: unknown) => options.log.error({ err: error }, "a request failed"),
    };
    const { hostname } = options;
    this.#certificate = options.certificate;
    this.#https = this.#listenForTls(options.certificate, options.httpsPort);
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
  }

  /** New connections get this certificate; those that are open go on. @throws Error when it cannot be used: the former one stays */
  replaceCertificate(certificate: Certificate): void {
    const { port } = this.#https;
    this.#https.stop(false);
    try {
      this.#https = this.#listenForTls(certificate, port);
    } catch (error) {
      this.#https = this.#listenForTls(this.#certificate, port);
      throw error;
    }
  }

  #listenForTls(certificate: Certificate, port: number): TCPSocketListener<SocketData> {
    const listener = Bun.listen<SocketData>({
      hostname: this.options.hostname,
      port,
      allowHalfOpen: true,
      tls: tlsOptions(certificate),
      socket: { ...this.#handlers("https"), ...serverNameHandler(this.options.issued) },
    });
    this.#certificate = certificate;
    return listener;
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

  /** Closes the listeners and breaks all connections. */
  close(): void {
    this.#timeoutTimer.stop();
    this.#https.stop(true);
    this.#http.stop(true);
    for (const client of [...this.#clients]) client.terminate();
    this.#upstreams.close();
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
        const admission = this.#limiter.enter(address);
        socket.data = {};
        if (!admission.isAdmitted) {
          socket.terminate();
          return;
        }
        socket.setKeepAlive(true, 60_000);
        socket.setNoDelay(true);
        const client = new DownstreamConnection(socket, address, scheme, this.#context);
        socket.data = { client, leave: admission.leave };
        this.#clients.add(client);
        this.#timeoutTimer.start();
      },
      // A client that does not trust the certificate closes the connection itself.
      handshake: (socket, success) => {
        if (success) this.#onTlsHandshake(socket);
        else socket.terminate();
      },
      data: (socket, bytes) => socket.data?.client?.received(bytes),
      end: (socket) => socket.data?.client?.receivedEnd(),
      drain: (socket) => socket.data?.client?.drained(),
      close: gone,
      // A handler threw: the connection is reset, so that the client does not take the response for complete.
      error: (socket, error) => {
        this.options.log.error({ err: error }, "a connection failed");
        socket.terminate();
        gone(socket, error);
      },
    };
  }

  /** Connects an alias of ssh to its port right after the TLS handshake, since in ssh the server speaks first. */
  #onTlsHandshake(socket: Socket<SocketData>): void {
    const { client } = socket.data;
    client?.tlsEstablished();
    const name = normaliseHost(socket.getServername() ?? "")?.name;
    const route = name === undefined ? undefined : this.#router.find(name);
    if (name === undefined || route?.to.kind !== "port" || route.to.protocol !== "ssh") return;
    client?.tunnelTo(endpointOf(route, route.to.port, false), { name: route.label }, () =>
      this.#router.holds(name, route),
    );
  }

  get #publicPort(): number {
    return this.options.publicHttpsPort ?? this.httpsPort;
  }

  /** @returns whether connections are left, of clients or to targets */
  #enforceTimeouts(): boolean {
    const now = performance.now();
    for (const client of this.#clients) client.enforceTimeouts(now);
    this.#upstreams.closeIdle(now);
    return this.#clients.size > 0 || this.#upstreams.hasIdle;
  }
}
