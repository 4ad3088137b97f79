import {
  EVENT_STREAM_TYPE,
  eventFrame,
  KEEPALIVE_FRAME,
  retryFrame,
} from "../../system/server-sent-events.ts";
import type { History } from "./history/history.ts";
import { hardened, Refusal } from "./http/refusal.ts";
import { KEEPALIVE_MS, STREAM_BACKLOG_BYTES_MAX, STREAMS_MAX, STREAMS_PER_CLIENT_MAX } from "./limits.ts";
import type { Update } from "./record.ts";

interface Stream {
  readonly display: number;
  readonly client: string;
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
}

/** The pause before a disconnected client reconnects. */
const RETRY_MS = 3_000;
const BUSY_SECONDS = 10;
const bytesOf = (text: string) => new TextEncoder().encode(text);
const KEEPALIVE = bytesOf(KEEPALIVE_FRAME);

/** Ends the stream of a client that does not read. */
class TooSlow extends Error {}

/** The subscribers of displays (spec §6). Each gets its display's updates, in order and once. */
export class Streams {
  readonly #streams = new Set<Stream>();
  readonly #keepalive: ReturnType<typeof setInterval>;

  constructor(
    private readonly history: History,
    keepaliveMs = KEEPALIVE_MS,
  ) {
    this.#keepalive = setInterval(() => this.#sendAll(KEEPALIVE, () => true), keepaliveMs);
    this.#keepalive.unref();
  }

  get size(): number {
    return this.#streams.size;
  }

  /**
   * Opens a stream of a display's updates from now on; with `lastEventId`, from that update on. If updates in between
   * are no longer stored, the stream begins with the event `reset`, after which the client must read the history
   * again.
   *
   * @throws Refusal when there are too many
   */
  open(display: number, client: string, lastEventId: string | null): Response {
    const own = [...this.#streams].filter((stream) => stream.client === client).length;
    if (this.#streams.size >= STREAMS_MAX || own >= STREAMS_PER_CLIENT_MAX) {
      const headers = { "retry-after": String(BUSY_SECONDS) };
      throw new Refusal(503, "OVERLOADED", "too many streams are open", headers);
    }
    const missed = this.#missed(display, lastEventId);
    let stream: Stream | undefined;
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          stream = { display, client, controller };
          this.#streams.add(stream);
          controller.enqueue(bytesOf(retryFrame(RETRY_MS) + missed));
        },
        cancel: () => {
          if (stream !== undefined) this.#streams.delete(stream);
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: STREAM_BACKLOG_BYTES_MAX }),
    );
    return new Response(body, {
      headers: hardened({
        "content-type": EVENT_STREAM_TYPE,
        "cache-control": "no-store, no-transform",
        "x-accel-buffering": "no",
      }),
    });
  }

  publish(update: Update): void {
    this.#sendAll(bytesOf(frameOf(update)), ({ display }) => display === update.display);
  }

  /** Ends all streams, cleanly. */
  close(): void {
    clearInterval(this.#keepalive);
    for (const { controller } of this.#streams) controller.close();
    this.#streams.clear();
  }

  #missed(display: number, lastEventId: string | null): string {
    if (lastEventId === null) return "";
    const seq = /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : -1;
    const frames = this.history.updatesSince(display, seq)?.map(frameOf).join("");
    if (frames !== undefined && frames.length < STREAM_BACKLOG_BYTES_MAX) return frames;
    return eventFrame({ event: "reset", id: this.history.newest(), data: "{}" });
  }

  #sendAll(frame: Uint8Array, whether: (stream: Stream) => boolean): void {
    for (const stream of this.#streams) {
      if (!whether(stream)) continue;
      if ((stream.controller.desiredSize ?? 0) > 0) stream.controller.enqueue(frame);
      else {
        this.#streams.delete(stream);
        stream.controller.error(new TooSlow("the client does not read"));
      }
    }
  }
}

const frameOf = ({ type, seq, record }: Update) => eventFrame({ event: type, id: seq, data: record });
