import type { Row } from "./definition.ts";

/** What the runtime needs of the world. All of it is passed in, so that it can run under a seeded scheduler. */

export interface Clock {
  /** Wall time, for what is written. */
  now(): Date;
  /** Milliseconds that never go back, for what is waited for. */
  monotonicMs(): number;
  /** Calls back once after `ms`; the answer cancels it. */
  after(ms: number, callback: () => void): () => void;
  /** Calls back when what is at hand in this turn has been handled. */
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
  /** Text is null where nobody listened to the message that this would have answered. */
  subscribe(
    subject: string,
    receive: (text: string | null, replyTo: string, subject: string) => void,
  ): () => void;
  /** Whether messages can leave now; those sent meanwhile are kept until they can. */
  connected(): boolean;
  /** Goes to the server and back; rejects when it does not answer in time. */
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

/** What the runtime keeps in the database. */
export interface Store {
  /** Primary keys of the tables that actors may write. */
  primaryKeys(): Promise<ReadonlyMap<string, readonly string[]>>;
  /**
   * Writes everything or nothing, if every lease still is as given.
   * @throws FencedError, StaleError, RejectedError: nothing was written. OutcomeUnknownError: who knows.
   */
  commit(lane: number, commit: Commit): Promise<void>;
  receipts(keys: readonly { actorId: string; key: string }[]): Promise<Receipt[]>;

  /** Every lease, and the hosts that are alive, by the database's clock. */
  cluster(): Promise<{ leases: Lease[]; hosts: string[] }>;
  /** Says that this host lives and still holds what it holds; answers the leases that it does hold. */
  renew(host: string, ttlMs: number): Promise<{ partition: number; epoch: number }[]>;
  /** Takes those of the partitions that are free, and answers them with their new epochs. */
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
}
