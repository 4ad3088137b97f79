import type { Refusal } from "../../http1/refusal.ts";
import type { Chunk, Fields } from "../../http1/response.ts";
import { corsFields } from "../headers/cors.ts";
import type { Download } from "../headers/disposition.ts";
import { type Announcement, receiverFields } from "../headers/forwarded.ts";
import type { Exchange } from "../http/exchange.ts";
import { COMMON, Peer, STREAMED } from "./peer.ts";

/** The events of a receiver. */
export interface ReceiverEvents {
  onPeerLeft(receiver: Receiver): void;
  finished(receiver: Receiver): void;
  drained(receiver: Receiver): void;
  checkTimeouts(receiver: Receiver, now: number): void;
}

/** A receiver, which gets a copy of the sender's bytes. */
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

  /** Writes a chunk. Returns whether more may be written now. */
  write(chunk: Chunk): boolean {
    return this.exchange.write(chunk);
  }

  end(): void {
    this.exchange.end();
  }

  /** Fails the receiver, so that it sees that its data is incomplete. */
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

  /**
   * Counts a half-closed receiver as gone. A client that only listens looks the same as one that is gone, which is
   * far more common.
   */
  protected override halfClosed(): void {
    if (!this.exchange.hasEnded) this.exchange.abort();
  }

  protected override swept(now: number): void {
    this.events?.checkTimeouts(this, now);
  }
}
