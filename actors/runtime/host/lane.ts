import type { Logger } from "pino";
import { DroppedMessages } from "../../../schemas/received.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { type AnyDefinition, AwaitedSaga } from "../definition.ts";
import { FencedError, OutcomeUnknownError, RejectedError, StaleError } from "../errors.ts";
import type { Clock, Ids, OutboxRow, Store, Task } from "../ports.ts";
import type { Reply } from "../transport/wire.ts";
import type { Activation, Change, HandlerReply, PendingRequest } from "./activation.ts";
import { ActivationCache } from "./activation-cache.ts";
import { advance, close, type Sequences, toCommit } from "./batch.ts";
import { execute } from "./execute.ts";
import { loadTurn, type Turn } from "./load.ts";
import { Quarantine } from "./quarantine.ts";
import { EXPIRED, FAILED, GIVEN_UP, MOVED, OVERLOADED, QUARANTINED, toErrorReply } from "./replies.ts";
import { Waiters } from "./waiters.ts";

/** Messages that may wait for one actor: more than any honest caller has in flight, and a second's work at most. */
const MAILBOX_MAX = 2_000;
/** Messages that one actor runs before others get their turn. */
const TURN_PER_ACTOR_MAX = 128;
/** Messages that a turn takes up, and a batch holds: bounds the size of a load and of a commit. */
const TURN_MAX = 512;
const BATCH_MAX = 1_024;
/** How often a message is run again after its commit was undone, before it is given up. */
const RERUNS_MAX = 8;
/** How often a single message may meet rows that are not as it was told. */
const STALE_RERUNS_MAX = 3;
/**
 * Actors of a batch whose messages are committed by themselves, after a refusal. However many actors are sent what the database refuses,
 * their strangers wait for this many commits besides their own.
 */
const ISOLATED_PER_BATCH_MAX = 4;
/** How long a lane waits before it retries a database that did not reply. */
const RETRY_MS = 150;
export interface LaneOptions {
  readonly number: number;
  readonly owner: string;
  readonly store: Store & { readonly db: Sql };
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly primaryKeys: ReadonlyMap<string, readonly string[]>;
  /** Whether memory may serve requests: the lease is good by this host's own clock, and of the history that the database is on. */
  vouches(partition: number, epoch: number): boolean;
  /** The database says that these partitions are another's now. */
  onFenced(partitions: readonly number[]): void;
  /** What the commit left to do: effects to deliver, and tasks as they are now. */
  committed(effects: readonly OutboxRow[], tasks: readonly CommittedTask[]): void;
  measure(batch: { messages: number; actors: number; ms: number }): void;
  /** Tells which handler is running, null after it; it may be the last thing that is heard of this thread. */
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
 * A lane runs the actors of its partitions and commits what they did, one statement at a time. While one commit is under
 * way the next batch fills. No reply leaves before the commit of everything that its handler saw.
 */
export class Lane {
  readonly #activations = new ActivationCache();
  /** Actors with mail, in the order in which it came. */
  readonly #ready = new Set<Activation>();
  /** Actors in the batch that is filling, and how many messages it holds. */
  readonly #filling = new Set<Activation>();
  readonly #waiters: Waiters;
  readonly #quarantine: Quarantine;
  #fillingMessages = 0;
  #pumping = false;
  #preparing = false;
  #committing = false;
  readonly #sequences: Sequences = new Map();
  /** By kind and operation: who sends what is refused does not fill the log. */
  readonly #refusals = new DroppedMessages(({ kind: op, count, reason: actor, error }) =>
    this.options.log.error({ op, count, actor, err: error }, "the database refused changes"),
  );

  constructor(private readonly options: LaneOptions) {
    this.#waiters = new Waiters(options.clock);
    this.#quarantine = new Quarantine(options.clock, options.log);
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

  /** Actors that are set aside now. */
  get quarantined(): string[] {
    return this.#quarantine.actors;
  }

  /** Opens a partition that this host has just come to own. */
  open(partition: number, lastSeq: number): void {
    this.#sequences.set(partition, lastSeq);
  }

  /** Takes a request for an actor. The reply is sent when it is done, or at once when there is no room for it. */
  accept(definition: AnyDefinition, epoch: number, delivery: PendingRequest): void {
    const { actor, partition } = delivery.item;
    const activation = this.#activations.use(definition, actor, partition, epoch);
    if (this.#quarantine.holds(activation)) delivery.reply(QUARANTINED);
    else if (activation.mailbox.length >= MAILBOX_MAX) delivery.reply(OVERLOADED);
    else {
      activation.mailbox.push(delivery);
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
   * Lets a partition go at once. Whoever waits is told `moved`, and asks the next owner under the same key: receipts there
   * tell what was done after all.
   */
  drop(partition: number): void {
    for (const activation of this.#activations.removePartition(partition)) {
      this.#ready.delete(activation);
      this.#quarantine.release(activation);
      const uncommitted = this.#takeUncommitted(activation);
      activation.dropped = true;
      for (const delivery of [
        ...uncommitted,
        ...this.#waiters.take(activation),
        ...activation.mailbox.splice(0),
      ]) {
        delivery.reply(MOVED);
      }
    }
    this.#sequences.delete(partition);
  }

  /** Forgets idle actors until no more than so many are left. */
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
    const loading = loadTurn(turn, this.options.store, (activation, error) =>
      this.#setAside(activation, error),
    );
    if (loading === undefined) {
      this.#run(turn);
      // A bounded turn may have left mail; others get to speak first.
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
      // After a refused batch an actor's messages go one a commit.
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
      // Undone or handed over while the turn was being prepared: its mail is not what was prepared for.
      if (activation.dropped || !activation.loaded) continue;
      const deliveries = activation.mailbox.splice(0, count);
      this.#ready.delete(activation);
      if (activation.mailbox.length > 0) this.#ready.add(activation);
      while (deliveries.length > 0) {
        if (this.#runOne(activation, deliveries.shift() as PendingRequest, now)) continue;
        // The actor was forgotten: what is left of its turn waits until it is loaded again.
        activation.mailbox.unshift(...deliveries);
        if (activation.mailbox.length > 0) this.#ready.add(activation);
        break;
      }
    }
    this.#launch();
  }

  /** False when the actor had to be forgotten, with all that it had not committed. */
  #runOne(activation: Activation, delivery: PendingRequest, now: Date): boolean {
    const { options } = this;
    if (options.clock.monotonicMs() > delivery.deadlineMs) {
      // Not run: its caller has stopped waiting and has been told that the outcome is unknown.
      delivery.reply(EXPIRED);
      return true;
    }
    let result: HandlerReply;
    options.watch(`${delivery.item.kind}.${delivery.item.op}`);
    try {
      result = execute(activation, delivery, {
        ids: options.ids,
        now,
        primaryKeys: options.primaryKeys,
        fault: (error, { definition, id }, op) =>
          options.log.error({ err: error, kind: definition.kind, actor: id, op }, "a handler failed"),
      });
    } catch (error) {
      options.log.error(
        { err: error, actor: activation.address },
        "what a handler recorded cannot be written",
      );
      this.#undo(activation, []);
      delivery.reply(FAILED);
      return false;
    } finally {
      options.watch(null);
    }
    if (activation.open !== undefined) {
      activation.open.waiting.push({ delivery, result });
      this.#filling.add(activation);
      this.#fillingMessages += 1;
    } else if (activation.committing !== undefined) {
      activation.committing.waiting.push({ delivery, result });
    } else if (options.vouches(activation.partition, activation.epoch)) {
      this.#reply(activation, delivery, result);
    } else {
      // What it saw may be stale by now: the next owner replies.
      delivery.reply(MOVED);
    }
    return true;
  }

  #reply(activation: Activation, delivery: PendingRequest, result: HandlerReply): void {
    if (result instanceof AwaitedSaga) this.#waiters.add(activation, result.saga, delivery);
    else delivery.reply(result);
  }

  /** Runs a request that joined a saga once more: its receipt, read again, tells whether the saga has ended before. */
  #askAgain(activation: Activation, delivery: PendingRequest, saga: string): void {
    activation.invalidateReceipts(saga);
    delivery.reruns += 1;
    activation.mailbox.push(delivery);
    this.#ready.add(activation);
  }

  #launch(): void {
    if (this.#committing || this.#filling.size === 0) return;
    const { changes, faulty } = close(this.#filling);
    this.#filling.clear();
    this.#fillingMessages = 0;
    this.#committing = true;
    this.#commitAll(changes, faulty)
      .catch((error) => this.options.log.error({ err: error }, "a commit failed in an unforeseen way"))
      .finally(() => {
        this.#committing = false;
        this.#launch();
        this.#pump();
      });
    this.#pump();
  }

  async #commitAll(changes: Change[], faulty: readonly { change: Change; error: unknown }[]): Promise<void> {
    const suspects = changes.filter(({ activation }) => activation.isolated);
    await this.#commit(
      suspects.length === 0 ? changes : changes.filter(({ activation }) => !activation.isolated),
    );
    // Those who were in a refused batch go by themselves, so that strangers need not be committed again.
    for (const suspect of suspects) await this.#commit([suspect]);
    for (const { change, error } of faulty) await this.#failed([change], error);
  }

  /** Commits the changes, or as many of them as can be: what fails is halved until the one at fault stands alone. */
  async #commit(changes: Change[]): Promise<void> {
    if (changes.length === 0) return;
    const { store, clock, owner } = this.options;
    const { commit, effects } = toCommit(owner, changes, this.#sequences, clock.now());
    const startedMs = clock.monotonicMs();
    try {
      await store.commit(this.options.number, commit);
    } catch (error) {
      return this.#failed(changes, error);
    }
    advance(this.#sequences, effects);
    this.#notifyCommitted(changes, effects);
    let messages = 0;
    for (const { activation, waiting, ends } of changes) {
      activation.committing = undefined;
      activation.faults = 0;
      activation.trimReceipts();
      if (activation.isolated && activation.mailbox.length === 0) activation.isolated = false;
      messages += waiting.length;
      for (const { delivery, result } of waiting) {
        // Handed over while the commit was under way: whoever waits for more asks the next owner.
        if (activation.dropped && result instanceof AwaitedSaga) delivery.reply(MOVED);
        else if (result instanceof AwaitedSaga && result.isJoined)
          this.#askAgain(activation, delivery, result.saga);
        else this.#reply(activation, delivery, result);
      }
      for (const [saga, outcome] of ends) {
        for (const delivery of activation.takeWaiters(saga)) delivery.reply(outcome);
      }
    }
    this.options.measure({ messages, actors: changes.length, ms: clock.monotonicMs() - startedMs });
  }

  #notifyCommitted(changes: readonly Change[], effects: readonly OutboxRow[]): void {
    const tasks: CommittedTask[] = [];
    for (const { activation, tasks: changed } of changes) {
      for (const [name, task] of changed) {
        tasks.push({ kind: activation.definition.kind, actorId: activation.id, name, task });
      }
    }
    if (effects.length > 0 || tasks.length > 0) this.options.committed(effects, tasks);
  }

  async #failed(changes: Change[], error: unknown): Promise<void> {
    const { log } = this.options;
    if (error instanceof FencedError) {
      log.warn({ partitions: error.partitions }, "fenced: another host owns these partitions");
      this.options.onFenced(error.partitions);
      const gone = new Set(error.partitions);
      this.#rerun(changes.filter(({ activation }) => gone.has(activation.partition)));
      return this.#commit(changes.filter(({ activation }) => !gone.has(activation.partition)));
    }
    if (error instanceof OutcomeUnknownError) {
      log.warn(
        { err: error, lane: this.options.number },
        "the outcome of a commit is unknown; taking its partitions again",
      );
      // It may still be under way, and apply at any time. A new epoch settles it: either it was before that, and what the
      // next load reads has it, or it never will be.
      this.options.onFenced([...new Set(changes.map(({ activation }) => activation.partition))]);
      this.#rerun(changes);
      // Not at once: between the error of a connection and its end the client (postgres 3.4.9) still takes a statement for
      // it, and never sends that reply.
      await new Promise<void>((resolve) => this.options.clock.after(RETRY_MS, resolve));
      return;
    }
    if (changes.length > 1) {
      const middle = changes.length >> 1;
      await this.#commit(changes.slice(0, middle));
      return this.#commit(changes.slice(middle));
    }
    const [change] = changes;
    if (change === undefined) return;
    // Once or twice somebody else's write; again and again it is the handler, which changes rows that are not there.
    const reruns = change.waiting[0]?.delivery.reruns ?? 0;
    if ((error instanceof StaleError && reruns < STALE_RERUNS_MAX) || change.waiting.length > 1) {
      change.activation.isolated = true;
      return this.#rerun(changes, error);
    }
    this.#refuse(change, error);
  }

  /** Undoes the changes in memory and queues their messages again; receipts tell which of them are done after all. */
  #rerun(changes: readonly Change[], error?: unknown): void {
    for (const { activation, waiting } of changes) {
      const committing = waiting.map(({ delivery }) => delivery);
      // A saga may have ended in a commit whose outcome is unknown: those who wait ask for their receipts again. One that was refused
      // ended none.
      const waiters = error instanceof RejectedError ? [] : this.#waiters.take(activation);
      this.#undo(activation, [...waiters, ...committing]);
    }
  }

  /** Forgets an actor: these messages, and all that it had not committed after them, are to be run again. */
  #undo(activation: Activation, committing: readonly PendingRequest[]): void {
    const undone = [...committing, ...this.#takeUncommitted(activation)];
    activation.unload();
    if (activation.dropped) {
      for (const delivery of undone) delivery.reply(MOVED);
      return;
    }
    const again = undone.filter((delivery) => {
      delivery.reruns += 1;
      if (delivery.reruns <= RERUNS_MAX) return true;
      delivery.reply(GIVEN_UP);
      return false;
    });
    activation.mailbox.unshift(...again);
    if (activation.mailbox.length > 0) this.#ready.add(activation);
  }

  #takeUncommitted(activation: Activation): PendingRequest[] {
    const waiting = activation.open?.waiting ?? [];
    if (this.#filling.delete(activation)) this.#fillingMessages -= waiting.length;
    activation.open = undefined;
    return waiting.map(({ delivery }) => delivery);
  }

  /**
   * One message of one actor that the database will not have: it fails, and nothing else does. Its strangers are committed already, and the
   * actor goes on with its next message, since whoever sends what is refused must not take the actor from everybody else.
   */
  #refuse(change: Change, error: unknown): void {
    const { activation, waiting } = change;
    const conflict = conflictOf(activation, error);
    const outcome: Reply = conflict ?? FAILED;
    const refused = waiting.splice(0);
    this.#rerun([change], error);
    for (const { delivery } of refused) delivery.reply(outcome);
    if (conflict !== undefined || activation.dropped) return;
    activation.isolated = true;
    const op = refused[0]?.delivery.item.op ?? "";
    this.#refusals.add(`${activation.definition.kind}.${op}`, activation.address, error);
  }

  /** An actor whose record cannot be read: its strangers have been loaded. */
  #setAside(activation: Activation, error: unknown): void {
    if (activation.dropped) return;
    this.options.log.error({ err: error, actor: activation.address }, "an actor could not be loaded");
    this.#quarantine.add(activation);
    this.#emptyMailbox(activation);
  }

  #emptyMailbox(activation: Activation): void {
    this.#ready.delete(activation);
    for (const delivery of activation.mailbox.splice(0)) delivery.reply(QUARANTINED);
  }

  #rejectExpired(turn: Turn): void {
    const now = this.options.clock.monotonicMs();
    for (const { activation } of turn) {
      const expired = activation.mailbox.filter((delivery) => now > delivery.deadlineMs);
      if (expired.length === 0) continue;
      const kept = activation.mailbox.filter((delivery) => now <= delivery.deadlineMs);
      activation.mailbox.splice(0, activation.mailbox.length, ...kept);
      if (kept.length === 0) this.#ready.delete(activation);
      for (const delivery of expired) delivery.reply(EXPIRED);
    }
  }
}

/** The refusal that the definition makes of a violated constraint; undefined where the violation is a fault. */
function conflictOf({ definition }: Activation, error: unknown): Reply | undefined {
  if (!(error instanceof RejectedError) || error.constraint === undefined) return undefined;
  const conflict = definition.conflicts?.[error.constraint];
  if (typeof conflict === "function") return toErrorReply(conflict(error.detail ?? ""));
  return conflict && { status: "error", ...conflict };
}
