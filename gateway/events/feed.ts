import type { Logger } from "pino";
import { EVERYBODY_AUDIENCE, hasOwnCopy } from "../../schemas/audiences.ts";
import { DomainError } from "../../schemas/errors.ts";
import type { CommittedEvent, EventRecord } from "../../schemas/events.ts";
import { BoundedMap } from "../../system/bounded-map.ts";
import { KEEPALIVE_FRAME } from "../../system/server-sent-events.ts";
import type { Subscriber } from "./subscriber.ts";

/** The latest events, from which a client that was away for a moment resumes without a gap or a repeat. About 500 bytes each. */
const RECENT_MAX = 20_000;
/** Subscribers of one gateway, and of one user on it. */
const SUBSCRIBERS_MAX = 10_000;
const SUBSCRIBERS_PER_USER_MAX = 10;
/** Messages that wait for the database to say who may read a shared event. Past it every client connects again. */
const WAITING_MAX = 1_000;

type FedEvent = EventRecord & { readonly audience?: string };

export interface EventFeedOptions {
  /** Which of these users belong to which of these audiences at the moment. */
  readReaders(audiences: readonly string[], userIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** A user with an audience, as `readReaders` answers it. */
  readerKey(audience: string, userId: string): string;
  readonly log: Logger;
}

/** Sends events to their subscribers as they are committed, and keeps the latest for clients that resume. */
export class EventFeed {
  /** By id, in order of arrival. */
  readonly #recent = new BoundedMap<string, FedEvent>(RECENT_MAX);
  readonly #subscribers = new Map<string, Set<Subscriber>>();
  /** Messages that wait behind one whose readers are being looked up: order holds. */
  #waiting: (readonly CommittedEvent[])[] = [];
  #isLookingUp = false;
  #count = 0;

  constructor(private readonly options: EventFeedOptions) {}

  /** Handles one message of events. Repeated events are dropped, since a message may be delivered twice. */
  ingest(events: readonly CommittedEvent[]): void {
    if (!this.#isLookingUp && this.#sharedAudiences(events).length === 0) {
      this.#deliver(events, new Set());
      return;
    }
    if (this.#waiting.push(events) > WAITING_MAX) this.disconnectAll();
    if (!this.#isLookingUp) void this.#deliverWaiting();
  }

  /** Whether there are no subscribers. */
  get idle(): boolean {
    return this.#count === 0;
  }

  /** The events after the event with this id that `isReadable` allows; undefined when that event is not among the latest. */
  after(id: string, isReadable: (event: FedEvent) => boolean): EventRecord[] | undefined {
    if (!this.#recent.has(id)) return undefined;
    const events: EventRecord[] = [];
    let isAfter = false;
    for (const event of this.#recent.values()) {
      if (isAfter && isReadable(event)) events.push(recordOf(event));
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
    this.#waiting = [];
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

  /** Audiences of these events whose readers have to be looked up: those who follow may be among them. */
  #sharedAudiences(events: readonly CommittedEvent[]): string[] {
    if (this.idle) return [];
    return events.flatMap(({ audience }) =>
      audience === undefined || audience === EVERYBODY_AUDIENCE ? [] : [audience],
    );
  }

  async #deliverWaiting(): Promise<void> {
    this.#isLookingUp = true;
    for (let events = this.#waiting.shift(); events !== undefined; events = this.#waiting.shift()) {
      const audiences = this.#sharedAudiences(events);
      try {
        // After the event was committed: who had lost the access by then is not among them.
        const readers =
          audiences.length === 0
            ? new Set<string>()
            : await this.options.readReaders([...new Set(audiences)], [...this.#subscribers.keys()]);
        this.#deliver(events, readers);
      } catch (error) {
        this.options.log.warn({ err: error }, "readers of an event are unknown; clients connect again");
        this.disconnectAll();
      }
    }
    this.#isLookingUp = false;
  }

  #deliver(events: readonly CommittedEvent[], readers: ReadonlySet<string>): void {
    for (const { partition: _partition, seq: _seq, ...event } of events) {
      if (this.#recent.has(event.id)) continue;
      this.#recent.set(event.id, event);
      for (const userId of this.#readersOf(event, readers))
        for (const subscriber of this.#subscribers.get(userId) ?? [])
          if (subscriber.matches(event)) subscriber.push(recordOf(event));
    }
  }

  /** The users who follow and may read an event. */
  #readersOf(event: FedEvent, readers: ReadonlySet<string>): Iterable<string> {
    const { audience, user_id } = event;
    if (audience === EVERYBODY_AUDIENCE) return this.#subscribers.keys();
    const own = user_id === null ? [] : [user_id];
    if (audience === undefined || readers.size === 0) return own;
    const others = [...this.#subscribers.keys()].filter(
      (userId) =>
        userId !== user_id &&
        readers.has(this.options.readerKey(audience, userId)) &&
        !hasOwnCopy(event, userId),
    );
    return [...own, ...others];
  }

  #all(): Subscriber[] {
    return [...this.#subscribers.values()].flatMap((ofUser) => [...ofUser]);
  }
}

/** The audience tells of who else has access: it is nobody's business. */
const recordOf = ({ audience: _audience, ...record }: FedEvent): EventRecord => record;
