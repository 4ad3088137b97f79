import type { RowChanges } from "./changes.ts";
import type { AnyDefinition, Row } from "./definition.ts";
import type { Outcome, RequestItem } from "./wire.ts";

/** A request on its way through a host. */
export interface Delivery {
  readonly item: RequestItem;
  /** By the monotonic clock: past it the caller no longer waits. */
  readonly deadlineMs: number;
  /** How often it was run and undone. */
  reruns: number;
  answer(outcome: Outcome): void;
}

export interface KeptReceipt {
  readonly fingerprint: string;
  readonly reply: unknown;
  readonly version: number;
}

/** What one actor adds to one batch, and who waits for it. */
export interface Change {
  readonly cell: Cell;
  readonly baseVersion: number;
  readonly rows: RowChanges;
  /** The root row as it is when the batch closes; read then, since later messages go on changing the state. */
  root: { row: Row | null } | undefined;
  /** When its state, or a row that hangs on it, changed last; undefined while there were only effects. */
  changedAt: Date | undefined;
  readonly receipts: Row[];
  readonly effects: { topic: string; body: object }[];
  readonly waiting: { delivery: Delivery; outcome: Outcome }[];
}

/** Receipts that an actor keeps in memory after their commit, for retries that come at once. */
const RECEIPTS_KEPT_MAX = 64;

/** One actor in memory: its state as of its last message, committed or not, and its mailbox. */
export class Cell {
  loaded = false;
  state: unknown;
  version = 0;
  readonly mailbox: Delivery[] = [];
  readonly receipts = new Map<string, KeptReceipt>();
  /** What it adds to the batch that is filling. */
  open: Change | undefined;
  /** What it added to the batch that is being committed. */
  committing: Change | undefined;
  /** One message a commit, after a batch of several was refused: tells which of them it was. */
  alone = false;
  /** Its partition went to another host: whoever still holds the cell leaves it be. */
  dropped = false;

  constructor(
    readonly definition: AnyDefinition,
    readonly id: string,
    readonly partition: number,
    readonly epoch: number,
  ) {}

  get idle(): boolean {
    return this.mailbox.length === 0 && this.open === undefined && this.committing === undefined;
  }

  become(state: unknown, version: number): void {
    this.state = state;
    this.version = version;
    this.loaded = true;
  }

  /** Forgets everything but the mailbox: the next message loads the actor again. */
  forget(): void {
    this.loaded = false;
    this.state = undefined;
    this.version = 0;
    this.receipts.clear();
    this.open = undefined;
    this.committing = undefined;
  }

  keepReceipt(key: string, receipt: KeptReceipt): void {
    this.receipts.set(key, receipt);
  }

  /** Forgets the oldest receipts past the bound, once all of them can be read from the database. */
  trimReceipts(): void {
    if (this.open !== undefined || this.committing !== undefined) return;
    for (const oldest of this.receipts.keys()) {
      if (this.receipts.size <= RECEIPTS_KEPT_MAX) break;
      this.receipts.delete(oldest);
    }
  }
}
