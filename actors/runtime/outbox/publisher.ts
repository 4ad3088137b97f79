import type { Logger } from "pino";
import { backoffMs } from "../../../system/backoff.ts";
import type { Clock, OutboxRow, Store } from "../ports.ts";

/** Rows of a partition handed over in one go, and of all partitions: bounds the size of a message that carries them. */
const CHUNK_MAX = 200;
const ROUND_MAX = 1_000;
/** Rows of a partition that wait in memory. What is more is in the outbox, and read from there when its turn comes. */
const WAITING_MAX = 2_000;
/** A delivery that failed is tried again after this, doubled each time up to the longest. */
const RETRY_MS = 100;
const RETRY_MS_MAX = 5_000;
/** How far has been delivered is written down this often: what is delivered twice after a crash is small. */
const PROGRESS_MS = 500;

/** Delivers rows of one topic, those of a partition in their order. May be given the same rows again. */
export type OutboxHandler = (rows: readonly OutboxRow[]) => Promise<void>;

export interface PublisherOptions {
  readonly store: Pick<Store, "effectsAfter" | "saveProgress" | "rewind" | "sequences">;
  readonly clock: Clock;
  readonly log: Logger;
  readonly topics: Readonly<Record<string, OutboxHandler>>;
}

/** A partition's effects on their way: what is in `rows` follows `deliveredSeq`. */
interface Queue {
  readonly partition: number;
  rows: OutboxRow[];
  deliveredSeq: number;
  /** Number of the last effect that was committed. */
  lastSeq: number;
  /** In a round now. */
  busy: boolean;
  /** Tries in a row that failed. Such a partition goes by itself, so that it holds up no other. */
  failures: number;
  retrying: boolean;
}

/**
 * Takes committed effects to where they belong: in order within a partition, at least once. What is loaded of all
 * partitions goes together, since a delivery costs the same for one effect as for many.
 */
export class Publisher {
  readonly #queues = new Map<number, Queue>();
  readonly #progress = new Map<number, number>();
  #cancelProgress: (() => void) | undefined;
  #scheduled = false;
  #stopped = false;

  constructor(private readonly options: PublisherOptions) {}

  /** Effects that are committed and not yet delivered. */
  get lag(): number {
    let rows = 0;
    for (const { lastSeq, deliveredSeq } of this.#queues.values()) rows += lastSeq - deliveredSeq;
    return rows;
  }

  /** This host delivers for a partition from now on, beginning with what its former owner left. */
  open(partition: number, deliveredSeq: number, lastSeq: number): void {
    this.#queues.set(partition, {
      partition,
      rows: [],
      deliveredSeq,
      lastSeq,
      busy: false,
      failures: 0,
      retrying: false,
    });
    this.#schedule();
  }

  /** Rows that were committed, in the order of their numbers. */
  add(rows: readonly OutboxRow[]): void {
    for (const row of rows) {
      const queue = this.#queues.get(row.partition);
      // The partition went to another host meanwhile, which reads them from the outbox.
      if (queue === undefined) continue;
      const isNext = row.seq === queue.deliveredSeq + queue.rows.length + 1;
      if (isNext && queue.rows.length < WAITING_MAX) queue.rows.push(row);
      queue.lastSeq = Math.max(queue.lastSeq, row.seq);
    }
    this.#schedule();
  }

  /** The partition is another's: its rows are delivered there. */
  dropPartition(partition: number): void {
    this.#queues.delete(partition);
    this.#progress.delete(partition);
  }

  /** Where effects went has lost them: delivers again all that the outbox still holds of this host's partitions. */
  async replay(): Promise<void> {
    const partitions = [...this.#queues.keys()];
    this.#progress.clear();
    await this.options.store.rewind(partitions);
    for (const { partition, deliveredSeq, lastSeq } of await this.options.store.sequences(partitions)) {
      if (this.#queues.has(partition)) this.open(partition, deliveredSeq, lastSeq);
    }
  }

  /** Stops delivering. What is left is in the outbox, for the next owner. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelProgress?.();
    await this.#noteProgress();
  }

  #schedule(): void {
    if (this.#scheduled || this.#stopped) return;
    this.#scheduled = true;
    // Rows of one commit come one by one: begin when all of them are here.
    this.options.clock.soon(() => {
      this.#scheduled = false;
      this.#start();
    });
  }

  /** Begins a round with the partitions that are well, and one for each that failed. */
  #start(): void {
    const well: Queue[] = [];
    for (const queue of this.#queues.values()) {
      if (queue.busy || queue.retrying || queue.deliveredSeq >= queue.lastSeq) continue;
      if (queue.failures > 0) void this.#round([queue]);
      else well.push(queue);
    }
    if (well.length > 0) void this.#round(well);
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
        // Deleted from under us: there is nothing left to deliver.
        if (queue.rows.length === 0) queue.deliveredSeq = lastSeq;
      }
      const rows = queue.rows.slice(0, CHUNK_MAX);
      total += rows.length;
      chunks.push({ queue, rows });
    }
    return chunks;
  }

  /** Topics do not wait for each other; within one, order holds. */
  async #deliver(rows: readonly OutboxRow[]): Promise<void> {
    await Promise.all(
      [...Map.groupBy(rows, (row) => row.topic)].map(([topic, ofTopic]) => {
        const deliver = this.options.topics[topic];
        if (deliver === undefined) throw new Error(`nobody delivers the topic ${topic}`);
        return deliver(ofTopic);
      }),
    );
  }

  #delivered(queue: Queue, rows: readonly OutboxRow[]): void {
    queue.failures = 0;
    const last = rows.at(-1);
    if (last === undefined) return;
    queue.rows.splice(0, rows.length);
    queue.deliveredSeq = last.seq;
    if (this.#queues.get(queue.partition) === queue) this.#advance(queue.partition, last.seq);
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

  #advance(partition: number, seq: number): void {
    this.#progress.set(partition, seq);
    this.#cancelProgress ??= this.options.clock.after(PROGRESS_MS, () => {
      this.#cancelProgress = undefined;
      void this.#noteProgress();
    });
  }

  async #noteProgress(): Promise<void> {
    const progress = [...this.#progress].map(([partition, seq]) => ({ partition, seq }));
    this.#progress.clear();
    if (progress.length === 0) return;
    await this.options.store.saveProgress(progress).catch((error) => {
      // Only a shortcut for the next owner: without it rows are delivered once more.
      this.options.log.warn({ err: error }, "could not note what was delivered");
    });
  }
}
