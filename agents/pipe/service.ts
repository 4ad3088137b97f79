import { ActiveTimer } from "../../system/active-timer.ts";
import type { RequestHead } from "../http1/head.ts";
import { Refusal } from "../http1/refusal.ts";
import type { Transport } from "../http1/transport.ts";
import { Connection } from "./http/connection.ts";
import type { Exchange } from "./http/exchange.ts";
import { LIMITS, type Limits } from "./limits.ts";
import { isOpen, refuse, route } from "./routes.ts";
import { Pipes } from "./transfer/pipes.ts";

export interface PipeOptions {
  /**
   * Authorizes a request: throws a `Refusal` for callers without access. Called for every request of a connection,
   * except for the health record and preflights. Without this function everybody has access.
   */
  readonly authorize?: (request: RequestHead, address: string) => void | Promise<void>;
  /**
   * Whether a request with this Host is meant for this service; otherwise the reply is 421. A connection is routed by
   * its first Host, and a later request may name another.
   */
  readonly isOwnHost?: (host: string) => boolean;
  /** The scheme of the service's own URL; `http` by default. */
  readonly scheme?: "http" | "https";
  readonly limits?: Partial<Limits>;
  /** How clients sign in, if they must; pages and help show it. */
  readonly signIn?: SignIn;
}

export interface SignIn {
  /** The path of the API that issues tokens for this pipe. */
  readonly tokenPath: string;
  /** The arguments by which curl trusts this server's certificate; empty for a publicly trusted one. */
  readonly curlTrust: string;
  /**
   * Makes a token (`?share_token=`) with which others can receive from one path; undefined if this request may not
   * share. @param path of the URL, decoded
   */
  share(
    request: RequestHead,
    path: string,
  ): Promise<{ readonly token: string; readonly expiresInSeconds: number } | undefined>;
}

/**
 * A streaming pipe: one for a whole server, or one for each container. It does not listen; its owner passes
 * connections to it.
 *
 * @example const pipe = new PipeService({ scheme: "https", authorize: (request) => grants.check(request) });
 * Bun.listen({ ...where, allowHalfOpen: true, socket: socketHandlers(pipe) });
 */
export class PipeService {
  readonly pipes: Pipes;
  readonly limits: Limits;
  readonly #connections = new Set<Connection>();
  readonly #timeoutTimer: ActiveTimer;

  constructor(private readonly options: PipeOptions = {}) {
    this.limits = { ...LIMITS, ...options.limits };
    this.pipes = new Pipes(this.limits);
    this.#timeoutTimer = new ActiveTimer(this.limits.sweepMs, () => this.#enforceTimeouts());
  }

  get signIn(): SignIn | undefined {
    return this.options.signIn;
  }

  get connections(): number {
    return this.#connections.size;
  }

  /**
   * Serves a connection; the owner of the socket passes on its events. Undefined if there are too many, and the
   * socket is closed. Bytes that were read before, for routing, are passed first.
   */
  connect(transport: Transport): Connection | undefined {
    if (this.#connections.size >= this.limits.connectionsMax) {
      transport.terminate();
      return undefined;
    }
    const connection = new Connection(transport, this.limits, (exchange) => void this.#serve(exchange));
    this.#connections.add(connection);
    this.#timeoutTimer.start();
    return connection;
  }

  /** Handles the end of a connection's socket. */
  disconnect(connection: Connection): void {
    this.#connections.delete(connection);
    connection.closed();
  }

  /** Resets all connections. */
  close(): void {
    this.#timeoutTimer.stop();
    for (const connection of [...this.#connections]) connection.terminate();
  }

  /** The client's address of this service. */
  urlFor({ headers }: RequestHead): string {
    const host = headers.get("host") ?? "";
    return `${this.options.scheme ?? "http"}://${/^[\w.\-:[\]]{1,255}$/.test(host) ? host : "localhost"}`;
  }

  async #serve(exchange: Exchange): Promise<void> {
    try {
      const { request } = exchange;
      const host = request.headers.get("host");
      if (host !== undefined && this.options.isOwnHost?.(host) === false) {
        throw new Refusal(421, "This connection does not lead to that host.");
      }
      // A request without authorization is served in the same turn, without waiting.
      if (this.options.authorize !== undefined && !isOpen(request)) {
        const asked = this.options.authorize(request, exchange.address);
        if (asked !== undefined) await asked;
        if (exchange.isOver) return;
      }
      route(this, exchange);
    } catch (error) {
      if (exchange.isOver) return;
      if (error instanceof Refusal) refuse(exchange, error);
      else {
        console.error(error);
        if (exchange.hasStarted) exchange.abort();
        else refuse(exchange, new Refusal(500, "This is a fault of the server."));
      }
    }
  }

  /** @returns whether connections are left */
  #enforceTimeouts(): boolean {
    const now = performance.now();
    for (const connection of this.#connections) connection.enforceTimeouts(now);
    this.pipes.enforceTimeouts(now);
    return this.#connections.size > 0;
  }
}
