import { consume } from "../../actors/runtime/transport/consume.ts";
import type { NatsBus } from "../../actors/runtime/transport/nats-bus.ts";
import { CommittedEvents, EVENTS_LENGTH_MAX } from "../../schemas/events.ts";
import { jsonOf } from "../../schemas/received.ts";
import { EVENT_SUBJECT } from "../../schemas/subjects.ts";
import { ActiveTimer } from "../../system/active-timer.ts";
import { EventFeed, type EventFeedOptions } from "./feed.ts";

/** Credentials are checked this often: a stream whose session ended is disconnected within it. */
const REVALIDATE_MS = 1_000;
/**
 * The subscription ends after this time without subscribers, since it costs work. A client that resumes later reads
 * the log.
 */
const LINGER_MS = 60_000;
/** Proxies close silent connections; half a minute is a common limit. */
const KEEPALIVE_MS = 15_000;

const readEvents = jsonOf(CommittedEvents, EVENTS_LENGTH_MAX);

/** The events of a gateway: a feed, with a subscription to NATS while the feed has subscribers and for a while after that. */
export class EventFeedConnection {
  readonly feed: EventFeed;
  readonly #timers = [
    new ActiveTimer(REVALIDATE_MS, () => this.#revalidate()),
    new ActiveTimer(KEEPALIVE_MS, () => {
      this.feed.keepalive();
      return this.#unsubscribe !== undefined;
    }),
  ];
  #unsubscribe: (() => void) | undefined;
  #subscribed = Promise.resolve();
  #idleSinceMs: number | undefined;

  constructor(
    private readonly bus: NatsBus,
    options: EventFeedOptions,
  ) {
    this.feed = new EventFeed(options);
    void this.#watchConnection();
  }

  /** Subscribes to NATS. Resolves when every event that is committed from now on reaches the feed. */
  open(): Promise<void> {
    this.#idleSinceMs = undefined;
    if (this.#unsubscribe !== undefined) return this.#subscribed;
    for (const timer of this.#timers) timer.start();
    this.#unsubscribe = consume(this.bus, EVENT_SUBJECT, {
      kind: "events",
      read: readEvents,
      handle: (events) => this.feed.ingest(events),
    });
    // The server has processed the subscription when it answers a later PING.
    this.#subscribed = this.bus.connection.flush();
    return this.#subscribed;
  }

  /** Ends every stream and the subscription. */
  stop(): void {
    for (const timer of this.#timers) timer.stop();
    this.#close();
  }

  #close(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    this.feed.disconnectAll();
  }

  /** When the connection breaks, the missed events are unknown, so every client must connect again. */
  async #watchConnection(): Promise<void> {
    for await (const { type } of this.bus.connection.status()) {
      if (type === "disconnect" || type === "reconnect") this.feed.disconnectAll();
    }
  }

  /** @returns whether it is still subscribed */
  #revalidate(): boolean {
    this.feed.revalidate();
    if (this.#unsubscribe === undefined || !this.feed.idle) {
      this.#idleSinceMs = undefined;
      return this.#unsubscribe !== undefined;
    }
    this.#idleSinceMs ??= performance.now();
    if (performance.now() - this.#idleSinceMs > LINGER_MS) this.#close();
    return this.#unsubscribe !== undefined;
  }
}
