import type { Logger } from "pino";
import { ERROR_STATUS } from "../../../schemas/errors.ts";
import { hostSubject, partitionSubject } from "../../../schemas/subjects.ts";
import { originWithin, type Span, type Tracing } from "../../../system/tracing/tracing.ts";
import { VERSION } from "../../../system/version.ts";
import type { Sql } from "../../platform/db/sql.ts";
import type { AnyDefinition } from "../definition.ts";
import { type OutboxHandler, Publisher } from "../outbox/publisher.ts";
import type { Bus, Clock, HostStatus, Ids, Store } from "../ports.ts";
import { runTask } from "../tasks/run-task.ts";
import { TaskRunner } from "../tasks/tasks.ts";
import type { Caller } from "../transport/caller.ts";
import { type Consumer, consume } from "../transport/consume.ts";
import { TickBatcher } from "../transport/tick-batcher.ts";
import { type Reply, type ReplyMessage, type RequestItem, readRequests } from "../transport/wire.ts";
import type { PendingRequest } from "./activation.ts";
import { CommitLatency } from "./commit-latency.ts";
import { InFlightRequests } from "./in-flight-requests.ts";
import { Lane } from "./lane.ts";
import { Leases } from "./leases.ts";
import { invalidAddress, MOVED, OVERLOADED, TOO_LARGE, toErrorReply } from "./replies.ts";

/** Requests in flight in a host. Further ones are refused at once instead of waiting. */
const HOST_QUEUE_MAX = 20_000;
/** A partition that is handed over waits this long for its last replies, and is then handed over anyway; callers ask again. */
const DRAIN_MS_MAX = 5_000;
const DRAIN_CHECK_MS = 5;

/** `refused`: the rules say no; `failed`: the fault is Berth's; `moved`: another host owns the actor by now. */
export type ReplyResult = "ok" | "refused" | "failed" | "moved";

export interface HostMetrics {
  batch(sizes: { messages: number; actors: number; ms: number }): void;
  /** A request was replied to. `op` is an operation of the definition, or "unknown": what a caller wrote would fill the memory. */
  replied(reply: { kind: string; op: string; result: ReplyResult; ms: number }): void;
  /** A saga of this kind of actor has ended, and its end is committed. */
  sagaEnded(saga: { kind: string; result: ReplyResult }): void;
}

export interface HostOptions {
  /** Unique to this process: a restarted host is another host. */
  readonly host: string;
  readonly definitions: readonly AnyDefinition[];
  /** The handler of each topic's effects. */
  readonly topics: Readonly<Record<string, OutboxHandler>>;
  /** Topics whose effects may wait some milliseconds for others, so that fewer messages leave under load. */
  readonly patientTopics?: ReadonlySet<string>;
  /** Delivers what actors send to other actors. */
  readonly caller: Pick<Caller, "call">;
  readonly store: Store & { readonly db: Sql };
  readonly bus: Bus;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly lanes: number;
  readonly leaseTtlMs: number;
  readonly metrics?: HostMetrics;
  readonly tracing?: Tracing | undefined;
  /** Receives the name of the handler that is running, null after it. */
  readonly watch?: (handler: string | null) => void;
}

/** One process that runs actors: it owns some of the partitions and handles the requests for them. */
export interface Host {
  /** Whether this host runs the actor now. */
  owns(kind: string, id: string): boolean;
  status(): HostStatus;
  /** Evicts idle actors until at most so many are in memory. */
  evictIdle(actorsMax: number): void;
  /** Delivers all effects of the outbox again, since their receiver has lost them. */
  replay(): Promise<void>;
  /** Hands everything over and stops. Requests that arrive meanwhile are sent on to the next owner. */
  stop(): Promise<void>;
}

/** Starts a host. Resolves when it has acquired the partitions that were free for it. */
export async function startHost(options: HostOptions): Promise<Host> {
  const { host, store, bus, clock, log } = options;
  const definitions = new Map(options.definitions.map((definition) => [definition.kind, definition]));
  const primaryKeys = await store.primaryKeys();
  const replies = new TickBatcher<ReplyMessage>(bus, clock, ({ id }) => ({ id, ...TOO_LARGE }));
  const { topics, patientTopics, tracing } = options;
  const publisher = new Publisher({ store, clock, log, topics, patientTopics, tracing });
  const subscriptions = new Map<number, () => void>();
  const commitLatency = new CommitLatency();
  const startedAt = clock.now().toISOString();
  const inFlight = new InFlightRequests();

  const tasks = new TaskRunner({
    store,
    clock,
    log,
    partitions: () => leases.partitions.filter((partition) => leases.epochOf(partition) !== undefined),
    run: (task) => runTask(task, { caller: options.caller, clock, dispatch }),
  });

  const lanes = Array.from(
    { length: options.lanes },
    (_, number) =>
      new Lane({
        number,
        owner: host,
        store,
        clock,
        ids: options.ids,
        log,
        primaryKeys,
        canServeFromMemory: (partition, epoch) => leases.canServeFromMemory(partition, epoch),
        onFenced: (partitions) => leases.fenced(partitions),
        committed(effects, changedTasks) {
          publisher.add(effects);
          tasks.committed(changedTasks);
        },
        measure(batch) {
          commitLatency.add(batch.ms);
          options.metrics?.batch(batch);
        },
        sagaEnded: (kind, reply) => options.metrics?.sagaEnded({ kind, result: resultOf(reply) }),
        watch: options.watch ?? (() => {}),
        tracing: options.tracing,
      }),
  );
  const laneOf = (partition: number): Lane => lanes[partition % lanes.length] as Lane;

  const leases: Leases = new Leases({
    host,
    ttlMs: options.leaseTtlMs,
    store,
    bus,
    clock,
    log,
    status,
    events: {
      async acquired(partitions) {
        const epochs = new Map(partitions.map(({ partition, epoch }) => [partition, epoch]));
        for (const { partition, lastSeq, deliveredSeq } of await store.sequences([...epochs.keys()])) {
          const epoch = epochs.get(partition) ?? 0;
          laneOf(partition).open(partition, lastSeq);
          publisher.open(partition, epoch, deliveredSeq, lastSeq);
          subscriptions.get(partition)?.();
          const subject = partitionSubject(partition, epoch);
          subscriptions.set(partition, consume(bus, subject, requests));
        }
      },
      opened: () => tasks.open(),
      onLeaseLost(partition) {
        subscriptions.get(partition)?.();
        subscriptions.delete(partition);
        laneOf(partition).drop(partition);
        publisher.dropPartition(partition);
        tasks.dropPartition(partition);
      },
      async drain(partition) {
        const lane = laneOf(partition);
        tasks.dropPartition(partition);
        const endMs = clock.monotonicMs() + DRAIN_MS_MAX;
        while (!lane.isDrained(partition) && clock.monotonicMs() < endMs) {
          await new Promise<void>((resolve) => clock.after(DRAIN_CHECK_MS, resolve));
        }
        replies.flush();
      },
      isFailing: (partition) => publisher.isFailing(partition),
      settle: (partition) => publisher.settle(partition, clock.monotonicMs() + DRAIN_MS_MAX),
    },
  });

  function receive(items: readonly RequestItem[], replyTo: string): void {
    if (replyTo === "") return;
    // The replies of one turn to one caller leave as one message, whichever messages the requests came in.
    const inbox = replyTo.replace(/[^.]*$/, "0");
    for (const item of items) {
      const reply = (outcome: Reply) => replies.add(inbox, { id: item.id, ...outcome });
      const definition = definitions.get(item.kind);
      if (definition === undefined || !leases.accepts(item.partition, item.epoch)) {
        reply(MOVED);
        continue;
      }
      const invalid = invalidAddress(item);
      if (invalid !== undefined) {
        reply(toErrorReply(invalid));
        continue;
      }
      // The caller, or this host, has not heard yet that a partition was split.
      if (leases.partitionOf(item.kind, item.actor) !== item.partition) {
        reply(MOVED);
        continue;
      }
      if (inFlight.size >= HOST_QUEUE_MAX) {
        reply(OVERLOADED);
        continue;
      }
      const request = `${inbox}#${item.id}`;
      const known = inFlight.begin(request);
      if (known !== "new") {
        if (known !== "in flight") reply(known);
        continue;
      }
      const arrivedMs = clock.monotonicMs();
      const op = Object.hasOwn(definition.on, item.op) ? item.op : "unknown";
      const span = spanOf(item, op);
      laneOf(item.partition).accept(definition, item.epoch, {
        item: span === undefined ? item : { ...item, origin: originWithin(item.origin, span) },
        deadlineMs: clock.monotonicMs() + item.ttlMs,
        reruns: 0,
        receipt: "unread",
        span,
        reply(outcome) {
          inFlight.end(request, outcome);
          reply(outcome);
          const ms = clock.monotonicMs() - arrivedMs;
          const result = resultOf(outcome);
          options.metrics?.replied({ kind: item.kind, op, result, ms });
          span?.end({ "berth.result": result }, result === "failed" ? "failed" : undefined);
          if (log.isLevelEnabled("debug"))
            log.debug({ kind: item.kind, actor: item.actor, op, result, ms, ...item.origin }, "request");
        },
      });
    }
  }

  /** Only what is part of a trace already is traced. */
  function spanOf({ kind, actor, origin }: RequestItem, op: string): Span | undefined {
    if (options.tracing === undefined || origin?.traceparent === undefined) return undefined;
    return options.tracing.start(`${kind}.${op}`, {
      kind: "server",
      parent: origin.traceparent,
      attributes: { "berth.actor": actor, "berth.request_id": origin.request_id ?? "" },
    });
  }

  const requests: Consumer<RequestItem[]> = {
    kind: "actor-request",
    read: readRequests,
    handle: (items, { replyTo }) => receive(items, replyTo),
  };

  /** Hands an actor of this host a message of its own. */
  function dispatch(message: Omit<PendingRequest, "reruns" | "receipt" | "reply">): Promise<Reply> {
    const { kind, partition } = message.item;
    const definition = definitions.get(kind);
    const epoch = leases.epochOf(partition);
    if (definition === undefined || epoch === undefined) return Promise.resolve(MOVED);
    return new Promise((reply) => {
      laneOf(partition).accept(definition, epoch, { ...message, reruns: 0, receipt: "unread", reply });
    });
  }

  function status(): HostStatus {
    const total = (of: (lane: Lane) => number) => lanes.reduce((sum, lane) => sum + of(lane), 0);
    return {
      started_at: startedAt,
      version: VERSION,
      partitions: leases.partitions.length,
      splits_partitions: true,
      queued: total((lane) => lane.depth),
      actors: total((lane) => lane.size),
      quarantined: lanes.flatMap((lane) => lane.quarantined),
      tasks: tasks.size,
      tasks_failing: tasks.failing,
      undelivered: publisher.lag,
      commit_ms: commitLatency.summary(),
    };
  }

  const unsubscribe = consume(bus, hostSubject(host), requests);
  await leases.start();

  return {
    owns: (kind, id) => leases.ownsActor(kind, id),
    status,
    evictIdle(actorsMax) {
      for (const lane of lanes) lane.evictIdle(Math.floor(actorsMax / lanes.length));
    },
    replay: () => publisher.replay(),
    async stop() {
      await leases.leave();
      unsubscribe();
      replies.flush();
      tasks.stop();
      await publisher.stop();
    },
  };
}

/** Faults of Berth itself have the status of a server's error. */
function resultOf(reply: Reply): ReplyResult {
  if (reply.status !== "error") return reply.status;
  return ERROR_STATUS[reply.code] >= 500 ? "failed" : "refused";
}
