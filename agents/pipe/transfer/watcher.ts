import { EVENT_STREAM_TYPE, eventFrame, KEEPALIVE_FRAME } from "../../../system/server-sent-events.ts";
import { Chunk } from "../../http1/response.ts";
import { corsFields } from "../headers/cors.ts";
import type { Exchange } from "../http/exchange.ts";
import { type Limits, WATCHER_BACKLOG_BYTES_MAX } from "../limits.ts";
import { Peer, STREAMED } from "./peer.ts";
import type { Snapshot } from "./pipe.ts";

/** A watcher: it gets the progress as Server-Sent Events and does not count as a receiver (design §4, "Pipe"). */
export class Watcher extends Peer {
  #writtenAt = performance.now();
  #streams = false;

  constructor(
    exchange: Exchange,
    private readonly limits: Limits,
    private readonly gone: (watcher: Watcher) => void,
    release: () => void,
  ) {
    super(exchange, release);
  }

  begin(snapshot: Snapshot): void {
    const cors = corsFields(this.exchange.request.headers);
    this.exchange.start(200, { ...STREAMED, ...cors, "Content-Type": EVENT_STREAM_TYPE });
    this.write(snapshot);
  }

  /** Sends an event. A slow watcher misses some progress events, but never the end. */
  write({ event, data }: Snapshot): void {
    this.#streams = event === "streaming" || event === "progress";
    const isEnd = event === "complete" || event === "failed";
    if (!isEnd && this.exchange.unsentBytes > WATCHER_BACKLOG_BYTES_MAX) return;
    this.#write(eventFrame({ event, data: JSON.stringify(data) }));
    if (isEnd) this.exchange.end();
  }

  #write(text: string): void {
    this.#writtenAt = performance.now();
    this.exchange.write(new Chunk(Buffer.from(text)));
  }

  protected override left(): void {
    this.gone(this);
  }

  protected override finished(): void {
    this.gone(this);
  }

  protected override halfClosed(): void {
    this.exchange.abort();
  }

  protected override swept(now: number): void {
    // The same time limit as for other waiting peers; a page reconnects by itself.
    if (!this.#streams && now - this.since >= this.limits.waitMs) this.exchange.end();
    else if (now - this.#writtenAt >= this.limits.keepaliveCommentMs && this.exchange.unsentBytes === 0) {
      this.#write(KEEPALIVE_FRAME);
    }
  }
}
