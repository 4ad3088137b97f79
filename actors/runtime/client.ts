import { DomainError } from "../../schemas/errors.ts";
import { actorSubject, hostSubject, LEASES_CHANGED, replySubject } from "../../schemas/subjects.ts";
import type { Command, Definition } from "./definition.ts";
import { OverloadedError, UnavailableError } from "./errors.ts";
import { partitionOf } from "./partition.ts";
import type { Bus, Clock, Lease } from "./ports.ts";
import { inMessages } from "./tick-batcher.ts";
import type { ReplyItem, RequestItem } from "./wire.ts";

/** How long a caller waits for an answer when it does not say. */
export const DEADLINE_MS = 10_000;
/** Requests that one caller may have under way: past it, it is told so rather than kept waiting. */
const IN_FLIGHT_MAX = 20_000;
/** A request without an answer is sent again after this, in case a message was lost on the way. */
const RESEND_MS = 2_000;
/** While a partition has no owner, or its owner does not answer, the leases are read again this often. */
const ROUTE_RETRY_MS = 40;
const SWEEP_MS = 250;
/** A caller that cannot reach the bus for this long tells its clients so, rather than let them wait for the deadline. */
const AWAY_MS_MAX = 2_000;

/** What came of an operation. `version` counts the actor's changes; `replayed` says that it was answered before. */
export interface Answer<Output> {
  readonly value: Output;
  readonly replayed: boolean;
  readonly version: number;
}

export interface CallOptions {
  /** The operation's id. The same one never acts twice on one actor; minted when left out. */
  readonly key?: string;
  /** True when the key is the end client's own, so that it may come again at any time. */
  readonly keyed?: boolean;
  readonly deadlineMs?: number;
}

type Input<C> = C extends Command<infer _S, infer I, infer _O> ? I : never;
type Output<C> = C extends Command<infer _S, infer _I, infer O> ? O : never;

/** The operations of one actor, as its definition has them. */
export type ActorHandle<D> =
  D extends Definition<string, infer On>
    ? { [Op in keyof On]: (input: Input<On[Op]>, options?: CallOptions) => Promise<Answer<Output<On[Op]>>> }
    : never;

/** `actors.wallet(userId).transfer({ amount: "25" })`: a caller's view of all kinds of actors. */
export type ActorsOf<Definitions extends Record<string, Definition>> = {
  readonly [Kind in keyof Definitions]: (id: string) => ActorHandle<Definitions[Kind]>;
};

export interface ClientOptions {
  /** Unique to this process. */
  readonly caller: string;
  readonly bus: Bus;
  readonly clock: Clock;
  /** Reads who owns which partition. */
  leases(): Promise<readonly Lease[]>;
}

export interface Client<Definitions extends Record<string, Definition>> {
  readonly actors: ActorsOf<Definitions>;
  close(): void;
}

interface Pending {
  readonly kind: string;
  readonly actor: string;
  readonly op: string;
  readonly key: string;
  readonly keyed: boolean;
  readonly input: unknown;
  readonly partition: number;
  readonly deadlineMs: number;
  attempt: number;
  /** Where the last try went. */
  sentTo: string | undefined;
  sentAtMs: number;
  resolve(answer: Answer<unknown>): void;
  reject(error: Error): void;
}

/**
 * Connects a caller to the actors. Requests that one turn of the event loop makes for one host go in one message; a single one
 * is not kept waiting for others. A try that gets no answer is made again under the same key until the deadline.
 *
 * Operations reject with a `DomainError` of the actor's; `OverloadedError` when nothing was done; `UnavailableError` when
 * the outcome is unknown and the same key makes a retry safe.
 */
export function connectClient<Definitions extends Record<string, Definition>>(
  options: ClientOptions,
): Client<Definitions> {
  const { bus, clock, caller } = options;
  const pending = new Map<number, Pending>();
  /** Requests that wait for a route, by id. */
  const unrouted = new Set<number>();
  const routes = new Map<number, { owner: string; epoch: number }>();
  /** What leaves at the end of this turn, by host. */
  const leaving = new Map<string, { items: RequestItem[] }>();
  let leavingScheduled = false;
  let nextId = 1;
  let nextBatch = 1;
  let refreshing: Promise<void> | undefined;
  let refreshAgain = false;
  let retryScheduled = false;
  let closed = false;
  let awaySinceMs: number | undefined;
  /** Which requests a message carried, for the word that nobody took it. */
  const batches = new Map<number, { ids: number[]; sentAtMs: number }>();

  const unsubscribeAnswers = bus.subscribe(replySubject(caller, "*"), (text, _replyTo, subject) => {
    if (text === null) {
      const batch = Number(subject.slice(subject.lastIndexOf(".") + 1));
      for (const id of batches.get(batch)?.ids ?? []) wait(id);
      batches.delete(batch);
      return;
    }
    for (const reply of JSON.parse(text) as ReplyItem[]) settle(reply);
  });
  const unsubscribeLeases = bus.subscribe(LEASES_CHANGED, () => void refresh());
  let cancelSweep = clock.after(SWEEP_MS, sweep);
  void refresh();

  function settle(reply: ReplyItem): void {
    const request = pending.get(reply.id);
    if (request === undefined) return;
    if (reply.status === "moved") {
      wait(reply.id);
      return;
    }
    pending.delete(reply.id);
    unrouted.delete(reply.id);
    if (reply.status === "ok") {
      request.resolve({ value: reply.value, replayed: reply.replayed, version: reply.version });
    } else if (reply.code === "OVERLOADED") request.reject(new OverloadedError(reply.message));
    else if (reply.code === "UNAVAILABLE") request.reject(new UnavailableError());
    else request.reject(new DomainError(reply.code, reply.message, reply.data));
  }

  function send(id: number): void {
    const request = pending.get(id);
    if (request === undefined) return;
    const route = routes.get(request.partition);
    if (route === undefined) {
      wait(id);
      return;
    }
    unrouted.delete(id);
    const now = clock.monotonicMs();
    request.sentTo = `${route.owner}/${route.epoch}`;
    request.sentAtMs = now;
    const item: RequestItem = {
      id,
      partition: request.partition,
      epoch: route.epoch,
      kind: request.kind,
      actor: request.actor,
      op: request.op,
      key: request.key,
      keyed: request.keyed,
      attempt: request.attempt++,
      ttlMs: Math.max(1, Math.round(request.deadlineMs - now)),
      input: request.input,
    };
    const group = leaving.get(route.owner);
    if (group === undefined) leaving.set(route.owner, { items: [item] });
    else group.items.push(item);
    if (leavingScheduled) return;
    leavingScheduled = true;
    clock.soon(flush);
  }

  function flush(): void {
    leavingScheduled = false;
    for (const [owner, { items }] of leaving) {
      const [first] = items;
      if (first === undefined) continue;
      // One request on its own takes the subject of its partition and epoch; several go to their host together.
      const subject =
        items.length === 1
          ? actorSubject(first.partition, first.epoch, first.kind, first.actor, first.op)
          : hostSubject(owner);
      let from = 0;
      for (const text of inMessages(items.map((item) => JSON.stringify(item)))) {
        const batch = nextBatch++;
        const ids = items.slice(from).map((item) => item.id);
        from = items.length;
        batches.set(batch, { ids, sentAtMs: clock.monotonicMs() });
        bus.publish(subject, text, replySubject(caller, batch));
      }
    }
    leaving.clear();
  }

  /** The request has nobody to go to: it waits for the leases to change. */
  function wait(id: number): void {
    if (!pending.has(id)) return;
    unrouted.add(id);
    if (retryScheduled || closed) return;
    retryScheduled = true;
    clock.after(ROUTE_RETRY_MS, () => {
      retryScheduled = false;
      void refresh();
    });
  }

  /** Reads the leases, one reading at a time, and sends what waited or went to a former owner. */
  function refresh(): Promise<void> {
    if (refreshing !== undefined) {
      refreshAgain = true;
      return refreshing;
    }
    refreshing = (async () => {
      try {
        for (const lease of await options.leases()) {
          if (lease.owner === null || lease.expired) routes.delete(lease.partition);
          else routes.set(lease.partition, { owner: lease.owner, epoch: lease.epoch });
        }
      } catch {
        // The database is away: what is known stays in use, and requests without a route wait.
      }
      for (const [id, request] of pending) {
        const route = routes.get(request.partition);
        const target = route === undefined ? undefined : `${route.owner}/${route.epoch}`;
        if (unrouted.has(id)) send(id);
        else if (target !== undefined && request.sentTo !== undefined && target !== request.sentTo) send(id);
      }
    })().finally(() => {
      refreshing = undefined;
      if (refreshAgain && !closed) {
        refreshAgain = false;
        void refresh();
      }
    });
    return refreshing;
  }

  /** Ends what waited too long, and sends again what may have been lost. */
  function sweep(): void {
    const now = clock.monotonicMs();
    awaySinceMs = bus.connected() ? undefined : (awaySinceMs ?? now);
    const isAway = isLongAway();
    let stale = false;
    for (const [id, request] of pending) {
      if (now >= request.deadlineMs || isAway) {
        pending.delete(id);
        unrouted.delete(id);
        request.reject(new UnavailableError());
      } else if (!unrouted.has(id) && now - request.sentAtMs > RESEND_MS) {
        unrouted.add(id);
        stale = true;
      }
    }
    for (const [batch, { sentAtMs }] of batches) {
      if (now - sentAtMs < RESEND_MS) break;
      batches.delete(batch);
    }
    if (stale) void refresh();
    if (!closed) cancelSweep = clock.after(SWEEP_MS, sweep);
  }

  function isLongAway(): boolean {
    return awaySinceMs !== undefined && !bus.connected() && clock.monotonicMs() - awaySinceMs > AWAY_MS_MAX;
  }

  function call(
    kind: string,
    actor: string,
    op: string,
    input: unknown,
    call: CallOptions = {},
  ): Promise<Answer<unknown>> {
    if (closed) return Promise.reject(new UnavailableError("this caller is shutting down"));
    if (isLongAway()) return Promise.reject(new UnavailableError());
    if (pending.size >= IN_FLIGHT_MAX) return Promise.reject(new OverloadedError());
    const id = nextId++;
    return new Promise((resolve, reject) => {
      pending.set(id, {
        kind,
        actor,
        op,
        key: call.key ?? crypto.randomUUID(),
        keyed: call.keyed ?? false,
        input,
        partition: partitionOf(kind, actor),
        deadlineMs: clock.monotonicMs() + (call.deadlineMs ?? DEADLINE_MS),
        attempt: 0,
        sentTo: undefined,
        sentAtMs: clock.monotonicMs(),
        resolve,
        reject,
      });
      send(id);
    });
  }

  return {
    // The handles exist only in the types: any kind and operation is a message, and its host knows it or refuses it.
    actors: new Proxy({} as ActorsOf<Definitions>, {
      get: (_target, kind) => (actor: string) =>
        new Proxy(
          {},
          {
            get: (_handle, op) => (input: unknown, options?: CallOptions) =>
              call(String(kind), actor, String(op), input, options),
          },
        ),
    }),
    close() {
      closed = true;
      cancelSweep();
      unsubscribeAnswers();
      unsubscribeLeases();
      for (const request of pending.values())
        request.reject(new UnavailableError("this caller is shutting down"));
      pending.clear();
    },
  };
}
