import { Chunk } from "../../http1/response.ts";
import { corsFields } from "../headers/cors.ts";
import type { Exchange } from "../http/exchange.ts";
import type { PeerLimiter } from "../peer-limiter.ts";
import { Peer, STREAMED } from "./peer.ts";
import { Source } from "./source.ts";

/**
 * The status lines for a sender (spec §3, §4.2). Clients may compare them, so they are exactly those of the contract.
 */
export const STATUS_LINES = {
  waiting: (n: number) => `[INFO] Waiting for ${n} receiver(s) to connect...`,
  streaming: (n: number) => `[INFO] Streaming to ${n} receiver(s)...`,
  uploaded: "[INFO] Upload complete.",
  complete: "[INFO] Transfer complete.",
  receiverLeft: "[INFO] A receiver disconnected.",
  allLeft: "[INFO] All receivers disconnected before transfer completed.",
  timedOut: "[ERROR] Timed out waiting for receivers.",
  failed: "[ERROR] Transfer failed",
} as const;

/** The events of a sender. */
export interface SenderEvents {
  onPeerLeft(sender: Sender): void;
  /** Its body broke off before a transfer began. */
  broken(sender: Sender, reason: string): void;
  checkTimeouts(sender: Sender, now: number): void;
}

/** A sender: an upload whose response has status lines while it is in progress. */
export class Sender extends Peer {
  events: SenderEvents | undefined;
  readonly source: Source;
  #clientListens = false;

  /** @throws Refusal 400 */
  constructor(
    exchange: Exchange,
    readonly n: number,
    peers: PeerLimiter,
    release: () => void,
  ) {
    const source = new Source(exchange, peers, (reason) => this.events?.broken(this, reason));
    super(exchange, release);
    this.source = source;
  }

  /** Begins the response, with the line that it waits. */
  begin(): void {
    const cors = corsFields(this.exchange.request.headers);
    this.exchange.start(200, { ...STREAMED, ...cors, "Content-Type": "text/plain; charset=utf-8" });
    this.writeLine(STATUS_LINES.waiting(this.n));
  }

  writeLine(line: string): void {
    this.exchange.write(new Chunk(Buffer.from(`${line}\n`)));
  }

  /** Ends the response with the last line. Further bytes of the client are dropped. */
  end(line: string): void {
    this.writeLine(line);
    this.source.drop();
    if (!this.exchange.bodyIsRead) this.exchange.reusable = false;
    this.exchange.end();
  }

  /**
   * Whether the client's end would go unnoticed: it has half-closed the connection, or unread bytes of its body are
   * in front of its end.
   */
  get isSilent(): boolean {
    return this.#clientListens || this.source.isPaused;
  }

  /** See `Exchange.probe`. */
  probe(): void {
    this.exchange.probe();
  }

  protected override left(): void {
    this.source.drop();
    this.events?.onPeerLeft(this);
  }

  /**
   * A sender that has sent everything may still read the lines; in HTTP/1.0 it cannot be probed, so it counts as
   * gone.
   */
  protected override halfClosed(): void {
    if (this.exchange.canAsk) {
      this.#clientListens = true;
      this.probe();
    } else {
      this.events?.broken(this, "the sender ended its connection");
    }
  }

  protected override swept(now: number): void {
    this.events?.checkTimeouts(this, now);
  }
}
