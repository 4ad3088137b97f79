import type { Logger } from "pino";
import { backoffMs } from "../../../system/backoff.ts";
import type { CommittedTask } from "../host/lane.ts";
import type { Clock, Store, Task, TaskPosition } from "../ports.ts";

/** Tasks that are due within this time are held in memory; later ones cost nothing until then. */
const HORIZON_MS = 60_000;
/** How often due tasks are read: also the backstop for tasks that memory has missed. */
const READ_MS = 30_000;
const PAGE = 500;
/** Tasks in memory. Later tasks are read when there is room again. */
const LOADED_TASKS_MAX = 20_000;
/** Tasks that run at the same time. */
const RUNNING_MAX = 256;
/** The longest pause between two checks for due tasks, in case the wall clock jumps. */
const TICK_MS_MAX = 500;
/** The pause before a failed task is repeated; it doubles each time, up to the longest. */
const RETRY_MS = 200;
const RETRY_MS_MAX = 60_000;

/** Done: it needs no further attempt. Failed: it is tried again. */
export type TaskResult = "done" | "failed";

export interface TaskRunnerOptions {
  readonly store: Pick<Store, "tasksDue">;
  readonly clock: Clock;
  readonly log: Logger;
  /** Partitions whose tasks are run here. */
  partitions(): readonly number[];
  run(task: Task): Promise<TaskResult>;
}

interface Entry {
  readonly task: Task;
  /** By the wall clock. */
  nextMs: number;
  tries: number;
  running: boolean;
}

/**
 * Runs the tasks of the actors in this host's partitions when they are due, repeatedly until their completion is
 * committed. Its memory is only a cache: tasks are rows, and the partition's next owner continues with them.
 */
export class TaskRunner {
  readonly #entries = new Map<string, Entry>();
  /** Waiting tasks, the earliest last. */
  #queue: Entry[] = [];
  /** Tasks that are due up to this time are in memory. */
  #knownUntilMs = Number.NEGATIVE_INFINITY;
  #running = 0;
  #reading = false;
  #readAgain = false;
  #stopped = false;
  #cancelTick: (() => void) | undefined;
  #cancelRead: () => void = () => {};

  constructor(private readonly options: TaskRunnerOptions) {}

  get size(): number {
    return this.#entries.size;
  }

  /** Tasks that were tried and failed. */
  get failing(): number {
    let failing = 0;
    for (const { tries } of this.#entries.values()) if (tries > 0) failing += 1;
    return failing;
  }

  /** Reads the tasks of newly acquired partitions. */
  open(): void {
    this.#read();
  }

  /** Drops the tasks of a partition that has moved to another host. */
  dropPartition(partition: number): void {
    for (const [address, entry] of this.#entries) {
      if (entry.task.partition === partition) this.#entries.delete(address);
    }
    this.#queue = this.#queue.filter((entry) => entry.task.partition !== partition);
  }

  /** Updates the tasks that a commit has set or completed. */
  committed(changes: readonly CommittedTask[]): void {
    if (changes.length === 0) return;
    for (const { kind, actorId, name, task } of changes) {
      const address = addressOf({ kind, actorId, name });
      this.#remove(address);
      if (task !== null && task.dueAt.getTime() <= this.#knownUntilMs) this.#add(address, task);
    }
    this.#tickSoon();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelTick?.();
    this.#cancelRead();
    this.#entries.clear();
    this.#queue = [];
  }

  #add(address: string, task: Task): void {
    const entry: Entry = { task, nextMs: task.dueAt.getTime(), tries: 0, running: false };
    this.#entries.set(address, entry);
    this.#enqueue(entry);
  }

  #remove(address: string): void {
    const entry = this.#entries.get(address);
    if (entry === undefined) return;
    this.#entries.delete(address);
    if (!entry.running) this.#queue.splice(this.#queue.indexOf(entry), 1);
  }

  #enqueue(entry: Entry): void {
    let low = 0;
    let high = this.#queue.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#queue[middle] as Entry).nextMs > entry.nextMs) low = middle + 1;
      else high = middle;
    }
    this.#queue.splice(low, 0, entry);
  }

  #tickSoon(): void {
    const next = this.#queue.at(-1);
    if (next === undefined || this.#stopped || this.#running >= RUNNING_MAX) return;
    this.#cancelTick?.();
    const ms = Math.min(Math.max(next.nextMs - this.options.clock.now().getTime(), 0), TICK_MS_MAX);
    this.#cancelTick = this.options.clock.after(ms, () => {
      this.#cancelTick = undefined;
      this.#tick();
    });
  }

  #tick(): void {
    const now = this.options.clock.now().getTime();
    while (this.#running < RUNNING_MAX) {
      const next = this.#queue.at(-1);
      if (next === undefined || next.nextMs > now) break;
      this.#queue.pop();
      void this.#run(next);
    }
    this.#tickSoon();
  }

  async #run(entry: Entry): Promise<void> {
    const { clock, log } = this.options;
    const { task } = entry;
    entry.running = true;
    this.#running += 1;
    const result = await this.options.run(task).catch((error): TaskResult => {
      log.warn({ err: error }, "a task could not be run");
      return "failed";
    });
    this.#running -= 1;
    entry.running = false;
    const address = addressOf(task);
    // The entry may be outdated: its task may be done, set again or handed over by now.
    if (this.#entries.get(address) === entry) {
      if (result === "done") {
        this.#entries.delete(address);
      } else {
        const ms = backoffMs(entry.tries, RETRY_MS, RETRY_MS_MAX);
        entry.tries += 1;
        entry.nextMs = clock.now().getTime() + ms;
        log.warn({ task: address, tries: entry.tries, ms }, "a task failed; trying again");
        this.#enqueue(entry);
      }
    }
    this.#tickSoon();
  }

  #read(): void {
    if (this.#stopped) return;
    if (this.#reading) {
      this.#readAgain = true;
      return;
    }
    this.#reading = true;
    this.#cancelRead();
    void this.#readDue()
      .then(
        () => READ_MS,
        (error) => {
          this.options.log.warn({ err: error }, "could not read due tasks; trying again");
          return RETRY_MS;
        },
      )
      .then((ms) => {
        this.#reading = false;
        if (this.#readAgain) {
          this.#readAgain = false;
          this.#read();
        } else if (!this.#stopped) this.#cancelRead = this.options.clock.after(ms, () => this.#read());
      });
  }

  async #readDue(): Promise<void> {
    const { store, clock } = this.options;
    const now = clock.now().getTime();
    const until = new Date(now + HORIZON_MS);
    // Tasks that are committed during this read are added directly, so none is missed.
    this.#knownUntilMs = until.getTime();
    for (const entry of this.#queue) {
      // After the wall clock was set back, a retry must not wait until that time comes again.
      if (entry.tries > 0 && entry.nextMs > now + RETRY_MS_MAX) entry.nextMs = now;
    }
    this.#queue.sort((a, b) => b.nextMs - a.nextMs);
    let after: TaskPosition | null = null;
    while (!this.#stopped) {
      const partitions = this.options.partitions();
      if (partitions.length === 0) return;
      const page: Task[] = await store.tasksDue(partitions, until, after, PAGE);
      const owned = new Set(this.options.partitions());
      for (const task of page) {
        const address = addressOf(task);
        // A task in memory is at least as new as the one that was read.
        if (owned.has(task.partition) && !this.#entries.has(address)) this.#add(address, task);
      }
      this.#tickSoon();
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return;
      if (this.#entries.size >= LOADED_TASKS_MAX) {
        this.#knownUntilMs = last.dueAt.getTime();
        return;
      }
      after = last;
    }
  }
}

const addressOf = ({ kind, actorId, name }: Pick<Task, "kind" | "actorId" | "name">): string =>
  `${kind}/${actorId}/${name}`;
