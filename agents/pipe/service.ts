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
   * Who may enter: throws a `Refusal` for those who may not. Asked for every request of a connection, except for the health record and
   * preflights, which are open. Everybody may when there is none.
   */
  readonly authorize?: (request: RequestHead, address: string) => void | Promise<void>;
  /** Whether a request with this Host is meant for this service; if not, it is answered 421. On a connection that was routed by its first Host, the next may name another. */
  readonly isOwnHost?: (host: string) => boolean;
  /** What the service's own URL begins with; `http` when absent. */
  readonly scheme?: "http" | "https";
  readonly limits?: Partial<Limits>;
  /** How clients sign in, where they must; pages and help tell of it. */
  readonly signIn?: SignIn;
}

export interface SignIn {
  /** Of the API: where a token for this pipe is made. */
  readonly tokenPath: string;
  /** Arguments by which curl trusts this server's certificate; empty where it does anyway. */
  readonly curlTrust: string;
  /** Makes a token with which somebody else receives from one path, as `?share_token=`; undefined when this request may not. @param path of the URL, decoded */
  share(
    request: RequestHead,
    path: string,
  ): Promise<{ readonly token: string; readonly expiresInSeconds: number } | undefined>;
}

/**
 * A streaming pipe: one for a whole server, or one for each container. It does not listen; it is given connections.
 *
 * @example
 *   const pipe = new PipeService({ scheme: "https", authorize: (request) => grants.check(request) });
 *   Bun.listen({ ...where, allowHalfOpen: true, socket: socketHandlers(pipe) });
 */
export class PipeService {
  readonly pipes: Pipes;
  readonly limits: Limits;
  readonly #connections = new Set<Connection>();
  readonly #timeoutTimer: ReturnType<typeof setInterval>;

  constructor(private readonly options: PipeOptions = {}) {
    this.limits = { ...LIMITS, ...options.limits };
    this.pipes = new Pipes(this.limits);
    this.#timeoutTimer = setInterval(() => this.#enforceTimeouts(), this.limits.sweepMs);
  }

  get signIn(): SignIn | undefined {
    return this.options.signIn;
  }

  get connections(): number {
    return this.#connections.size;
  }

  /**
   * Serves a connection: whoever owns the socket passes on what happens to it. Undefined when there are too many, and the socket
   * is closed. Bytes that were read before, to find out for whom they are, are simply passed first.
   */
  connect(transport: Transport): Connection | undefined {
    if (this.#connections.size >= this.limits.connectionsMax) {
      transport.terminate();
      return undefined;
    }
    const connection = new Connection(transport, this.limits, (exchange) => void this.#serve(exchange));
    this.#connections.add(connection);
    return connection;
  }

  /** The socket of a connection is gone. */
  disconnect(connection: Connection): void {
    this.#connections.delete(connection);
    connection.closed();
  }

  /** Breaks all connections. */
  close(): void {
    clearInterval(this.#timeoutTimer);
    for (const connection of [...this.#connections]) connection.terminate();
  }

  /** This service's own address, as the client knows it. */
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
      // Without anything to wait for, nothing is: a request is served in the turn in which it came.
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

  #enforceTimeouts(): void {
    const now = performance.now();
    for (const connection of this.#connections) connection.enforceTimeouts(now);
    this.pipes.enforceTimeouts(now);
  }
}
