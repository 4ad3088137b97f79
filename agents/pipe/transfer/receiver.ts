import type { Refusal } from "../../http1/refusal.ts";
import type { Chunk, Fields } from "../../http1/response.ts";
import { corsFields } from "../headers/cors.ts";
import type { Download } from "../headers/disposition.ts";
import { type Announcement, receiverFields } from "../headers/forwarded.ts";
import type { Exchange } from "../http/exchange.ts";
import { COMMON, Peer, STREAMED } from "./peer.ts";

/** What a receiver tells of itself. */
export interface ReceiverEvents {
  onPeerLeft(receiver: Receiver): void;
  finished(receiver: Receiver): void;
  drained(receiver: Receiver): void;
  checkTimeouts(receiver: Receiver, now: number): void;
}

/** Someone who gets a copy. */
export class Receiver extends Peer {
  events: ReceiverEvents | undefined;

  constructor(
    exchange: Exchange,
    readonly n: number,
    private readonly download: Download,
    release: () => void,
  ) {
    super(exchange, release);
  }

  get hasStarted(): boolean {
    return this.exchange.hasStarted;
  }

  start(announced: Announcement): void {
    const fields = { ...STREAMED, ...this.#cors(), ...receiverFields(announced, this.download) };
    this.exchange.start(200, fields, announced.length);
  }

  /** Returns whether more may be written now. */
  write(chunk: Chunk): boolean {
    return this.exchange.write(chunk);
  }

  end(): void {
    this.exchange.end();
  }

  /** What it got, if anything, is not all of it, and it is made to see that. */
  fail(refusal: Refusal): void {
    if (this.hasStarted) this.exchange.abort();
    else this.refuse(refusal);
  }

  refuse({ status, message, headers }: Refusal): void {
    const fields = { ...COMMON, ...this.#cors(), ...headers, "Content-Type": "text/plain; charset=utf-8" };
    this.exchange.respond(status, fields, `[ERROR] ${message}\n`);
  }

  #cors(): Fields {
    return corsFields(this.exchange.request.headers);
  }

  protected override left(): void {
    this.events?.onPeerLeft(this);
  }

  protected override finished(): void {
    this.events?.finished(this);
  }

  protected override drained(): void {
    this.events?.drained(this);
  }

  /** A client that has asked and listens would keep its side open; one that is gone looks the same, and is far more common. */
  protected override halfClosed(): void {
    if (!this.exchange.hasEnded) this.exchange.abort();
  }

  protected override swept(now: number): void {
    this.events?.checkTimeouts(this, now);
  }
}
