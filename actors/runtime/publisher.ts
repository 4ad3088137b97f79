import type { Logger } from "pino";
import type { Clock, OutboxRow, Store } from "./ports.ts";

/** Rows handed over in one go: bounds the size of a message that carries them. */
const CHUNK_MAX = 200;
/** Rows of a partition that wait in memory. What is more is in the outbox, and read from there when its turn comes. */
const WAITING_MAX = 2_000;
/** A delivery that failed is tried again after this, doubled each time up to the longest. */
const RETRY_MS = 100;
const RETRY_MS_MAX = 5_000;
/** How far has been delivered is written down this often: what is delivered twice after a crash is small. */
const PROGRESS_MS = 500;

/** Delivers rows of one topic, in their order. May be given the same rows again. */
export type Deliver = (rows: readonly OutboxRow[]) => Promise<void>;

export interface PublisherOptions {
  readonly store: Pick<Store, "effectsAfter" | "delivered">;
  readonly clock: Clock;
  readonly log: Logger;
  readonly topics: Readonly<Record<string, Deliver>>;
}

/** A partition's effects on their way: what is in `rows` follows `deliveredSeq` without a gap. */
interface Queue {
  rows: OutboxRow[];
  deliveredSeq: number;
  /** Number of the last effect that was committed. */
  lastSeq: number;
  running: boolean;
}

/** Takes committed effects to where they belong: in order within a partition, at least once. */
export class Publisher {
  readonly #queues = new Map<number, Queue>();
  readonly #progress = new Map<number, number>();
  #cancelProgress: (() => void) | undefined;
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
    const queue: Queue = { rows: [], deliveredSeq, lastSeq, running: false };
    this.#queues.set(partition, queue);
    this.#start(partition, queue);
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
      this.#start(row.partition, queue);
    }
  }

  /** The partition is another's: its rows are delivered there. */
  forget(partition: number): void {
    this.#queues.delete(partition);
    this.#progress.delete(partition);
  }

  /** Stops delivering. What is left is in the outbox, for the next owner. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelProgress?.();
    await this.#noteProgress();
  }

  #start(partition: number, queue: Queue): void {
    if (queue.running || this.#stopped || queue.deliveredSeq === queue.lastSeq) return;
    queue.running = true;
    // Rows of one commit come one by one: begin when all of them are here.
    this.options.clock.soon(() => void this.#drain(partition, queue));
  }

  async #drain(partition: number, queue: Queue): Promise<void> {
    let retryMs = RETRY_MS;
    while (queue.deliveredSeq < queue.lastSeq && !this.#stopped && this.#queues.get(partition) === queue) {
      try {
        if (queue.rows.length === 0) {
          queue.rows = await this.options.store.effectsAfter(partition, queue.deliveredSeq, WAITING_MAX);
          // Deleted from under us: there is nothing left to deliver.
          if (queue.rows.length === 0) queue.deliveredSeq = queue.lastSeq;
        }
        const chunk = queue.rows.slice(0, CHUNK_MAX);
        await this.#deliver(chunk);
        queue.rows.splice(0, chunk.length);
        queue.deliveredSeq = chunk.at(-1)?.seq ?? queue.deliveredSeq;
        retryMs = RETRY_MS;
        if (this.#queues.get(partition) === queue) this.#advance(partition, queue.deliveredSeq);
      } catch (error) {
        this.options.log.warn({ err: error, partition }, "could not deliver effects; trying again");
        await new Promise<void>((resolve) => this.options.clock.after(retryMs, resolve));
        retryMs = Math.min(retryMs * 2, RETRY_MS_MAX);
      }
    }
    queue.running = false;
  }

  /** Topics do not wait for each other; within one, order holds. */
  async #deliver(chunk: readonly OutboxRow[]): Promise<void> {
    await Promise.all(
      [...Map.groupBy(chunk, (row) => row.topic)].map(([topic, rows]) => {
        const deliver = this.options.topics[topic];
        if (deliver === undefined) throw new Error(`nobody delivers the topic ${topic}`);
        return deliver(rows);
      }),
    );
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
    await this.options.store.delivered(progress).catch((error) => {
      // Only a shortcut for the next owner: without it rows are delivered once more.
      this.options.log.warn({ err: error }, "could not note what was delivered");
    });
  }
}
