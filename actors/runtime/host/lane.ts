import { DroppedMessages } from "../../../schemas/received.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { type AnyDefinition, AwaitedSaga } from "../definition.ts";
import { RejectedError } from "../errors.ts";
import type { Ids, Store, Task } from "../ports.ts";
import type { Reply } from "../transport/wire.ts";
import type { Activation, Change, HandlerReply, PendingRequest } from "./activation.ts";
import { ActivationCache } from "./activation-cache.ts";
import { closeBatch } from "./batch.ts";
import { Committer, type CommitterOptions } from "./committer.ts";
import { execute } from "./execute.ts";
import { isReceiptUnknown, loadTurn, type Turn } from "./load.ts";
import { Quarantine } from "./quarantine.ts";
import { EXPIRED, FAILED, GIVEN_UP, MOVED, OVERLOADED, QUARANTINED, toErrorReply } from "./replies.ts";
import { Waiters } from "./waiters.ts";

/** Messages that may wait for one actor: more than an honest caller has in flight, and at most a second's work. */
const MAILBOX_MAX = 2_000;
/** Messages that one actor runs before others get their turn. */
const TURN_PER_ACTOR_MAX = 128;
/** Messages that a turn takes up, and a batch holds: bounds the size of a load and of a commit. */
const TURN_MAX = 512;
const BATCH_MAX = 1_024;
/** How often a message is run again after its commit was undone, before it is given up. */
const RERUNS_MAX = 8;
/**
 * Actors of a batch whose messages get commits of their own, after a refusal. However many actors are sent what the database refuses,
 * the other actors wait for this many extra commits.
 */
const ISOLATED_PER_BATCH_MAX = 4;
/** How long a lane waits before it retries a database that did not reply. */
const RETRY_MS = 150;
/**
 * How long receipts are looked up before each turn, after a commit met one: a commit that is refused costs more than a look-up, so
 * clients that repeat requests without end cost one such commit a second.
 */
const RECEIPT_LIKELY_MS = 1_000;

export interface LaneOptions extends CommitterOptions {
  readonly store: Store & { readonly db: Sql };
  readonly ids: Ids;
  readonly primaryKeys: ReadonlyMap<string, readonly string[]>;
  /** Whether memory may serve requests: the lease is good by this host's own clock, and of the history that the database is on. */
  canServeFromMemory(partition: number, epoch: number): boolean;
  /** Records which handler is running, null after it: the watchdog names it should this thread hang. */
  watch(handler: string | null): void;
}

/** A task that was set, or (null) is done. */
export interface CommittedTask {
  readonly kind: string;
  readonly actorId: string;
  readonly name: string;
  readonly task: Task | null;
}

/**
 * A lane runs the actors of its partitions in turns and commits what they did, one batch at a time. While one batch is being
 * committed the next one fills. No reply leaves before the commit of everything that its handler saw.
 */
export class Lane {
  readonly #activations = new ActivationCache();
  /** Actors with messages in their mailbox, in the order of arrival. */
  readonly #ready = new Set<Activation>();
  /** Actors in the batch that is filling, and how many messages it holds. */
  readonly #filling = new Set<Activation>();
  readonly #waiters: Waiters;
  readonly #quarantine: Quarantine;
  #fillingMessages = 0;
  #receiptLikelyUntilMs = Number.NEGATIVE_INFINITY;
  #pumping = false;
  #preparing = false;
  #committing = false;
  readonly #committer: Committer;
  /** By kind and operation, so that a client that sends what is refused does not fill the log. */
  readonly #refusals = new DroppedMessages(({ kind: op, count, reason: actor, error }) =>
    this.options.log.error({ op, count, actor, err: error }, "the database refused changes"),
  );

  constructor(private readonly options: LaneOptions) {
    this.#waiters = new Waiters(options.clock);
    this.#quarantine = new Quarantine(options.clock, options.log);
    this.#committer = new Committer(options, {
      onCommitted: (changes) => this.#onCommitted(changes),
      onUndone: (changes, error) => this.#rerun(changes, error),
      onReceiptExists: () => {
        this.#receiptLikelyUntilMs = options.clock.monotonicMs() + RECEIPT_LIKELY_MS;
      },
      onRefused: (change, error) => this.#refuse(change, error),
    });
  }

  get depth(): number {
    let waiting = 0;
    for (const activation of this.#ready) waiting += activation.mailbox.length;
    return waiting;
  }

  /** Actors in memory. */
  get size(): number {
    return this.#activations.size;
  }

  /** Quarantined actors. */
  get quarantined(): string[] {
    return this.#quarantine.actors;
  }

  /** Opens a partition that this host has just acquired. */
  open(partition: number, lastSeq: number): void {
    this.#committer.open(partition, lastSeq);
  }

  /** Accepts a request for an actor. The reply is sent when it is done, or at once when the mailbox is full. */
  accept(definition: AnyDefinition, epoch: number, request: PendingRequest): void {
    const { actor, partition } = request.item;
    const activation = this.#activations.getOrCreate(definition, actor, partition, epoch);
    if (this.#quarantine.holds(activation)) request.reply(QUARANTINED);
    else if (activation.mailbox.length >= MAILBOX_MAX) request.reply(OVERLOADED);
    else {
      activation.mailbox.push(request);
      this.#ready.add(activation);
      this.#pumpSoon();
    }
  }

  /** One message may bring many requests: they start together, and so share a commit. */
  #pumpSoon(): void {
    if (this.#pumping) return;
    this.#pumping = true;
    this.options.clock.soon(() => {
      this.#pumping = false;
      this.#pump();
    });
  }

  /**
   * Drops a partition at once. Waiting requests get MOVED and are repeated at the next owner under the same key: its receipts
   * show what was done.
   */
  drop(partition: number): void {
    for (const activation of this.#activations.removePartition(partition)) {
      this.#ready.delete(activation);
      this.#quarantine.release(activation);
      const uncommitted = this.#takeUncommitted(activation);
      activation.dropped = true;
      for (const request of [
        ...uncommitted,
        ...this.#waiters.takeAll(activation),
        ...activation.mailbox.splice(0),
      ]) {
        request.reply(MOVED);
      }
    }
    this.#committer.close(partition);
  }

  /** Evicts idle actors until at most so many are left. */
  evictIdle(actorsMax: number): void {
    this.#activations.evictIdle(actorsMax);
  }

  /** True when nothing of this partition waits, runs or is being committed. */
  isDrained(partition: number): boolean {
    return this.#activations.isDrained(partition);
  }

  #pump(): void {
    if (this.#preparing || this.#ready.size === 0) return;
    if (this.#fillingMessages >= BATCH_MAX) return;
    const turn = this.#takeTurn();
    if (turn.length === 0) return;
    const loading = loadTurn(
      turn,
      this.options.store,
      (activation, error) => this.#quarantineActor(activation, error),
      { isReceiptLikely: this.options.clock.monotonicMs() < this.#receiptLikelyUntilMs },
    );
    if (loading === undefined) {
      this.#run(turn);
      // A bounded turn may leave messages. Other events are handled before the next turn.
      if (this.#ready.size > 0) this.#pumpSoon();
      return;
    }
    this.#preparing = true;
    loading.then(
      () => {
        this.#preparing = false;
        this.#run(turn);
        this.#pump();
      },
      (error) => {
        this.options.log.warn(
          { err: error, lane: this.options.number },
          "could not load actors; trying again",
        );
        this.#rejectExpired(turn);
        this.options.clock.after(RETRY_MS, () => {
          this.#preparing = false;
          this.#pump();
        });
      },
    );
  }

  #takeTurn(): Turn {
    const turn: { activation: Activation; count: number }[] = [];
    let total = 0;
    let isolated: number | undefined;
    for (const activation of this.#ready) {
      // After a refused batch each message of the actor gets a commit of its own.
      if (activation.isolated) {
        isolated ??= [...this.#filling].filter((other) => other.isolated).length;
        if (activation.open !== undefined || activation.committing !== undefined) continue;
        if (isolated >= ISOLATED_PER_BATCH_MAX) continue;
        isolated += 1;
      }
      const count = Math.min(
        activation.mailbox.length,
        activation.isolated ? 1 : TURN_PER_ACTOR_MAX,
        TURN_MAX - total,
      );
      turn.push({ activation, count });
      total += count;
      if (total >= TURN_MAX) break;
    }
    return turn;
  }

  #run(turn: Turn): void {
    const now = this.options.clock.now();
    for (const { activation, count } of turn) {
      // Undone or handed over while the turn was being prepared: its mailbox has changed.
      if (activation.dropped || !activation.loaded) continue;
      const deliveries = activation.mailbox.splice(0, count);
      this.#ready.delete(activation);
      if (activation.mailbox.length > 0) this.#ready.add(activation);
      while (deliveries.length > 0) {
        if (this.#runOne(activation, deliveries.shift() as PendingRequest, now)) continue;
        // The actor was unloaded: the rest of its turn waits until it is loaded again.
        activation.mailbox.unshift(...deliveries);
        if (activation.mailbox.length > 0) this.#ready.add(activation);
        break;
      }
    }
    this.#launch();
  }

  /** False when the actor had to be unloaded, together with its uncommitted changes. */
  #runOne(activation: Activation, request: PendingRequest, now: Date): boolean {
    const { options } = this;
    if (options.clock.monotonicMs() > request.deadlineMs) {
      // Not run: its caller has stopped waiting, with an error that says the outcome is unknown.
      request.reply(EXPIRED);
      return true;
    }
    let result: HandlerReply;
    options.watch(`${request.item.kind}.${request.item.op}`);
    try {
      result = execute(activation, request, {
        ids: options.ids,
        now,
        primaryKeys: options.primaryKeys,
        fault: (error, { definition, id }, { item }) => {
          // It may be an operation that was done before, which the state does not allow again.
          if (isReceiptUnknown(activation, request)) return;
          options.log.error(
            { err: error, kind: definition.kind, actor: id, op: item.op, ...item.origin },
            "a handler failed",
          );
        },
      });
    } catch (error) {
      this.#undo(activation, []);
      if (this.#wantsReceipt(activation, request)) return false;
      options.log.error(
        { err: error, actor: activation.address, ...request.item.origin },
        "what a handler recorded cannot be written",
      );
      request.reply(FAILED);
      return false;
    } finally {
      options.watch(null);
    }
    if (
      !(result instanceof AwaitedSaga) &&
      result.status === "error" &&
      this.#wantsReceipt(activation, request)
    )
      return true;
    if (activation.open !== undefined) {
      activation.open.waiting.push({ request, result });
      this.#filling.add(activation);
      this.#fillingMessages += 1;
    } else if (activation.committing !== undefined) {
      activation.committing.waiting.push({ request, result });
    } else if (options.canServeFromMemory(activation.partition, activation.epoch)) {
      this.#reply(activation, request, result);
    } else {
      // The state that it saw may be stale: the next owner replies.
      request.reply(MOVED);
    }
    return true;
  }

  /** Queues a request that was refused without knowing its receipt: it runs again when that was looked up. */
  #wantsReceipt(activation: Activation, request: PendingRequest): boolean {
    if (!isReceiptUnknown(activation, request)) return false;
    request.receipt = "wanted";
    activation.mailbox.push(request);
    this.#ready.add(activation);
    return true;
  }

  #reply(activation: Activation, request: PendingRequest, result: HandlerReply): void {
    if (result instanceof AwaitedSaga) this.#waiters.add(activation, result.saga, request);
    else request.reply(result);
  }

  /** Runs a request that joined a saga again: its receipt, read again, shows whether the saga had already ended. */
  #askAgain(activation: Activation, request: PendingRequest, saga: string): void {
    activation.invalidateReceipts(saga);
    request.reruns += 1;
    activation.mailbox.push(request);
    this.#ready.add(activation);
  }

  #launch(): void {
    if (this.#committing || this.#filling.size === 0) return;
    const { changes, faulty } = closeBatch(this.#filling);
    this.#filling.clear();
    this.#fillingMessages = 0;
    this.#committing = true;
    this.#committer
      .commit(changes, faulty)
      .catch((error) => this.options.log.error({ err: error }, "a commit failed in an unforeseen way"))
      .finally(() => {
        this.#committing = false;
        this.#launch();
        this.#pump();
      });
    this.#pump();
  }

  #onCommitted(changes: readonly Change[]): void {
    let receiptsCommitted = 0;
    for (const { activation, waiting, ends, receipts } of changes) {
      activation.committing = undefined;
      activation.faults = 0;
      activation.trimReceipts();
      receiptsCommitted += receipts.length;
      if (activation.isolated && activation.mailbox.length === 0) activation.isolated = false;
      for (const { request, result } of waiting) {
        // Handed over during the commit: a request that waits for more asks the next owner.
        if (activation.dropped && result instanceof AwaitedSaga) request.reply(MOVED);
        else if (result instanceof AwaitedSaga && result.isJoined)
          this.#askAgain(activation, request, result.saga);
        else this.#reply(activation, request, result);
      }
      for (const [saga, reply] of ends) {
        for (const request of activation.takeWaiters(saga)) request.reply(reply);
      }
    }
    this.#activations.receiptsCommitted(receiptsCommitted);
  }

  /** Undoes the changes in memory and queues their messages again; receipts show which of them are done. */
  #rerun(changes: readonly Change[], error?: unknown): void {
    for (const { activation, waiting } of changes) {
      const committing = waiting.map(({ request }) => request);
      // A saga may have ended in a commit whose outcome is unknown: the waiting requests read their receipts again. A refused
      // commit ended none.
      const waiters = error instanceof RejectedError ? [] : this.#waiters.takeAll(activation);
      this.#undo(activation, [...waiters, ...committing]);
    }
  }

  /** Unloads an actor, and runs these messages and its later uncommitted ones again. */
  #undo(activation: Activation, committing: readonly PendingRequest[]): void {
    const undone = [...committing, ...this.#takeUncommitted(activation)];
    activation.unload();
    if (activation.dropped) {
      for (const request of undone) request.reply(MOVED);
      return;
    }
    const again = undone.filter((request) => {
      request.reruns += 1;
      if (request.reruns <= RERUNS_MAX) return true;
      request.reply(GIVEN_UP);
      return false;
    });
    activation.mailbox.unshift(...again);
    if (activation.mailbox.length > 0) this.#ready.add(activation);
  }

  #takeUncommitted(activation: Activation): PendingRequest[] {
    const waiting = activation.open?.waiting ?? [];
    if (this.#filling.delete(activation)) this.#fillingMessages -= waiting.length;
    activation.open = undefined;
    return waiting.map(({ request }) => request);
  }

  /**
   * The database refuses this message of one actor: the message fails, and nothing else does. The other changes of its batch are already
   * committed, and the actor goes on with its next message, since a client that sends what is refused must not block the others.
   */
  #refuse(change: Change, error: unknown): void {
    const { activation, waiting } = change;
    const conflict = conflictOf(activation, error);
    const outcome: Reply = conflict ?? FAILED;
    const refused = waiting.splice(0);
    this.#rerun([change], error);
    for (const { request } of refused) request.reply(outcome);
    if (conflict !== undefined || activation.dropped) return;
    activation.isolated = true;
    const op = refused[0]?.request.item.op ?? "";
    this.#refusals.add(`${activation.definition.kind}.${op}`, activation.address, error);
  }

  /** This actor's record cannot be read. The other actors of the turn are loaded. */
  #quarantineActor(activation: Activation, error: unknown): void {
    if (activation.dropped) return;
    this.options.log.error({ err: error, actor: activation.address }, "an actor could not be loaded");
    this.#quarantine.add(activation);
    this.#emptyMailbox(activation);
  }

  #emptyMailbox(activation: Activation): void {
    this.#ready.delete(activation);
    for (const request of activation.mailbox.splice(0)) request.reply(QUARANTINED);
  }

  #rejectExpired(turn: Turn): void {
    const now = this.options.clock.monotonicMs();
    for (const { activation } of turn) {
      const expired = activation.mailbox.filter((request) => now > request.deadlineMs);
      if (expired.length === 0) continue;
      const kept = activation.mailbox.filter((request) => now <= request.deadlineMs);
      activation.mailbox.splice(0, activation.mailbox.length, ...kept);
      if (kept.length === 0) this.#ready.delete(activation);
      for (const request of expired) request.reply(EXPIRED);
    }
  }
}

/** The refusal that the definition gives for a violated constraint; undefined where the violation is a fault. */
function conflictOf({ definition }: Activation, error: unknown): Reply | undefined {
  if (!(error instanceof RejectedError) || error.constraint === undefined) return undefined;
  const conflict = definition.conflicts?.[error.constraint];
  if (typeof conflict === "function") return toErrorReply(conflict(error.detail ?? ""));
  return conflict && { status: "error", ...conflict };
}
