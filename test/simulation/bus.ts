import type { Bus } from "../../actors/runtime/ports.ts";
import type { Process } from "./process.ts";
import type { Scheduler } from "./scheduler.ts";

/** What may happen to a message. Probabilities. */
export interface BusFaults {
  lose: number;
  duplicate: number;
  /** Arrives up to seconds late, and so out of order. */
  late: number;
}

const HOP_MS = 0.2;
const LATE_MS_MAX = 4_000;
/** Messages that a client keeps while it is away from its server. */
const OUTBOUND_MAX = 10_000;

type Receive = Parameters<Bus["subscribe"]>[1];

interface Subscription {
  readonly client: BusClient;
  readonly subject: string;
  readonly receive: Receive;
}

/** A message server in memory, as NATS is one: at most once, in no order, with a word where nobody listens. */
export class BusServer {
  faults: BusFaults = { lose: 0, duplicate: 0, late: 0 };
  /** By subject, or by what is before its wildcard. */
  readonly #subscriptions = new Map<string, Set<Subscription>>();

  constructor(readonly scheduler: Scheduler) {}

  connect(process: Process): BusClient {
    return new BusClient(this, process);
  }

  subscribe(subscription: Subscription): void {
    const key = subscription.subject.replace(/[*>]$/, "");
    const there = this.#subscriptions.get(key);
    if (there === undefined) this.#subscriptions.set(key, new Set([subscription]));
    else there.add(subscription);
  }

  unsubscribe(subscription: Subscription): void {
    this.#subscriptions.get(subscription.subject.replace(/[*>]$/, ""))?.delete(subscription);
  }

  /** Takes a message that has reached the server. */
  route(subject: string, text: string, replyTo: string): void {
    const listeners = this.#listeners(subject);
    for (const subscription of listeners) this.#deliver(subscription, subject, text, replyTo);
    if (listeners.length > 0 || replyTo === "") return;
    for (const asker of this.#listeners(replyTo)) this.#deliver(asker, replyTo, null, "");
  }

  /** How long a message takes to the server or from it; undefined when it is lost. */
  travelMs(): number | undefined {
    const { random } = this.scheduler;
    if (random.chance(this.faults.lose)) return undefined;
    return random.chance(this.faults.late) ? random.around(LATE_MS_MAX / 4) : random.around(HOP_MS);
  }

  #listeners(subject: string): Subscription[] {
    const found: Subscription[] = [];
    const add = (key: string) => {
      for (const subscription of this.#subscriptions.get(key) ?? [])
        if (subscription.client.process.isAlive) found.push(subscription);
    };
    add(subject);
    for (let dot = subject.indexOf("."); dot !== -1; dot = subject.indexOf(".", dot + 1))
      add(subject.slice(0, dot + 1));
    return found;
  }

  #deliver({ client, receive }: Subscription, subject: string, text: string | null, replyTo: string): void {
    const copies = this.scheduler.random.chance(this.faults.duplicate) ? 2 : 1;
    for (let copy = 0; copy < copies; copy++) {
      const delayMs = this.travelMs();
      if (delayMs !== undefined) {
        client.process.after(delayMs, "message", () => client.take(() => receive(text, replyTo, subject)));
      }
    }
  }
}

/** A process's connection to the server. */
export class BusClient implements Bus {
  isCut = false;
  /** Since when it knows that it is cut off. */
  #noticedAtMs: number | undefined;
  #outbound: (() => void)[] = [];

  constructor(
    private readonly server: BusServer,
    readonly process: Process,
  ) {}

  publish(subject: string, text: string, replyTo = ""): void {
    const { scheduler } = this.server;
    const send = () => {
      const copies = scheduler.random.chance(this.server.faults.duplicate) ? 2 : 1;
      for (let copy = 0; copy < copies; copy++) {
        const delayMs = this.server.travelMs();
        if (delayMs === undefined) continue;
        // Once it is on its way its sender may die.
        scheduler.after(delayMs, "bus", () => this.server.route(subject, text, replyTo));
      }
    };
    if (!this.isCut) send();
    else if (this.#outbound.length < OUTBOUND_MAX) this.#outbound.push(send);
  }

  subscribe(subject: string, receive: Receive): () => void {
    const subscription = { client: this, subject, receive };
    this.server.subscribe(subscription);
    return () => this.server.unsubscribe(subscription);
  }

  /** Nothing but our own sends here: a message that cannot be taken is a fault. */
  dropped(kind: string, reason: string, error?: unknown): void {
    throw new Error(`a message of ${kind} was dropped: ${reason}`, { cause: error });
  }

  connected(): boolean {
    return this.#noticedAtMs === undefined;
  }

  disconnectedSinceMs(): number | undefined {
    return this.#noticedAtMs;
  }

  ping(timeoutMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const away = () => reject(new Error("the bus does not answer"));
      if (this.#noticedAtMs !== undefined) return away();
      const delayMs = this.isCut ? undefined : this.server.travelMs();
      if (delayMs === undefined || delayMs >= timeoutMs) this.process.after(timeoutMs, "ping", away);
      else this.process.after(delayMs, "ping", resolve);
    });
  }

  /** Whether the process reaches the bus. What it sends meanwhile leaves afterwards; what is sent to it is lost. */
  cut(isCut: boolean, noticedAfterMs: number): void {
    this.isCut = isCut;
    if (isCut) {
      this.process.after(noticedAfterMs, "bus away", () => {
        this.#noticedAtMs = this.isCut ? this.process.clock.monotonicMs() : undefined;
      });
      return;
    }
    this.#noticedAtMs = undefined;
    for (const send of this.#outbound.splice(0)) send();
  }

  take(receive: () => void): void {
    if (!this.isCut) receive();
  }
}
