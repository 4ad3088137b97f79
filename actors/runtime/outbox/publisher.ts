import type { Logger } from "pino";
import { backoffMs } from "../../../system/backoff.ts";
import { originWithin, type Span, type Tracing } from "../../../system/tracing/tracing.ts";
import type { Clock, DeliveryProgress, OutboxRow, Store } from "../ports.ts";

/** Rows of one partition, and of all partitions, in one delivery: bounds the size of the message. */
const CHUNK_MAX = 200;
const ROUND_MAX = 1_000;
/** Rows of a partition that wait in memory. Further rows are read from the outbox when their turn comes. */
const WAITING_MAX = 2_000;
/** The pause before a failed delivery is repeated; it doubles each time, up to the longest. */
const RETRY_MS = 100;
const RETRY_MS_MAX = 5_000;
/**
 * The least time between the rounds of effects that may wait. Every delivery costs a message that JetStream stores and hands to its
 * consumers: under load fewer and larger ones leave. The first effect after a pause does not wait.
 */
const GATHERED_MS = 20;
/** With so many effects waiting a round begins at once. */
const GATHERED_MAX = CHUNK_MAX;
const SETTLE_CHECK_MS = 5;
/** How often the progress is saved, so that few effects are delivered twice after a crash. */
const PROGRESS_MS = 500;

/** Delivers rows of one topic; those of a partition come in order. The same rows may be passed again. */
export type OutboxHandler = (rows: readonly OutboxRow[]) => Promise<void>;

export interface PublisherOptions {
  readonly store: Pick<Store, "effectsAfter" | "saveProgress" | "rewind" | "sequences">;
  readonly clock: Clock;
  readonly log: Logger;
  readonly topics: Readonly<Record<string, OutboxHandler>>;
  /** Topics whose effects may wait some milliseconds for others. */
  readonly patientTopics?: ReadonlySet<string> | undefined;
  readonly tracing?: Tracing | undefined;
}

/** The undelivered effects of a partition: `rows` begins after `deliveredSeq`. */
interface Queue {
  readonly partition: number;
  /** The epoch of the lease under which this host delivers. */
  readonly epoch: number;
  rows: OutboxRow[];
  deliveredSeq: number;
  /** The number of the last committed effect. */
  lastSeq: number;
  /** Whether a delivery of the partition is in progress. */
  busy: boolean;
  /** Failed attempts in a row. Such a partition is delivered separately, so that it does not delay the others. */
  failures: number;
  retrying: boolean;
}

/**
 * Delivers committed effects to their handlers: in order within a partition, at least once. The effects of all
 * partitions are delivered together, since a delivery costs the same for one effect as for many.
 */
export class Publisher {
  readonly #queues = new Map<number, Queue>();
  readonly #progress = new Map<number, DeliveryProgress>();
  #noting: Promise<void> = Promise.resolve();
  #cancelProgress: (() => void) | undefined;
  #scheduled = false;
  #stopped = false;
  #roundStartedMs = Number.NEGATIVE_INFINITY;
  /** Whether an effect waits that must leave at once. */
  #isUrgent = false;
  #cancelGathering: (() => void) | undefined;

  constructor(private readonly options: PublisherOptions) {}

  /** The number of committed effects that are not delivered yet. */
  get lag(): number {
    let rows = 0;
    for (const { lastSeq, deliveredSeq } of this.#queues.values()) rows += lastSeq - deliveredSeq;
    return rows;
  }

  /** Begins to deliver the effects of a partition, after those that its former owner delivered. */
  open(partition: number, epoch: number, deliveredSeq: number, lastSeq: number): void {
    this.#queues.set(partition, {
      partition,
      epoch,
      rows: [],
      deliveredSeq,
      lastSeq,
      busy: false,
      failures: 0,
      retrying: false,
    });
    this.#isUrgent = true;
    this.#schedule();
  }

  /** Adds committed rows, in the order of their numbers. */
  add(rows: readonly OutboxRow[]): void {
    for (const row of rows) {
      const queue = this.#queues.get(row.partition);
      // The partition has moved to another host, which reads the rows from the outbox.
      if (queue === undefined) continue;
      const isNext = row.seq === queue.deliveredSeq + queue.rows.length + 1;
      if (isNext && queue.rows.length < WAITING_MAX) queue.rows.push(row);
      queue.lastSeq = Math.max(queue.lastSeq, row.seq);
      if (!this.options.patientTopics?.has(row.topic)) this.#isUrgent = true;
    }
    this.#schedule();
  }

  /** Whether the last delivery of a partition failed, and is repeated. */
  isFailing(partition: number): boolean {
    return (this.#queues.get(partition)?.failures ?? 0) > 0;
  }

  /** Resolves when the effects of a partition are delivered and the database knows it, or when `endMs` has come. */
  async settle(partition: number, endMs: number): Promise<void> {
    const { clock } = this.options;
    const isDelivered = () => {
      const queue = this.#queues.get(partition);
      return queue === undefined || queue.deliveredSeq >= queue.lastSeq;
    };
    while (!isDelivered() && clock.monotonicMs() < endMs)
      await new Promise<void>((resolve) => clock.after(SETTLE_CHECK_MS, resolve));
    await this.#noteProgress();
  }

  /** Stops delivering for a partition that has moved to another host. */
  dropPartition(partition: number): void {
    this.#queues.delete(partition);
    this.#progress.delete(partition);
  }

  /**
   * Delivers again all effects of this host's partitions that the outbox still holds, since their receiver has lost
   * them.
   */
  async replay(): Promise<void> {
    const partitions = [...this.#queues.keys()];
    this.#progress.clear();
    await this.options.store.rewind(partitions);
    for (const { partition, deliveredSeq, lastSeq } of await this.options.store.sequences(partitions)) {
      const queue = this.#queues.get(partition);
      if (queue !== undefined) this.open(partition, queue.epoch, deliveredSeq, lastSeq);
    }
  }

  /** Stops delivering. The next owner continues from the outbox. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelProgress?.();
    this.#cancelGathering?.();
    await this.#noteProgress();
  }

  #schedule(): void {
    if (this.#scheduled || this.#stopped) return;
    this.#scheduled = true;
    // The rows of a commit are added one by one: the round begins after all of them.
    this.options.clock.soon(() => {
      this.#scheduled = false;
      this.#start();
    });
  }

  /** Begins one round for the healthy partitions together, and one for each partition that failed. */
  #start(): void {
    const well: Queue[] = [];
    for (const queue of this.#queues.values()) {
      if (queue.busy || queue.retrying || queue.deliveredSeq >= queue.lastSeq) continue;
      if (queue.failures > 0) void this.#round([queue]);
      else well.push(queue);
    }
    if (well.length > 0 && !this.#gather(well)) void this.#round(well);
  }

  /** Whether the next round waits for more effects; it begins by itself then. */
  #gather(queues: readonly Queue[]): boolean {
    const { clock } = this.options;
    const waitMs = this.#roundStartedMs + GATHERED_MS - clock.monotonicMs();
    const waiting = queues.reduce((sum, { lastSeq, deliveredSeq }) => sum + lastSeq - deliveredSeq, 0);
    if (!this.#isUrgent && waitMs > 0 && waiting < GATHERED_MAX) {
      this.#cancelGathering ??= clock.after(waitMs, () => {
        this.#cancelGathering = undefined;
        this.#schedule();
      });
      return true;
    }
    this.#cancelGathering?.();
    this.#cancelGathering = undefined;
    this.#isUrgent = false;
    this.#roundStartedMs = clock.monotonicMs();
    return false;
  }

  async #round(queues: readonly Queue[]): Promise<void> {
    for (const queue of queues) queue.busy = true;
    try {
      const chunks = await this.#take(queues);
      await this.#deliver(chunks.flatMap(({ rows }) => rows));
      for (const { queue, rows } of chunks) this.#delivered(queue, rows);
    } catch (error) {
      const partitions = queues.map((queue) => queue.partition);
      this.options.log.warn({ err: error, partitions }, "could not deliver effects; trying again");
      for (const queue of queues) this.#retryLater(queue);
    }
    for (const queue of queues) queue.busy = false;
    this.#schedule();
  }

  async #take(queues: readonly Queue[]): Promise<{ queue: Queue; rows: OutboxRow[] }[]> {
    const chunks: { queue: Queue; rows: OutboxRow[] }[] = [];
    let total = 0;
    for (const queue of queues) {
      if (total >= ROUND_MAX) break;
      if (queue.rows.length === 0) {
        const { partition, deliveredSeq, lastSeq } = queue;
        queue.rows = await this.options.store.effectsAfter(partition, deliveredSeq, WAITING_MAX);
        // The rows were deleted meanwhile: there is nothing left to deliver.
        if (queue.rows.length === 0) queue.deliveredSeq = lastSeq;
      }
      const rows = queue.rows.slice(0, CHUNK_MAX);
      total += rows.length;
      chunks.push({ queue, rows });
    }
    return chunks;
  }

  /** Delivers rows by topic. Topics do not wait for each other; within a topic the order is kept. */
  async #deliver(rows: readonly OutboxRow[]): Promise<void> {
    await Promise.all(
      [...Map.groupBy(rows, (row) => row.topic)].map(([topic, ofTopic]) => {
        const deliver = this.options.topics[topic];
        if (deliver === undefined) throw new Error(`nobody delivers the topic ${topic}`);
        return this.#traced(topic, ofTopic, deliver);
      }),
    );
  }

  /** Delivers rows, each as part of the trace that it belongs to. */
  async #traced(topic: string, rows: readonly OutboxRow[], deliver: OutboxHandler): Promise<void> {
    const { tracing } = this.options;
    if (tracing === undefined) return deliver(rows);
    const spans: Span[] = [];
    const within = rows.map((row) => {
      const parent = row.origin?.traceparent;
      if (parent === undefined) return row;
      const span = tracing.start(`outbox ${topic}`, { kind: "producer", parent });
      spans.push(span);
      return { ...row, origin: originWithin(row.origin ?? undefined, span) ?? null };
    });
    let failure: string | undefined;
    try {
      await deliver(within);
    } catch (error) {
      failure = (error as Error).message;
      throw error;
    } finally {
      for (const span of spans) span.end({}, failure);
    }
  }

  #delivered(queue: Queue, rows: readonly OutboxRow[]): void {
    queue.failures = 0;
    const last = rows.at(-1);
    if (last === undefined) return;
    queue.rows.splice(0, rows.length);
    queue.deliveredSeq = last.seq;
    if (this.#queues.get(queue.partition) === queue) this.#advance(queue, last.seq);
  }

  #retryLater(queue: Queue): void {
    const ms = backoffMs(queue.failures, RETRY_MS, RETRY_MS_MAX);
    queue.failures += 1;
    queue.retrying = true;
    this.options.clock.after(ms, () => {
      queue.retrying = false;
      this.#schedule();
    });
  }

  #advance({ partition, epoch }: Queue, seq: number): void {
    this.#progress.set(partition, { partition, epoch, seq });
    this.#cancelProgress ??= this.options.clock.after(PROGRESS_MS, () => {
      this.#cancelProgress = undefined;
      void this.#noteProgress();
    });
  }

  /** Resolves when all progress so far is saved, also that which is being saved already. */
  #noteProgress(): Promise<void> {
    this.#noting = this.#noting.then(() => this.#saveProgress());
    return this.#noting;
  }

  async #saveProgress(): Promise<void> {
    const progress = [...this.#progress.values()];
    this.#progress.clear();
    if (progress.length === 0) return;
    await this.options.store.saveProgress(progress).catch((error) => {
      // Not essential: without the progress the next owner only delivers some rows twice.
      this.options.log.warn({ err: error }, "could not save the progress of deliveries");
    });
  }
}
