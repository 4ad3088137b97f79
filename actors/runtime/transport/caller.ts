import { DomainError } from "../../../schemas/errors.ts";
import type { Origin } from "../../../schemas/origin.ts";
import { anything } from "../../../schemas/received.ts";
import { actorSubject, hostSubject, LEASES_CHANGED, replySubject } from "../../../schemas/subjects.ts";
import { currentOrigin } from "../../../system/origin.ts";
import { OverloadedError, UnavailableError } from "../errors.ts";
import { invalidAddress } from "../host/replies.ts";
import { PartitionMap } from "../partition.ts";
import type { Bus, Clock, ClusterLeases, Ids } from "../ports.ts";
import { consume } from "./consume.ts";
import { inMessages, isTooLarge } from "./tick-batcher.ts";
import { type ReplyMessage, type RequestItem, readReplies } from "./wire.ts";

/** How long a caller waits for a reply by default. */
const DEADLINE_MS = 10_000;
/** Requests of one caller in flight. Further ones are refused at once instead of waiting. */
const IN_FLIGHT_MAX = 20_000;
/** A request without a reply is sent again after this time, in case a message was lost. */
const RESEND_MS = 2_000;
/** While a partition has no owner, or its owner does not reply, the leases are read again this often. */
const ROUTE_RETRY_MS = 40;
const SWEEP_MS = 250;
/**
 * With so many requests in flight a new one waits this long for others to travel with. The hosts are busy with the former ones meanwhile,
 * and a message costs its sender, NATS and the host about as much as the requests in it.
 */
const GATHERED_FROM = 16;
const GATHERED_MS = 1;
/**
 * A caller that cannot reach the bus for this long fails its requests instead of letting them wait for the deadline.
 */
const DISCONNECTED_MS_MAX = 2_000;

/**
 * The result of an operation. `version` counts the actor's changes; `replayed`: the reply is that of an earlier
 * request under the same key.
 */
export interface CallReply<Output> {
  readonly value: Output;
  readonly replayed: boolean;
  readonly version: number;
}

export interface CallOptions {
  /** The operation's id. An operation of an actor acts at most once under it. Minted when left out. */
  readonly key?: string;
  /** True if the key is the client's own and may be repeated at any time. */
  readonly hasClientKey?: boolean;
  readonly deadlineMs?: number;
  /** Called when the reply is that of an earlier request under the same key, before it is returned. */
  readonly onReplayed?: () => void;
  /** For logs and traces: that of the request that is being handled, unless told. */
  readonly origin?: Origin | undefined;
}

export interface CallerOptions {
  /** Unique to this process. */
  readonly caller: string;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Reads the partitions and their leases. */
  leases(): Promise<ClusterLeases>;
}

interface Route {
  readonly owner: string;
  readonly epoch: number;
}

interface PendingCall
  extends Pick<RequestItem, "id" | "kind" | "actor" | "op" | "key" | "hasClientKey" | "input" | "origin"> {
  /** Of its actor, as far as this caller knows. */
  partition: number;
  readonly deadlineMs: number;
  attempt: number;
  /** The route of the last attempt; undefined while the partition has no owner. */
  sentTo: Route | undefined;
  sentAtMs: number;
  readonly onReplayed: CallOptions["onReplayed"];
  resolve(reply: CallReply<unknown>): void;
  reject(error: Error): void;
}

/**
 * Sends requests to the owners of their partitions and resolves their replies. Requests for one host travel together: those of one turn
 * of the event loop, or under load those of a millisecond. A single request does not wait for others. A request without a reply is
 * repeated, under the same key, until the deadline.
 */
export class Caller {
  readonly #pending = new Map<number, PendingCall>();
  readonly #routes = new Map<number, Route>();
  #partitions = PartitionMap.initial();
  /** Requests to be sent at the end of this turn, by host. */
  readonly #outgoing = new Map<string, RequestItem[]>();
  /** The requests of each message, for the case that it had no subscriber. */
  readonly #messages = new Map<number, { ids: number[]; sentAtMs: number }>();
  readonly #unsubscribe: (() => void)[];
  #lastId = 0;
  #lastMessage = 0;
  #refreshing: Promise<void> | undefined;
  #refreshAgain = false;
  #retryScheduled = false;
  /** Set while requests are pending: without any this process does not wake for them. */
  #cancelSweep: (() => void) | undefined;
  #closed = false;

  constructor(private readonly options: CallerOptions) {
    const { bus, caller } = options;
    this.#unsubscribe = [
      consume(bus, replySubject(caller, "*"), {
        kind: "actor-reply",
        read: readReplies,
        handle: (replies) => {
          for (const reply of replies) this.#settle(reply);
        },
        noResponders: (subject) => this.#onNoResponders(Number(subject.slice(subject.lastIndexOf(".") + 1))),
      }),
      consume(bus, LEASES_CHANGED, { kind: "leases", read: anything, handle: () => this.#refresh() }),
    ];
    this.#refresh();
  }

  /** Sends one operation to one actor. */
  call(
    kind: string,
    actor: string,
    op: string,
    input: unknown,
    call: CallOptions = {},
  ): Promise<CallReply<unknown>> {
    if (this.#closed) return Promise.reject(closing());
    if (this.#isLongAway()) return Promise.reject(new UnavailableError());
    if (this.#pending.size >= IN_FLIGHT_MAX) return Promise.reject(new OverloadedError());
    const key = call.key ?? this.options.ids.record();
    const invalid = invalidAddress({ actor, key });
    if (invalid !== undefined) return Promise.reject(invalid);
    const now = this.options.clock.monotonicMs();
    return new Promise((resolve, reject) => {
      const request: PendingCall = {
        id: ++this.#lastId,
        kind,
        actor,
        op,
        key,
        hasClientKey: call.hasClientKey ?? false,
        input,
        origin: call.origin ?? currentOrigin(),
        partition: this.#partitions.of(kind, actor),
        deadlineMs: now + (call.deadlineMs ?? DEADLINE_MS),
        attempt: 0,
        sentTo: undefined,
        sentAtMs: now,
        onReplayed: call.onReplayed,
        resolve,
        reject,
      };
      this.#pending.set(request.id, request);
      if (this.#cancelSweep === undefined) this.#expireLater();
      this.#send(request);
    });
  }

  close(): void {
    this.#closed = true;
    this.#cancelSweep?.();
    for (const end of this.#unsubscribe) end();
    for (const request of this.#pending.values()) request.reject(closing());
    this.#pending.clear();
  }

  #settle(reply: ReplyMessage): void {
    const request = this.#pending.get(reply.id);
    if (request === undefined) return;
    if (reply.status === "moved") {
      this.#routeLater(request);
      return;
    }
    this.#pending.delete(reply.id);
    if (reply.status === "ok") {
      if (reply.replayed) request.onReplayed?.();
      request.resolve({ value: reply.value, replayed: reply.replayed, version: reply.version });
    } else request.reject(errorOf(reply));
  }

  #send(request: PendingCall): void {
    const route = this.#routes.get(request.partition);
    if (route === undefined) {
      this.#routeLater(request);
      return;
    }
    const now = this.options.clock.monotonicMs();
    request.sentTo = route;
    request.sentAtMs = now;
    const item: RequestItem = {
      id: request.id,
      partition: request.partition,
      epoch: route.epoch,
      kind: request.kind,
      actor: request.actor,
      op: request.op,
      key: request.key,
      hasClientKey: request.hasClientKey,
      attempt: request.attempt++,
      ttlMs: Math.max(1, Math.round(request.deadlineMs - now)),
      input: request.input,
      origin: request.origin,
    };
    if (this.#outgoing.size === 0) this.#flushLater();
    const items = this.#outgoing.get(route.owner);
    if (items === undefined) this.#outgoing.set(route.owner, [item]);
    else items.push(item);
  }

  #flushLater(): void {
    const { clock } = this.options;
    if (this.#pending.size < GATHERED_FROM) clock.soon(() => this.#flush());
    else clock.after(GATHERED_MS, () => this.#flush());
  }

  #flush(): void {
    const { bus, clock, caller } = this.options;
    for (const [owner, items] of this.#outgoing) {
      const [first] = items;
      if (first === undefined) continue;
      // One request on its own takes the subject of its partition and epoch; several go to their host together.
      const subject =
        items.length === 1
          ? actorSubject(first.partition, first.epoch, first.kind, first.actor, first.op)
          : hostSubject(owner);
      const encoded = items.flatMap((item) => this.#encode(item));
      // If the first of several messages to a host has no subscriber, neither have the others.
      let ids = items.map((item) => item.id);
      for (const text of inMessages(encoded)) {
        this.#messages.set(++this.#lastMessage, { ids, sentAtMs: clock.monotonicMs() });
        bus.publish(subject, text, replySubject(caller, this.#lastMessage));
        ids = [];
      }
    }
    this.#outgoing.clear();
  }

  /** Encodes a request. One that is too large for a message is refused and not sent. */
  #encode(item: RequestItem): string[] {
    const text = JSON.stringify(item);
    if (!isTooLarge(text)) return [text];
    const request = this.#pending.get(item.id);
    this.#pending.delete(item.id);
    request?.reject(new DomainError("PAYLOAD_TOO_LARGE", "the operation is larger than a message may be"));
    return [];
  }

  #onNoResponders(message: number): void {
    for (const id of this.#messages.get(message)?.ids ?? []) {
      const request = this.#pending.get(id);
      if (request !== undefined) this.#routeLater(request);
    }
    this.#messages.delete(message);
  }

  /** Queues a request whose partition has no owner: the leases are read again shortly. */
  #routeLater(request: PendingCall): void {
    request.sentTo = undefined;
    if (this.#retryScheduled || this.#closed) return;
    this.#retryScheduled = true;
    this.options.clock.after(ROUTE_RETRY_MS, () => {
      this.#retryScheduled = false;
      this.#refresh();
    });
  }

  /** Reads the leases, one read at a time, and sends the requests that wait for an owner or went to a former one. */
  #refresh(): void {
    if (this.#closed) return;
    if (this.#refreshing !== undefined) {
      this.#refreshAgain = true;
      return;
    }
    this.#refreshing = this.#readLeases().finally(() => {
      this.#refreshing = undefined;
      if (this.#refreshAgain) {
        this.#refreshAgain = false;
        this.#refresh();
      }
    });
  }

  async #readLeases(): Promise<void> {
    try {
      const { leases, counts } = await this.options.leases();
      this.#adopt(
        new PartitionMap(
          counts,
          leases.map(({ partition }) => partition),
        ),
      );
      for (const { partition, owner, epoch, expired } of leases) {
        const known = this.#routes.get(partition);
        if (owner === null || expired) this.#routes.delete(partition);
        else if (known?.owner !== owner || known.epoch !== epoch)
          this.#routes.set(partition, { owner, epoch });
      }
    } catch {
      // The database is unavailable: the known routes stay in use, and requests without a route wait.
    }
    for (const request of this.#pending.values()) {
      const route = this.#routes.get(request.partition);
      // An unchanged route stays the same object, so another object means another owner or epoch.
      if (request.sentTo === undefined || (route !== undefined && route !== request.sentTo))
        this.#send(request);
    }
  }

  /** Partitions were split since the leases were read: requests that are under way may be for other ones now. */
  #adopt(partitions: PartitionMap): void {
    if (partitions.isSameAs(this.#partitions)) return;
    this.#partitions = partitions;
    for (const request of this.#pending.values()) {
      const partition = partitions.of(request.kind, request.actor);
      if (partition === request.partition) continue;
      request.partition = partition;
      request.sentTo = undefined;
    }
  }

  #expireLater(): void {
    this.#cancelSweep = this.options.clock.after(SWEEP_MS, () => {
      this.#expire();
      this.#cancelSweep = undefined;
      if (this.#pending.size > 0 || this.#messages.size > 0) this.#expireLater();
    });
  }

  /** Fails requests past their deadline, and repeats those whose message may have been lost. */
  #expire(): void {
    const now = this.options.clock.monotonicMs();
    const isAway = this.#isLongAway();
    for (const request of this.#pending.values()) {
      if (now >= request.deadlineMs || isAway) {
        this.#pending.delete(request.id);
        request.reject(new UnavailableError());
      } else if (request.sentTo !== undefined && now - request.sentAtMs > RESEND_MS)
        this.#routeLater(request);
    }
    for (const [message, { sentAtMs }] of this.#messages) {
      if (now - sentAtMs < RESEND_MS) break;
      this.#messages.delete(message);
    }
  }

  #isLongAway(): boolean {
    const { bus, clock } = this.options;
    const sinceMs = bus.disconnectedSinceMs();
    return sinceMs !== undefined && clock.monotonicMs() - sinceMs > DISCONNECTED_MS_MAX;
  }
}

function errorOf(reply: ReplyMessage & { readonly status: "error" }): Error {
  if (reply.code === "OVERLOADED") return new OverloadedError(reply.message);
  if (reply.code === "UNAVAILABLE") return new UnavailableError();
  return new DomainError(reply.code, reply.message, reply.data);
}

const closing = () => new UnavailableError("this caller is shutting down");
