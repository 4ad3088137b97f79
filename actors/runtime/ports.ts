import type { Origin } from "../../schemas/origin.ts";
import type { Row } from "./definition.ts";
import type { PartitionCounts } from "./partition.ts";

/** The runtime's interfaces to its environment. All of them are passed in, so that it can run under a seeded scheduler. */

export interface Clock {
  /** Wall-clock time, for records. */
  now(): Date;
  /** Milliseconds of a monotonic clock, for waits and deadlines. */
  monotonicMs(): number;
  /** Calls back once after `ms`; the function that it returns cancels it. */
  after(ms: number, callback: () => void): () => void;
  /** Calls back after the present turn of the event loop. */
  soon(callback: () => void): void;
}

export interface Ids {
  /** A fresh 24-hex record id. */
  record(): string;
}

/** Messages between callers and actor hosts: at most once, in no order. */
export interface Bus {
  /** Sends text. Without a subscriber, `replyTo` receives an empty message. */
  publish(subject: string, text: string, replyTo?: string): void;
  /** The text is null when the message to be replied to had no subscriber. Use `consume`, which handles errors. */
  subscribe(
    subject: string,
    receive: (text: string | null, replyTo: string, subject: string) => void,
  ): () => void;
  /** Counts a message that could not be read, by the kind of its subject. */
  dropped(kind: string, reason: string, error?: unknown): void;
  /** Whether messages can leave now; those sent meanwhile are kept until they can. */
  connected(): boolean;
  /** When the connection was lost, by the monotonic clock; undefined while there is one. */
  disconnectedSinceMs(): number | undefined;
  /** Makes a round trip to the server; rejects when no reply comes in time. */
  ping(timeoutMs: number): Promise<void>;
}

export interface Lease {
  readonly partition: number;
  readonly owner: string | null;
  readonly epoch: number;
  readonly expired: boolean;
}

/** The partitions of the cluster with their owners, as of one moment. */
export interface ClusterLeases {
  readonly leases: readonly Lease[];
  readonly counts: PartitionCounts;
}

export interface OutboxRow {
  readonly partition: number;
  readonly seq: number;
  readonly topic: string;
  readonly body: object;
  /** The request that led to it, for logs and traces. */
  readonly origin: Origin | null;
}

/** How far the effects of a partition were delivered under an epoch of its lease. */
export interface DeliveryProgress {
  readonly partition: number;
  readonly epoch: number;
  /** The number of the last effect that was delivered. */
  readonly seq: number;
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

/** A committed message: to the actor itself at a time (a timer), or to another actor (a send). */
export interface Task {
  readonly kind: string;
  readonly actorId: string;
  readonly name: string;
  readonly partition: number;
  /** Changes whenever the task is set again. */
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
  /** The request that led to it, for logs and traces. */
  readonly origin: Origin | null;
}

/** The status that a host reports to the cluster. */
export interface HostStatus {
  readonly started_at: string;
  /** Of its program; hosts of versions before this was said have none. */
  readonly version?: string;
  readonly partitions: number;
  /** This version knows how partitions are split. */
  readonly splits_partitions: true;
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

/** The position at which reading of due tasks continues: tasks are ordered by these fields. */
export type TaskPosition = Pick<Task, "dueAt" | "kind" | "actorId" | "name">;

/** The runtime's storage in the database. */
export interface Store {
  /** Sets the callback for a lost connection: the database may have failed over since. */
  onDisconnect?(callback: () => void): void;
  /** Primary keys of the tables that actors may write. */
  primaryKeys(): Promise<ReadonlyMap<string, readonly string[]>>;
  /**
   * Writes everything or nothing, if all leases are unchanged. @throws FencedError, StaleError, RejectedError:
   * nothing was written. OutcomeUnknownError: it may have been written.
   */
  commit(lane: number, commit: Commit): Promise<void>;
  /** Receipts by `receiptKey`; one that waits for a saga comes with the saga's end. */
  receipts(keys: readonly { actorId: string; key: string }[]): Promise<Receipt[]>;

  /** The tasks of these actors. */
  tasksOf(actors: readonly { kind: string; actorId: string }[]): Promise<Task[]>;
  /** The tasks of these partitions up to a time, soonest first, starting after `after`. */
  tasksDue(
    partitions: readonly number[],
    until: Date,
    after: TaskPosition | null,
    limit: number,
  ): Promise<Task[]>;

  /** Every lease, and the hosts that are alive, by the database's clock. */
  cluster(): Promise<ClusterLeases & { readonly hosts: string[] }>;
  /**
   * Renews this host and its leases. Returns the leases that were renewed, those that it owns but that a stuck commit keeps locked, and
   * the database's timeline, which changes with a failover: the new primary may lack what was acknowledged last.
   */
  renew(
    host: string,
    ttlMs: number,
    status: HostStatus,
  ): Promise<{
    held: { partition: number; epoch: number }[];
    locked: { partition: number; epoch: number }[];
    timeline: string;
  }>;
  /** Acquires those of the partitions that are free, and returns them with their new epochs. */
  acquire(
    host: string,
    partitions: readonly number[],
    ttlMs: number,
  ): Promise<{ partition: number; epoch: number }[]>;
  /**
   * Splits a partition that this host owns, once all its effects are known to be delivered. False: it was not split. A
   * partition that was split has no owner.
   */
  split(host: string, lease: { partition: number; epoch: number }): Promise<boolean>;
  /** Gives partitions back, so that the next owner need not wait for the lease to run out. */
  release(host: string, partitions: readonly number[]): Promise<void>;
  /** Removes this host from the list of hosts that share the partitions. */
  leave(host: string): Promise<void>;

  /** For each partition the last number of an effect, and the number up to which effects are known to be delivered. */
  sequences(
    partitions: readonly number[],
  ): Promise<{ partition: number; lastSeq: number; deliveredSeq: number }[]>;
  /** Effects of a partition after a number, in order. */
  effectsAfter(partition: number, seq: number, limit: number): Promise<OutboxRow[]>;
  /** Saves how far effects were delivered, of partitions that are still held under this epoch. */
  saveProgress(progress: readonly DeliveryProgress[]): Promise<void>;
  /** Resets how far effects were delivered: all effects of the outbox are delivered again. @param partitions all unless named */
  rewind(partitions?: readonly number[]): Promise<void>;
}
