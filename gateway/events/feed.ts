import { consume } from "../../actors/runtime/transport/consume.ts";
import type { NatsBus } from "../../actors/runtime/transport/nats-bus.ts";
import { DomainError } from "../../schemas/errors.ts";
import {
  type CommittedEvent,
  CommittedEvents,
  EVENTS_LENGTH_MAX,
  type EventRecord,
} from "../../schemas/events.ts";
import { jsonOf } from "../../schemas/received.ts";
import { EVENT_SUBJECT } from "../../schemas/subjects.ts";
import { BoundedMap } from "../../system/bounded-map.ts";
import { eventFrame, KEEPALIVE_FRAME } from "../../system/server-sent-events.ts";

/** Who was away for a moment goes on from these, without a gap or a repeat. About 500 bytes each. */
const RECENT_MAX = 20_000;
/** Followers of one gateway, and of one user on it. */
const SUBSCRIBERS_MAX = 1_000;
const SUBSCRIBERS_PER_USER_MAX = 10;
/** What waits for one follower. Who reads slower than events come is let go, and may come again. */
const WAITING_CHARACTERS_MAX = 1_000_000;
/** What was missed is handed over in pieces of about so much, as it is read. */
const PIECE_CHARACTERS = 64_000;
/** Events that wait while the log is read for one who comes back. */
const HELD_MAX = 1_000;
/** Credentials are looked at this often: a follower whose session ends is let go within it. */
const LOOK_MS = 1_000;
/** Listening costs, so it ends when nobody has followed for so long; who comes back later is told from the log. */
const LINGER_MS = 60_000;
/** Proxies cut what is silent; half a minute is common. */
const KEEPALIVE_MS = 15_000;

/** One who follows, and what waits for them. */
export class Subscriber {
  #first = "";
  /** What was missed, said before what waits. It is bounded by who gives it, so a slow reader may take all of it. */
  #missed: EventRecord[] = [];
  #waiting: string[] = [];
  #characters = 0;
  #ended = false;
  #wake: (() => void) | undefined;
  /** Events that happened while what was missed is read; they come after it. */
  #held: EventRecord[] | undefined;

  constructor(
    readonly userId: string,
    private readonly realmId: string | undefined,
    /** Rejects when the credential is good no more. */
    readonly isStillAuthorized: () => Promise<void>,
    private readonly onEnd: () => void,
  ) {}

  get ended(): boolean {
    return this.#ended;
  }

  matches(event: EventRecord): boolean {
    return event.user_id === this.userId && (this.realmId === undefined || event.realm_id === this.realmId);
  }

  /** Text of the stream. Past the bound it ends. */
  write(text: string): void {
    if (this.#ended) return;
    this.#waiting.push(text);
    this.#characters += text.length;
    if (this.#characters > WAITING_CHARACTERS_MAX) {
      this.#waiting = [];
      this.end();
    }
    this.#wake?.();
  }

  push(event: EventRecord): void {
    if (this.#held === undefined) this.write(textOf(event));
    else if (this.#held.push(event) > HELD_MAX) this.end();
  }

  /** Keeps events back until `release`. */
  hold(): void {
    this.#held = [];
  }

  /** Says what was missed, and then what happened meanwhile, none of it twice. */
  release(missed: readonly EventRecord[]): void {
    const said = new Set(missed.map(({ id }) => id));
    const held = this.#held?.filter(({ id }) => !said.has(id)) ?? [];
    this.#held = undefined;
    this.#first = this.#taken();
    this.#missed = [...missed];
    for (const event of held) this.write(textOf(event));
    this.#wake?.();
  }

  end(): void {
    if (!this.#ended) this.onEnd();
    this.#ended = true;
    this.#wake?.();
  }

  /** What waits, when there is something; undefined after the end. */
  async next(): Promise<string | undefined> {
    const piece = this.#nextMissed();
    if (piece !== "") return piece;
    while (this.#waiting.length === 0) {
      if (this.#ended) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#taken();
  }

  #taken(): string {
    const text = this.#waiting.join("");
    this.#waiting = [];
    this.#characters = 0;
    return text;
  }

  #nextMissed(): string {
    let text = this.#first;
    this.#first = "";
    let n = 0;
    for (; n < this.#missed.length && text.length < PIECE_CHARACTERS; n++) {
      text += textOf(this.#missed[n] as EventRecord);
    }
    this.#missed = this.#missed.slice(n);
    return text;
  }
}

const textOf = (event: EventRecord) =>
  eventFrame({ event: event.event_type, id: event.id, data: JSON.stringify(event) });

/** Events as they are committed, for those who follow, and the latest of them for those who come back. */
export class EventFeed {
  /** By id, in the order in which they came. */
  readonly #recent = new BoundedMap<string, EventRecord>(RECENT_MAX);
  readonly #followers = new Map<string, Set<Subscriber>>();
  #count = 0;

  /** A message of the stream: a JSON array of events. What came before is dropped: deliveries may come twice. */
  ingest(events: readonly CommittedEvent[]): void {
    for (const { partition: _partition, seq: _seq, ...event } of events) {
      if (this.#recent.has(event.id)) continue;
      this.#recent.set(event.id, event);
      for (const follower of this.#followers.get(event.user_id ?? "") ?? []) {
        if (follower.matches(event)) follower.push(event);
      }
    }
  }

  /** Resolves when every event that is committed from now on is heard. */
  open: () => Promise<void> = () => Promise.resolve();

  /** Nobody follows. */
  get idle(): boolean {
    return this.#count === 0;
  }

  /** What came after the event of this id; undefined when it is not among the latest. */
  after(id: string, follower: Subscriber): EventRecord[] | undefined {
    if (!this.#recent.has(id)) return undefined;
    const events: EventRecord[] = [];
    let isAfter = false;
    for (const event of this.#recent.values()) {
      if (isAfter && follower.matches(event)) events.push(event);
      if (event.id === id) isAfter = true;
    }
    return events;
  }

  /** @throws OVERLOADED, RATE_LIMITED */
  add(follower: Subscriber): void {
    if (this.#count >= SUBSCRIBERS_MAX) throw new DomainError("OVERLOADED", "Too many follow events here");
    const ofUser = this.#followers.get(follower.userId) ?? new Set();
    if (ofUser.size >= SUBSCRIBERS_PER_USER_MAX) {
      throw new DomainError("RATE_LIMITED", `You follow events ${SUBSCRIBERS_PER_USER_MAX} times already`);
    }
    this.#followers.set(follower.userId, ofUser.add(follower));
    this.#count++;
  }

  remove(follower: Subscriber): void {
    follower.end();
    const ofUser = this.#followers.get(follower.userId);
    if (!ofUser?.delete(follower)) return;
    this.#count--;
    if (ofUser.size === 0) this.#followers.delete(follower.userId);
  }

  /** Messages may have been missed: who follows comes again, and is told of them from the log. */
  interrupted(): void {
    this.#recent.clear();
    for (const follower of this.#all()) this.remove(follower);
  }

  keepalive(): void {
    for (const follower of this.#all()) follower.write(KEEPALIVE_FRAME);
  }

  revalidate(): void {
    for (const follower of this.#all()) {
      if (follower.ended) this.remove(follower);
      else follower.isStillAuthorized().catch(() => this.remove(follower));
    }
  }

  /** Lets everybody go. */
  stop: () => void = () => this.interrupted();

  #all(): Subscriber[] {
    return [...this.#followers.values()].flatMap((ofUser) => [...ofUser]);
  }
}

const readEvents = jsonOf(CommittedEvents, EVENTS_LENGTH_MAX);

/**
 * The feed of a gateway: it hears the subject of the stream as it is written, while somebody follows and for a while after that.
 * Where the connection breaks, what was missed is unknown, so every subscriber starts again.
 */
export function openEventFeed(bus: NatsBus): EventFeed {
  const { connection } = bus;
  const feed = new EventFeed();
  let unsubscribe: (() => void) | undefined;
  let opened = Promise.resolve();
  let idleSinceMs: number | undefined;

  const close = () => {
    unsubscribe?.();
    unsubscribe = undefined;
    feed.interrupted();
  };
  feed.open = () => {
    idleSinceMs = undefined;
    if (unsubscribe !== undefined) return opened;
    unsubscribe = consume(bus, EVENT_SUBJECT, {
      kind: "events",
      read: readEvents,
      handle: (events) => feed.ingest(events),
    });
    // The server has it when it has answered what was sent after it.
    opened = connection.flush();
    return opened;
  };
  void (async () => {
    for await (const { type } of connection.status()) {
      if (type === "disconnect" || type === "reconnect") feed.interrupted();
    }
  })();
  const looking = setInterval(() => {
    feed.revalidate();
    if (unsubscribe === undefined || !feed.idle) {
      idleSinceMs = undefined;
      return;
    }
    idleSinceMs ??= performance.now();
    if (performance.now() - idleSinceMs > LINGER_MS) close();
  }, LOOK_MS);
  const keepingAlive = setInterval(() => feed.keepalive(), KEEPALIVE_MS);
  feed.stop = () => {
    clearInterval(looking);
    clearInterval(keepingAlive);
    close();
  };
  return feed;
}
