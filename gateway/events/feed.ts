import { DomainError } from "../../schemas/errors.ts";
import type { CommittedEvent, EventRecord } from "../../schemas/events.ts";
import { BoundedMap } from "../../system/bounded-map.ts";
import { KEEPALIVE_FRAME } from "../../system/server-sent-events.ts";
import type { Subscriber } from "./subscriber.ts";

/** The latest events, from which a client that was away for a moment resumes without a gap or a repeat. About 500 bytes each. */
const RECENT_MAX = 20_000;
/** Subscribers of one gateway, and of one user on it. */
const SUBSCRIBERS_MAX = 1_000;
const SUBSCRIBERS_PER_USER_MAX = 10;

/** Sends events to their subscribers as they are committed, and keeps the latest for clients that resume. */
export class EventFeed {
  /** By id, in order of arrival. */
  readonly #recent = new BoundedMap<string, EventRecord>(RECENT_MAX);
  readonly #subscribers = new Map<string, Set<Subscriber>>();
  #count = 0;

  /** Handles one message of events. Repeated events are dropped, since a message may be delivered twice. */
  ingest(events: readonly CommittedEvent[]): void {
    for (const { partition: _partition, seq: _seq, ...event } of events) {
      if (this.#recent.has(event.id)) continue;
      this.#recent.set(event.id, event);
      for (const subscriber of this.#subscribers.get(event.user_id ?? "") ?? []) {
        if (subscriber.matches(event)) subscriber.push(event);
      }
    }
  }

  /** Whether there are no subscribers. */
  get idle(): boolean {
    return this.#count === 0;
  }

  /** The subscriber's events after the event with this id; undefined when that event is not among the latest. */
  after(id: string, subscriber: Subscriber): EventRecord[] | undefined {
    if (!this.#recent.has(id)) return undefined;
    const events: EventRecord[] = [];
    let isAfter = false;
    for (const event of this.#recent.values()) {
      if (isAfter && subscriber.matches(event)) events.push(event);
      if (event.id === id) isAfter = true;
    }
    return events;
  }

  /** @throws OVERLOADED, RATE_LIMITED */
  add(subscriber: Subscriber): void {
    if (this.#count >= SUBSCRIBERS_MAX)
      throw new DomainError("OVERLOADED", "This gateway has too many event streams. Try again shortly");
    const ofUser = this.#subscribers.get(subscriber.userId) ?? new Set();
    if (ofUser.size >= SUBSCRIBERS_PER_USER_MAX) {
      throw new DomainError("RATE_LIMITED", `You have ${SUBSCRIBERS_PER_USER_MAX} event streams already`);
    }
    this.#subscribers.set(subscriber.userId, ofUser.add(subscriber));
    this.#count++;
  }

  remove(subscriber: Subscriber): void {
    subscriber.end();
    const ofUser = this.#subscribers.get(subscriber.userId);
    if (!ofUser?.delete(subscriber)) return;
    this.#count--;
    if (ofUser.size === 0) this.#subscribers.delete(subscriber.userId);
  }

  /** Drops the latest events and ends every stream. Clients connect again, and read the missed events from the log. */
  disconnectAll(): void {
    this.#recent.clear();
    for (const subscriber of this.#all()) this.remove(subscriber);
  }

  keepalive(): void {
    for (const subscriber of this.#all()) subscriber.write(KEEPALIVE_FRAME);
  }

  revalidate(): void {
    for (const subscriber of this.#all()) {
      if (subscriber.ended) this.remove(subscriber);
      else subscriber.isStillAuthorized().catch(() => this.remove(subscriber));
    }
  }

  #all(): Subscriber[] {
    return [...this.#subscribers.values()].flatMap((ofUser) => [...ofUser]);
  }
}
