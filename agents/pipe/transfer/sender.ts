import { Chunk } from "../../http1/response.ts";
import { corsFields } from "../headers/cors.ts";
import type { Exchange } from "../http/exchange.ts";
import type { PeerLimiter } from "../peer-limiter.ts";
import { Peer, STREAMED } from "./peer.ts";
import { Source } from "./source.ts";

/** The lines that a sender sees (spec §3, §4.2): its client may look for them, so not a letter differs. */
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

/** What a sender tells of itself. */
export interface SenderEvents {
  onPeerLeft(sender: Sender): void;
  /** Its body broke off before anybody took it. */
  broken(sender: Sender, reason: string): void;
  checkTimeouts(sender: Sender, now: number): void;
}

/** Someone who sends: an upload that is answered by lines while it goes on. */
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

  /** Says that it waits. */
  begin(): void {
    const cors = corsFields(this.exchange.request.headers);
    this.exchange.start(200, { ...STREAMED, ...cors, "Content-Type": "text/plain; charset=utf-8" });
    this.writeLine(STATUS_LINES.waiting(this.n));
  }

  writeLine(line: string): void {
    this.exchange.write(new Chunk(Buffer.from(`${line}\n`)));
  }

  /** The last line. What the client still sends is not wanted. */
  end(line: string): void {
    this.writeLine(line);
    this.source.drop();
    if (!this.exchange.bodyIsRead) this.exchange.reusable = false;
    this.exchange.end();
  }

  /** Whether nothing would be heard of the client's end: it has ended its side, or its body is in between. */
  get isSilent(): boolean {
    return this.#clientListens || this.source.isPaused;
  }

  /** See `Exchange.ask`. */
  requestContinue(): void {
    this.exchange.ask();
  }

  protected override left(): void {
    this.source.drop();
    this.events?.onPeerLeft(this);
  }

  /** All is sent, and the lines may still be read; in HTTP/1.0 there is no way to ask. */
  protected override halfClosed(): void {
    if (this.exchange.canAsk) {
      this.#clientListens = true;
      this.requestContinue();
    } else {
      this.events?.broken(this, "the sender ended its connection");
    }
  }

  protected override swept(now: number): void {
    this.events?.checkTimeouts(this, now);
  }
}
