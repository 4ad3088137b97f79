import type { Logger } from "pino";
import type { Clock, OutboxRow, Store } from "./ports.ts";

/** Rows handed over in one go: bounds the size of a message that carries them. */
const CHUNK_MAX = 200;
/** A delivery that failed is tried again after this, doubled each time up to the longest. */
const RETRY_MS = 100;
const RETRY_MS_MAX = 5_000;
/** How far has been delivered is written down this often: what is delivered twice after a crash is small. */
const PROGRESS_MS = 500;

/** Delivers rows of one topic, in their order. May be given the same rows again. */
export type Deliver = (rows: readonly OutboxRow[]) => Promise<void>;

export interface PublisherOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly topics: Readonly<Record<string, Deliver>>;
}

interface Queue {
  readonly rows: OutboxRow[];
  running: boolean;
}

/** Takes committed effects to where they belong: in order within a partition, at least once. */
export class Publisher {
  readonly #queues = new Map<number, Queue>();
  readonly #progress = new Map<number, number>();
  #cancelProgress: (() => void) | undefined;
  #stopped = false;

  constructor(private readonly options: PublisherOptions) {}

  get lag(): number {
    let rows = 0;
    for (const queue of this.#queues.values()) rows += queue.rows.length;
    return rows;
  }

  /** Rows that were committed, in the order of their numbers. */
  add(rows: readonly OutboxRow[]): void {
    for (const row of rows) {
      let queue = this.#queues.get(row.partition);
      if (queue === undefined) {
        queue = { rows: [], running: false };
        this.#queues.set(row.partition, queue);
      }
      queue.rows.push(row);
      if (!queue.running) void this.#drain(row.partition, queue);
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
    await this.#writeProgress();
  }

  async #drain(partition: number, queue: Queue): Promise<void> {
    queue.running = true;
    let retryMs = RETRY_MS;
    // Rows of one commit come one by one: start when all of them are here.
    await new Promise<void>((resolve) => this.options.clock.soon(resolve));
    while (queue.rows.length > 0 && !this.#stopped && this.#queues.get(partition) === queue) {
      const chunk = queue.rows.slice(0, CHUNK_MAX);
      try {
        await this.#deliver(chunk);
      } catch (error) {
        this.options.log.warn(
          { err: error, partition, rows: queue.rows.length },
          "could not deliver effects; trying again",
        );
        await new Promise<void>((resolve) => this.options.clock.after(retryMs, resolve));
        retryMs = Math.min(retryMs * 2, RETRY_MS_MAX);
        continue;
      }
      retryMs = RETRY_MS;
      queue.rows.splice(0, chunk.length);
      if (this.#queues.get(partition) === queue)
        this.#advance(partition, (chunk[chunk.length - 1] as OutboxRow).seq);
    }
    queue.running = false;
  }

  /** Topics do not wait for each other; within one, order holds. */
  async #deliver(chunk: readonly OutboxRow[]): Promise<void> {
    const topics = new Map<string, OutboxRow[]>();
    for (const row of chunk) {
      const rows = topics.get(row.topic);
      if (rows === undefined) topics.set(row.topic, [row]);
      else rows.push(row);
    }
    await Promise.all(
      [...topics].map(([topic, rows]) => {
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
      void this.#writeProgress();
    });
  }

  async #writeProgress(): Promise<void> {
    const progress = [...this.#progress].map(([partition, seq]) => ({ partition, seq }));
    this.#progress.clear();
    if (progress.length === 0) return;
    await this.options.store.published(progress).catch((error) => {
      // Only a shortcut for the next owner: without it rows are delivered once more.
      this.options.log.warn({ err: error }, "could not note what was delivered");
    });
  }
}
