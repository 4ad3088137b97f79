import type { Fields } from "../../http1/response.ts";
import type { Exchange } from "../http/exchange.ts";

/** What every response carries (spec §4.2, rule 5). */
export const COMMON: Fields = { "X-Robots-Tag": "none", "X-Content-Type-Options": "nosniff" };

/** The header fields of streamed responses: proxies must not cache or buffer them. */
export const STREAMED: Fields = { ...COMMON, "Cache-Control": "no-store", "X-Accel-Buffering": "no" };

/** A sender, receiver or watcher. It holds a permit until its response is sent or the connection is gone. */
export abstract class Peer {
  readonly since: number = performance.now();
  #gone = false;

  constructor(
    protected readonly exchange: Exchange,
    release: () => void,
  ) {
    const gone = (then: () => void) => () => {
      if (this.#gone) return;
      this.#gone = true;
      release();
      then();
    };
    exchange.events = {
      left: gone(() => this.left()),
      finished: gone(() => this.finished()),
      halfClosed: () => this.halfClosed(),
      drained: () => this.drained(),
      swept: (now) => this.swept(now),
    };
  }

  protected abstract left(): void;
  protected finished(): void {}
  protected halfClosed(): void {}
  protected drained(): void {}
  protected swept(_now: number): void {}
}
