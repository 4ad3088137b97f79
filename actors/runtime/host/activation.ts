import type { Origin } from "../../../schemas/origin.ts";
import type { Span } from "../../../system/tracing/tracing.ts";
import type { AnyDefinition, AwaitedSaga, Row } from "../definition.ts";
import type { Receipt, Task } from "../ports.ts";
import type { Reply, RequestItem } from "../transport/wire.ts";
import type { RowChanges } from "./changes.ts";

/** A request on its way through a host. */
export interface PendingRequest {
  readonly item: RequestItem;
  /** By the monotonic clock: after it the caller no longer waits. */
  readonly deadlineMs: number;
  /** Set when the message is a task of the actor's own: what it does removes the task in the same commit. */
  readonly task?: { readonly name: string; readonly token: string };
  /** How often it has been run and undone. */
  reruns: number;
  /**
   * Whether its receipt was looked up in the database. `wanted`: it ran without, and only a look-up shows whether its result is that of
   * an operation that was done before.
   */
  receipt: "unread" | "wanted" | "read";
  /** Where the request is traced. */
  readonly span?: Span | undefined;
  reply(outcome: Reply): void;
}

export type CachedReceipt = Omit<Receipt, "actorId" | "key">;

/** The result of a message: its reply, or that the reply is sent when a saga ends. */
export type HandlerReply = Reply | AwaitedSaga;

/** The changes of one actor in one batch, and the requests that wait for their commit. */
export interface Change {
  readonly activation: Activation;
  readonly baseVersion: number;
  readonly rows: RowChanges;
  /** The root row as it is when the batch closes; read then, since later messages go on changing the state. */
  root: { row: Row | null } | undefined;
  /** The time of the last change of its state or child rows; undefined if there were only effects. */
  changedAt: Date | undefined;
  readonly receipts: Row[];
  readonly effects: { topic: string; body: object; origin: Origin | null }[];
  /** Tasks that were set, and those that are done (null), by name. */
  readonly tasks: Map<string, Task | null>;
  /** Sagas that ended, with the reply to the requests that wait for them. */
  readonly ends: Map<string, Reply>;
  readonly waiting: { request: PendingRequest; result: HandlerReply }[];
}

/** Receipts that an actor keeps in memory after their commit, for immediate retries. */
const RECEIPTS_KEPT_MAX = 64;

/** One actor in memory: its state as of its last message, committed or not, and its mailbox. */
export class Activation {
  loaded = false;
  state: unknown;
  version = 0;
  readonly mailbox: PendingRequest[] = [];
  readonly receipts = new Map<string, CachedReceipt>();
  /** Sagas that ended recently: a receipt that was read just before may lack the end. */
  readonly #ends = new Map<string, Reply>();
  /** Its timers and sends, as of its last message. */
  readonly tasks = new Map<string, Task>();
  /** Requests that are committed and wait for a saga to end. */
  readonly waiters = new Map<string, PendingRequest[]>();
  /** Its changes in the batch that is filling. */
  open: Change | undefined;
  /** Its changes in the batch that is being committed. */
  committing: Change | undefined;
  /** After a batch of several messages was refused, each of its messages gets a commit of its own, which shows the one at fault. */
  isolated = false;
  /** Its partition moved to another host: code that still refers to the activation changes nothing. */
  dropped = false;
  /** Faults since its last committed change, and until when it is quarantined for them. */
  faults = 0;
  quarantinedUntilMs = Number.NEGATIVE_INFINITY;

  constructor(
    readonly definition: AnyDefinition,
    readonly id: string,
    readonly partition: number,
    readonly epoch: number,
  ) {}

  get address(): string {
    return `${this.definition.kind}/${this.id}`;
  }

  /** Nothing waits, runs or is being committed. Requests that wait for a saga do not count: another host can serve them. */
  get isDrained(): boolean {
    return this.mailbox.length === 0 && this.open === undefined && this.committing === undefined;
  }

  /** It can be unloaded without losing anything. */
  get isEvictable(): boolean {
    return this.isDrained && this.waiters.size === 0 && this.faults === 0;
  }

  activate(state: unknown, version: number): void {
    this.state = state;
    this.version = version;
    this.loaded = true;
  }

  /** Drops everything but the mailbox and the waiting requests. The next message loads the actor again. */
  unload(): void {
    this.loaded = false;
    this.state = undefined;
    this.version = 0;
    this.forgetReceipts();
    this.tasks.clear();
    this.open = undefined;
    this.committing = undefined;
  }

  cacheReceipt(key: string, receipt: CachedReceipt): void {
    this.receipts.set(key, receipt);
  }

  cacheSagaEnd(saga: string, end: Reply): void {
    this.#ends.set(saga, end);
  }

  /** How the saga of a receipt ended; undefined while it goes on. */
  sagaEndOf({ saga }: CachedReceipt): Reply | undefined {
    if (saga === undefined) return undefined;
    return this.#ends.get(saga.name) ?? (saga.end as Reply | undefined);
  }

  /** Drops receipts that wait for a saga, so that the next request reads the saga's state from the database. */
  invalidateReceipts(saga: string): void {
    for (const [key, receipt] of this.receipts) {
      if (receipt.saga?.name === saga) this.receipts.delete(key);
    }
  }

  /** Drops the oldest receipts past the bound. All of them are in the database by then. */
  trimReceipts(): void {
    if (this.open !== undefined || this.committing !== undefined) return;
    trim(this.receipts, RECEIPTS_KEPT_MAX);
    trim(this.#ends, RECEIPTS_KEPT_MAX);
  }

  /** Drops all receipts. The next request with one of their keys finds it in the database. */
  forgetReceipts(): void {
    this.receipts.clear();
    this.#ends.clear();
  }

  addWaiter(saga: string, request: PendingRequest): void {
    const waiting = this.waiters.get(saga);
    if (waiting === undefined) this.waiters.set(saga, [request]);
    else waiting.push(request);
  }

  /** Removes and returns requests whose deadline has passed, with the sagas that they wait for. */
  expireWaiters(nowMs: number): [saga: string, PendingRequest][] {
    const expired: [string, PendingRequest][] = [];
    for (const [saga, waiting] of this.waiters) {
      const kept = waiting.filter((request) => nowMs <= request.deadlineMs);
      if (kept.length === waiting.length) continue;
      for (const request of waiting) if (nowMs > request.deadlineMs) expired.push([saga, request]);
      if (kept.length > 0) this.waiters.set(saga, kept);
      else this.waiters.delete(saga);
    }
    return expired;
  }

  /** Removes and returns the requests that wait for this saga, or without a name those that wait for any. */
  takeWaiters(saga?: string): PendingRequest[] {
    if (saga === undefined) {
      const all = [...this.waiters.values()].flat();
      this.waiters.clear();
      return all;
    }
    const waiting = this.waiters.get(saga) ?? [];
    this.waiters.delete(saga);
    return waiting;
  }
}

function trim(kept: Map<string, unknown>, max: number): void {
  for (const oldest of kept.keys()) {
    if (kept.size <= max) break;
    kept.delete(oldest);
  }
}
