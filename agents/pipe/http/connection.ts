import { NO_BYTES } from "../../http1/body.ts";
import { FieldMap, headEnd, parseHead, withoutEmptyLines } from "../../http1/head.ts";
import { Refusal } from "../../http1/refusal.ts";
import { serializeResponseHead } from "../../http1/response.ts";
import type { Transport } from "../../http1/transport.ts";
import { corsFields } from "../headers/cors.ts";
import type { Limits } from "../limits.ts";
import { Exchange } from "./exchange.ts";

type State = "head" | "exchange" | "lingering" | "closed";

/** A client's connection: it serves one request after the other. */
export class Connection {
  #state: State = "head";
  #head: Buffer = NO_BYTES;
  #exchange: Exchange | undefined;
  #peerEnded = false;
  #deadline: number;
  /** Read at the beginning, since a closed socket has no address. */
  readonly #address: string;

  constructor(
    private readonly transport: Transport,
    private readonly limits: Limits,
    private readonly serve: (exchange: Exchange) => void,
  ) {
    this.#deadline = performance.now() + limits.keepAliveMs;
    this.#address = transport.remoteAddress ?? "unknown";
  }

  /** Handles bytes from the client. The caller must not use them any more. */
  received(bytes: Buffer): void {
    if (this.#state === "exchange") this.#exchange?.received(bytes);
    else if (this.#state === "head") this.#readHead(bytes);
  }

  /** The client's side has ended. */
  receivedEnd(): void {
    this.#peerEnded = true;
    if (this.#state === "exchange") this.#exchange?.receivedEnd();
    else if (this.#state === "head") this.#linger();
    else if (this.#state === "lingering") this.transport.close();
  }

  /** The socket accepts bytes again. */
  drained(): void {
    this.#exchange?.drained();
  }

  /** The socket is closed. */
  closed(): void {
    if (this.#state === "closed") return;
    this.#state = "closed";
    this.#head = NO_BYTES;
    const exchange = this.#exchange;
    this.#exchange = undefined;
    exchange?.closed();
  }

  /** Resets the connection. */
  terminate(): void {
    this.transport.terminate();
  }

  enforceTimeouts(now: number): void {
    if (this.#state === "exchange") this.#exchange?.swept(now);
    else if (now < this.#deadline) return;
    else if (this.#state === "lingering") this.transport.close();
    else if (this.#head.length > 0)
      this.#refuse(new Refusal(408, "The request's header did not come in time."));
    else this.#linger();
  }

  #readHead(bytes: Buffer): void {
    const searched = this.#head.length;
    if (searched === 0) this.#deadline = performance.now() + this.limits.headMs;
    this.#head = searched === 0 ? withoutEmptyLines(bytes) : Buffer.concat([this.#head, bytes]);
    if (this.#head.length === 0) return;
    try {
      const end = headEnd(this.#head, searched);
      if (end === -1) return;
      const head = parseHead(this.#head.subarray(0, end));
      const rest = this.#head.subarray(end);
      this.#head = NO_BYTES;
      this.#begin(
        new Exchange(head, this.#address, this.transport, this.limits, () => this.#settled()),
        rest,
      );
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#refuse(error);
    }
  }

  #begin(exchange: Exchange, rest: Buffer): void {
    this.#exchange = exchange;
    this.#state = "exchange";
    if (rest.length > 0) exchange.received(rest);
    this.serve(exchange);
    exchange.served();
    if (this.#peerEnded) exchange.receivedEnd();
  }

  #settled(): void {
    const exchange = this.#exchange;
    this.#exchange = undefined;
    if (exchange === undefined || this.#state !== "exchange") return;
    if (!exchange.reusable || this.#peerEnded) {
      this.#linger();
      return;
    }
    this.#state = "head";
    this.#deadline = performance.now() + this.limits.keepAliveMs;
    const rest = exchange.takeRest();
    // In a microtask: otherwise many small requests in one piece would be served recursively.
    if (rest.length > 0) queueMicrotask(() => this.received(rest));
  }

  /**
   * Refuses an unreadable request, and ends the connection. The response has CORS fields, so that a page can read the
   * reason.
   */
  #refuse({ status, message }: Refusal): void {
    const body = Buffer.from(`[ERROR] ${message}\n`);
    const head = serializeResponseHead(status, {
      "Content-Type": "text/plain; charset=utf-8",
      "Content-Length": String(body.length),
      "X-Robots-Tag": "none",
      "X-Content-Type-Options": "nosniff",
      ...corsFields(originOf(this.#head)),
      Connection: "close",
    });
    this.transport.write(Buffer.concat([head, body]));
    this.#linger();
  }

  /** Ends this side, and gives the client the time to read the response before a reset. */
  #linger(): void {
    this.#head = NO_BYTES;
    this.#state = "lingering";
    this.#deadline = performance.now() + this.limits.lingerMs;
    this.transport.end();
    if (this.#peerEnded) this.transport.close();
  }
}

/** The Origin of an unreadable header, if it has exactly one that is well-formed. */
function originOf(head: Buffer): FieldMap {
  const fields = new FieldMap();
  const found = [...head.toString("latin1").matchAll(/\r\norigin:[ \t]*([\x21-\x7e]+)[ \t]*(?=\r\n)/gi)];
  const [origin] = found;
  if (found.length === 1 && origin?.[1] !== undefined) fields.append("origin", origin[1]);
  return fields;
}
