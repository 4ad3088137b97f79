import type { Logger } from "pino";
import type { Sql } from "../db/sql.ts";
import { advance, close, type Sequences, toCommit } from "./batch.ts";
import { Cell, type Change, type Delivery } from "./cell.ts";
import type { AnyDefinition } from "./definition.ts";
import { FencedError, OutcomeUnknownError, RejectedError, StaleError } from "./errors.ts";
import { execute, receiptKey } from "./execute.ts";
import type { Clock, Ids, OutboxRow, Store } from "./ports.ts";
import type { Outcome } from "./wire.ts";

/** Messages that may wait for one actor: more than any honest caller has in flight, and a second's work at most. */
const MAILBOX_MAX = 2_000;
/** Messages that one actor runs before others get their turn. */
const TURN_PER_ACTOR_MAX = 128;
/** Messages that a turn takes up, and a batch holds: bounds the size of a load and of a commit. */
const TURN_MAX = 512;
const BATCH_MAX = 1_024;
/** Actors in memory without work, a lane. The one that was idle longest goes first. */
const IDLE_CELLS_MAX = 20_000;
/** How often a message is run again after its commit was undone, before it is given up. */
const RERUNS_MAX = 8;
/** How long a lane waits before it tries a database again that did not answer. */
const RETRY_MS = 150;

export interface LaneOptions {
  readonly number: number;
  readonly owner: string;
  readonly store: Store & { readonly db: Sql };
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly primaryKeys: ReadonlyMap<string, readonly string[]>;
  /** Whether the lease is still good by this host's own clock. */
  holds(partition: number, epoch: number): boolean;
  /** The database says that these partitions are another's now. */
  lost(partitions: readonly number[]): void;
  committed(effects: readonly OutboxRow[]): void;
  measure(batch: { messages: number; actors: number; ms: number }): void;
}

/**
 * A lane runs the actors of its partitions and commits what they did, one statement at a time. While one commit is under
 * way the next batch fills. No answer leaves before the commit of all that it saw.
 */
export class Lane {
  readonly #cells = new Map<string, Cell>();
  /** Actors with mail, in the order in which it came. */
  readonly #ready = new Set<Cell>();
  /** Actors in the batch that is filling, and how many messages it holds. */
  readonly #filling = new Set<Cell>();
  #fillingMessages = 0;
  #pumping = false;
  #preparing = false;
  #committing = false;
  readonly #sequences: Sequences = new Map();

  constructor(private readonly options: LaneOptions) {}

  get depth(): number {
    let waiting = 0;
    for (const cell of this.#ready) waiting += cell.mailbox.length;
    return waiting;
  }

  /** Opens a partition that this host has just come to own. */
  open(partition: number, lastSeq: number): void {
    this.#sequences.set(partition, lastSeq);
  }

  /** Takes a request for an actor. False: its mailbox is full. */
  accept(definition: AnyDefinition, epoch: number, delivery: Delivery): boolean {
    const { item } = delivery;
    const address = `${item.kind}/${item.actor}`;
    let cell = this.#cells.get(address);
    if (cell === undefined) {
      cell = new Cell(definition, item.actor, item.partition, epoch);
      this.#evict();
    } else {
      this.#cells.delete(address);
    }
    // Last in the map is last used.
    this.#cells.set(address, cell);
    if (cell.mailbox.length >= MAILBOX_MAX) return false;
    cell.mailbox.push(delivery);
    this.#ready.add(cell);
    this.#pumpSoon();
    return true;
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
    for (const [address, cell] of this.#cells) {
      if (cell.partition !== partition) continue;
      this.#cells.delete(address);
      this.#ready.delete(cell);
      if (this.#filling.delete(cell)) this.#fillingMessages -= cell.open?.waiting.length ?? 0;
      const waiting = cell.open?.waiting ?? [];
      cell.open = undefined;
      cell.dropped = true;
      for (const { delivery } of waiting) delivery.answer(MOVED);
      for (const delivery of cell.mailbox.splice(0)) delivery.answer(MOVED);
    }
    this.#sequences.delete(partition);
  }

  /** True when nothing of this partition waits, runs or is being committed. */
  quiet(partition: number): boolean {
    for (const cell of this.#cells.values()) {
      if (cell.partition === partition && !cell.idle) return false;
    }
    return true;
  }

  #pump(): void {
    if (this.#preparing || this.#ready.size === 0) return;
    if (this.#fillingMessages >= BATCH_MAX) return;
    const turn = this.#takeTurn();
    if (turn.length === 0) return;

    const cold = turn.filter(({ cell }) => !cell.loaded);
    const unknown = turn.flatMap(({ cell, count }) =>
      cell.mailbox
        .slice(0, count)
        .filter((delivery) => mayHaveReceipt(delivery) && !cell.receipts.has(receiptKey(delivery)))
        .map((delivery) => ({ cell, actorId: cell.id, key: receiptKey(delivery) })),
    );
    if (cold.length === 0 && unknown.length === 0) {
      this.#run(turn);
      // A bounded turn may have left mail; others get to speak first.
      if (this.#ready.size > 0) this.#pumpSoon();
      return;
    }
    this.#preparing = true;
    this.#prepare(cold, unknown).then(
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
        this.#answerExpired(turn);
        this.options.clock.after(RETRY_MS, () => {
          this.#preparing = false;
          this.#pump();
        });
      },
    );
  }

  #takeTurn(): { cell: Cell; count: number }[] {
    const turn: { cell: Cell; count: number }[] = [];
    let total = 0;
    for (const cell of this.#ready) {
      // After a refused batch an actor's messages go one a commit.
      if (cell.alone && (cell.open !== undefined || cell.committing !== undefined)) continue;
      const count = Math.min(cell.mailbox.length, cell.alone ? 1 : TURN_PER_ACTOR_MAX, TURN_MAX - total);
      turn.push({ cell, count });
      total += count;
      if (total >= TURN_MAX) break;
    }
    return turn;
  }

  /** Loads what the turn needs, a query a kind and one for all receipts. */
  async #prepare(
    cold: { cell: Cell }[],
    unknown: { cell: Cell; actorId: string; key: string }[],
  ): Promise<void> {
    const { store } = this.options;
    const kinds = new Map<AnyDefinition, Cell[]>();
    for (const { cell } of cold) {
      const cells = kinds.get(cell.definition);
      if (cells === undefined) kinds.set(cell.definition, [cell]);
      else cells.push(cell);
    }
    const loads = [...kinds].map(async ([definition, cells]) => {
      const rows = await definition.load(
        store.db,
        cells.map((cell) => cell.id),
      );
      for (const cell of cells) {
        const found = rows.get(cell.id);
        cell.become(found === undefined ? definition.empty(cell.id) : found.state, found?.version ?? 0);
      }
    });
    const receipts = unknown.length === 0 ? [] : store.receipts(unknown);
    const [found] = await Promise.all([receipts, ...loads]);
    const cells = new Map(unknown.map(({ cell, actorId, key }) => [`${actorId}\0${key}`, cell]));
    for (const { actorId, key, fingerprint, reply, version } of found) {
      cells.get(`${actorId}\0${key}`)?.keepReceipt(key, { fingerprint, reply, version });
    }
  }

  #run(turn: { cell: Cell; count: number }[]): void {
    const { clock } = this.options;
    const now = clock.now();
    for (const { cell, count } of turn) {
      // Undone or handed over while the turn was being prepared: its mail is not what was prepared for.
      if (cell.dropped || !cell.loaded) continue;
      const deliveries = cell.mailbox.splice(0, count);
      this.#ready.delete(cell);
      if (cell.mailbox.length > 0) this.#ready.add(cell);
      for (const delivery of deliveries) this.#runOne(cell, delivery, now);
    }
    this.#launch();
  }

  #runOne(cell: Cell, delivery: Delivery, now: Date): void {
    if (this.options.clock.monotonicMs() > delivery.deadlineMs) {
      // Not run: its caller has stopped waiting and has been told that the outcome is unknown.
      delivery.answer(EXPIRED);
      return;
    }
    const outcome = execute(cell, delivery, {
      ids: this.options.ids,
      now,
      primaryKeys: this.options.primaryKeys,
      fault: (error, { definition, id }, op) =>
        this.options.log.error({ err: error, kind: definition.kind, actor: id, op }, "a handler failed"),
    });
    if (cell.open !== undefined) {
      cell.open.waiting.push({ delivery, outcome });
      this.#filling.add(cell);
      this.#fillingMessages += 1;
    } else if (cell.committing !== undefined) {
      cell.committing.waiting.push({ delivery, outcome });
    } else if (this.options.holds(cell.partition, cell.epoch)) {
      delivery.answer(outcome);
    } else {
      // What it saw may be stale by now: the next owner answers.
      delivery.answer(MOVED);
    }
  }

  #launch(): void {
    if (this.#committing || this.#filling.size === 0) return;
    const changes = close(this.#filling);
    this.#filling.clear();
    this.#fillingMessages = 0;
    this.#committing = true;
    this.#commit(changes)
      .catch((error) => this.options.log.error({ err: error }, "a commit failed in an unforeseen way"))
      .finally(() => {
        this.#committing = false;
        this.#launch();
        this.#pump();
      });
    this.#pump();
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
    let messages = 0;
    for (const { cell, waiting } of changes) {
      cell.committing = undefined;
      cell.trimReceipts();
      if (cell.alone && cell.mailbox.length === 0) cell.alone = false;
      messages += waiting.length;
      for (const { delivery, outcome } of waiting) delivery.answer(outcome);
    }
    if (effects.length > 0) this.options.committed(effects);
    this.options.measure({ messages, actors: changes.length, ms: clock.monotonicMs() - startedMs });
  }

  async #failed(changes: Change[], error: unknown): Promise<void> {
    const { log } = this.options;
    if (error instanceof FencedError) {
      log.warn({ partitions: error.partitions }, "fenced: another host owns these partitions");
      this.options.lost(error.partitions);
      const gone = new Set(error.partitions);
      this.#rerun(changes.filter(({ cell }) => gone.has(cell.partition)));
      return this.#commit(changes.filter(({ cell }) => !gone.has(cell.partition)));
    }
    if (error instanceof OutcomeUnknownError) {
      log.warn(
        { err: error, lane: this.options.number },
        "the outcome of a commit is unknown; reading it again",
      );
      await new Promise<void>((resolve) => this.options.clock.after(RETRY_MS, resolve));
      return this.#rerun(changes);
    }
    if (changes.length > 1) {
      const middle = changes.length >> 1;
      await this.#commit(changes.slice(0, middle));
      return this.#commit(changes.slice(middle));
    }
    const [change] = changes;
    if (change === undefined) return;
    if (error instanceof StaleError || change.waiting.length > 1) {
      change.cell.alone = true;
      return this.#rerun(changes);
    }
    this.#refuse(change, error);
  }

  /** Undoes the changes in memory and queues their messages again; receipts tell which of them are done after all. */
  #rerun(changes: readonly Change[]): void {
    for (const change of changes) {
      const { cell } = change;
      const undone = [...change.waiting, ...(cell.open?.waiting ?? [])].map(({ delivery }) => delivery);
      if (this.#filling.delete(cell)) this.#fillingMessages -= cell.open?.waiting.length ?? 0;
      cell.forget();
      if (cell.dropped) {
        for (const delivery of undone) delivery.answer(MOVED);
        continue;
      }
      const again = undone.filter((delivery) => {
        delivery.reruns += 1;
        if (delivery.reruns <= RERUNS_MAX) return true;
        delivery.answer(GIVEN_UP);
        return false;
      });
      cell.mailbox.unshift(...again);
      if (cell.mailbox.length > 0) this.#ready.add(cell);
    }
  }

  /** One message of one actor that the database will not have: its strangers are committed already. */
  #refuse(change: Change, error: unknown): void {
    const { cell, waiting } = change;
    const constraint = error instanceof RejectedError ? error.constraint : undefined;
    const conflict = constraint === undefined ? undefined : cell.definition.conflicts?.[constraint];
    if (conflict === undefined) {
      this.options.log.error(
        { err: error, kind: cell.definition.kind, actor: cell.id },
        "a change was refused by the database",
      );
    }
    const outcome: Outcome = conflict === undefined ? FAILED : { status: "error", ...conflict };
    const refused = waiting.splice(0);
    this.#rerun([change]);
    for (const { delivery } of refused) delivery.answer(outcome);
  }

  #answerExpired(turn: { cell: Cell }[]): void {
    const now = this.options.clock.monotonicMs();
    for (const { cell } of turn) {
      const expired = cell.mailbox.filter((delivery) => now > delivery.deadlineMs);
      if (expired.length === 0) continue;
      const kept = cell.mailbox.filter((delivery) => now <= delivery.deadlineMs);
      cell.mailbox.splice(0, cell.mailbox.length, ...kept);
      if (kept.length === 0) this.#ready.delete(cell);
      for (const delivery of expired) delivery.answer(EXPIRED);
    }
  }

  #evict(): void {
    if (this.#cells.size < IDLE_CELLS_MAX) return;
    for (const [address, cell] of this.#cells) {
      if (this.#cells.size < IDLE_CELLS_MAX) return;
      if (cell.idle) this.#cells.delete(address);
      else return;
    }
  }
}

/** A key that the caller minted for this very try cannot have a receipt; any other may. */
const mayHaveReceipt = ({ item, reruns }: Delivery): boolean => item.keyed || item.attempt > 0 || reruns > 0;

const MOVED: Outcome = { status: "moved" };
const EXPIRED: Outcome = {
  status: "error",
  code: "UNAVAILABLE",
  message: "the request waited past its deadline",
};
const GIVEN_UP: Outcome = {
  status: "error",
  code: "UNAVAILABLE",
  message: "the change could not be committed; retry with the same idempotency key",
};
const FAILED: Outcome = { status: "error", code: "INTERNAL_ERROR", message: "the operation failed" };
