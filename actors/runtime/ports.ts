import type { Row } from "./definition.ts";

/** What the runtime needs of the world. All of it is passed in, so that it can run under a seeded scheduler. */

export interface Clock {
  /** Wall time, for what is written. */
  now(): Date;
  /** Milliseconds that never go back, for what is waited for. */
  monotonicMs(): number;
  /** Calls back once after `ms`; the function that it returns cancels it. */
  after(ms: number, callback: () => void): () => void;
  /** Calls back when the work of this turn has been handled. */
  soon(callback: () => void): void;
}

export interface Ids {
  /** A fresh 24-hex record id. */
  record(): string;
}

/** Messages between callers and actor hosts: at most once, in no order. */
export interface Bus {
  /** Sends text. `replyTo` also takes the word that nobody listens (an empty message). */
  publish(subject: string, text: string, replyTo?: string): void;
  /** Text is null where nobody listened to the message that this would have replied to. `consume` guards its use. */
  subscribe(
    subject: string,
    receive: (text: string | null, replyTo: string, subject: string) => void,
  ): () => void;
  /** Counts a message that could not be taken, by what its subject carries. */
  dropped(kind: string, reason: string, error?: unknown): void;
  /** Whether messages can leave now; those sent meanwhile are kept until they can. */
  connected(): boolean;
  /** Goes to the server and back; rejects when no reply comes in time. */
  ping(timeoutMs: number): Promise<void>;
}

export interface Lease {
  readonly partition: number;
  readonly owner: string | null;
  readonly epoch: number;
  readonly expired: boolean;
}

export interface OutboxRow {
  readonly partition: number;
  readonly seq: number;
  readonly topic: string;
  readonly body: object;
}

export interface Receipt {
  readonly actorId: string;
  readonly key: string;
  readonly fingerprint: string;
  readonly reply: unknown;
  readonly version: number;
  /** The saga that the request waits for, and how it ended if it has. */
  readonly saga?: { readonly name: string; readonly end: unknown };
}

/** A message that an actor has committed to: to itself at a time (a timer), or to another actor (a send). */
export interface Task {
  readonly kind: string;
  readonly actorId: string;
  readonly name: string;
  readonly partition: number;
  /** Another one whenever the task is set again. */
  readonly token: string;
  readonly dueAt: Date;
  readonly op: string;
  readonly input: object;
  readonly send: SendTask | null;
}

export interface SendTask {
  readonly kind: string;
  readonly actorId: string;
  readonly key: string;
  readonly aborting: boolean;
  /** The sender's operation that receives the reply. */
  readonly replyOp: string | null;
  readonly context: object | null;
}

/** What a host says of itself to the cluster. */
export interface HostStatus {
  readonly started_at: string;
  readonly partitions: number;
  /** Requests that wait for their actor. */
  readonly queued: number;
  /** Actors in memory. */
  readonly actors: number;
  readonly quarantined: string[];
  /** Timers and sends that this host has loaded: due within its horizon, or being tried. */
  readonly tasks: number;
  /** Those of them that were tried and failed. */
  readonly tasks_failing: number;
  /** Committed effects that were not delivered yet. */
  readonly undelivered: number;
  readonly commit_ms: { readonly p50: number; readonly p95: number; readonly commits: number };
}

export interface TableWrites {
  insert: Row[];
  update: Row[];
  remove: Row[];
}

export interface Commit {
  readonly owner: string;
  readonly leases: readonly { partition: number; epoch: number }[];
  readonly writes: ReadonlyMap<string, TableWrites>;
}

/** Where a reading of due tasks went on to: they are ordered by these. */
export type TaskPosition = Pick<Task, "dueAt" | "kind" | "actorId" | "name">;

/** What the runtime keeps in the database. */
export interface Store {
  /** Says whom to tell when a connection was lost: the database may have failed over since. */
  onDisconnect?(callback: () => void): void;
  /** Primary keys of the tables that actors may write. */
  primaryKeys(): Promise<ReadonlyMap<string, readonly string[]>>;
  /**
   * Writes everything or nothing, if every lease still is as given.
   * @throws FencedError, StaleError, RejectedError: nothing was written. OutcomeUnknownError: who knows.
   */
  commit(lane: number, commit: Commit): Promise<void>;
  /** Receipts by `receiptKey`; one that waits for a saga comes with the saga's end. */
  receipts(keys: readonly { actorId: string; key: string }[]): Promise<Receipt[]>;

  /** What these actors have left to do. */
  tasksOf(actors: readonly { kind: string; actorId: string }[]): Promise<Task[]>;
  /** What is due up to a time in these partitions, soonest first, after `after` in that order. */
  tasksDue(
    partitions: readonly number[],
    until: Date,
    after: TaskPosition | null,
    limit: number,
  ): Promise<Task[]>;

  /** Every lease, and the hosts that are alive, by the database's clock. */
  cluster(): Promise<{ leases: Lease[]; hosts: string[] }>;
  /**
   * Says that this host lives and still holds what it holds; returns the leases that it holds, and which history the
   * database is on: another one after a failover, whose past may lack what was acknowledged last.
   */
  renew(
    host: string,
    ttlMs: number,
    status: HostStatus,
  ): Promise<{ held: { partition: number; epoch: number }[]; timeline: string }>;
  /** Takes those of the partitions that are free, and returns them with their new epochs. */
  acquire(
    host: string,
    partitions: readonly number[],
    ttlMs: number,
  ): Promise<{ partition: number; epoch: number }[]>;
  /** Gives partitions back, so that the next owner need not wait for the lease to run out. */
  release(host: string, partitions: readonly number[]): Promise<void>;
  /** Takes this host off the list of those that want partitions. */
  leave(host: string): Promise<void>;

  /** For each partition the number that was given last, and up to which effects are known to be delivered. */
  sequences(
    partitions: readonly number[],
  ): Promise<{ partition: number; lastSeq: number; deliveredSeq: number }[]>;
  /** Effects of a partition after a number, in order. */
  effectsAfter(partition: number, seq: number, limit: number): Promise<OutboxRow[]>;
  /** Notes how far effects were delivered. */
  delivered(progress: readonly { partition: number; seq: number }[]): Promise<void>;
  /** Forgets how far effects were delivered: what the outbox still holds is to be delivered again. */
  rewind(partitions: readonly number[]): Promise<void>;
}
