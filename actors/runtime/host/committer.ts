import type { Logger } from "pino";
import type { Span, Tracing } from "../../../system/tracing/tracing.ts";
import { FencedError, OutcomeUnknownError, ReceiptExistsError, StaleError } from "../errors.ts";
import type { Clock, OutboxRow, Store } from "../ports.ts";
import type { Reply } from "../transport/wire.ts";
import type { Change } from "./activation.ts";
import { advanceSequences, type Sequences, toCommit } from "./batch.ts";
import type { CommittedTask } from "./lane.ts";
import { ranWithoutReceipt } from "./load.ts";

/** How often a single message may meet rows that differ from those that it was run on. */
const STALE_RERUNS_MAX = 3;
/** The pause after a commit whose outcome is unknown. */
const PAUSE_MS = 150;

export interface CommitterOptions {
  readonly number: number;
  readonly owner: string;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  /** Another host owns these partitions now, according to the database. */
  onFenced(partitions: readonly number[]): void;
  /** Receives the effects to deliver and the changed tasks of a commit. */
  committed(effects: readonly OutboxRow[], tasks: readonly CommittedTask[]): void;
  measure(batch: { messages: number; actors: number; ms: number }): void;
  /** Receives each saga that has ended, by the kind of its actor. */
  sagaEnded(kind: string, reply: Reply): void;
  readonly tracing?: Tracing | undefined;
}

/** What a lane does with the result of a commit. */
export interface CommitEvents {
  /** The changes are durable: their replies may leave. */
  onCommitted(changes: readonly Change[]): void;
  /** The changes were not committed: their messages run again. @param error where the database refused a batch of one actor's messages */
  onUndone(changes: readonly Change[], error?: unknown): void;
  /** An operation of a batch was done before. */
  onReceiptExists(): void;
  /** The database refused the change of a single message. */
  onRefused(change: Change, error: unknown): void;
}

/** Commits a lane's batches, and finds in a batch that fails the message that is at fault. */
export class Committer {
  readonly #sequences: Sequences = new Map();

  constructor(
    private readonly options: CommitterOptions,
    private readonly events: CommitEvents,
  ) {}

  /** Continues a partition's outbox after its last number. */
  open(partition: number, lastSeq: number): void {
    this.#sequences.set(partition, lastSeq);
  }

  close(partition: number): void {
    this.#sequences.delete(partition);
  }

  /**
   * Commits the changes of a batch.
   *
   * @param faulty changes that cannot be written at all
   */
  async commit(changes: Change[], faulty: readonly { change: Change; error: unknown }[]): Promise<void> {
    const suspects = changes.filter(({ activation }) => activation.isolated);
    await this.#commit(
      suspects.length === 0 ? changes : changes.filter(({ activation }) => !activation.isolated),
    );
    // Actors of a batch that was refused go one by one, so that the others are not committed again for their sake.
    for (const suspect of suspects) await this.#commit([suspect]);
    for (const { change, error } of faulty) await this.#failed([change], error);
  }

  /** Commits as many of the changes as possible: a batch that fails is halved until the change at fault stands alone. */
  async #commit(changes: Change[]): Promise<void> {
    if (changes.length === 0) return;
    const { store, clock, owner } = this.options;
    const { commit, effects } = toCommit(owner, changes, this.#sequences, clock.now());
    const startedMs = clock.monotonicMs();
    const spans = this.#startSpans(changes);
    try {
      await store.commit(this.options.number, commit);
    } catch (error) {
      for (const span of spans) span.end({}, (error as Error).message);
      return this.#failed(changes, error);
    }
    for (const span of spans) span.end({ "berth.batch_actors": changes.length });
    advanceSequences(this.#sequences, effects);
    this.#notifyCommitted(changes, effects);
    const messages = changes.reduce((sum, { waiting }) => sum + waiting.length, 0);
    this.events.onCommitted(changes);
    for (const { activation, ends } of changes)
      for (const reply of ends.values()) this.options.sagaEnded(activation.definition.kind, reply);
    this.options.measure({ messages, actors: changes.length, ms: clock.monotonicMs() - startedMs });
  }

  /** A commit is part of the trace of each of its messages. */
  #startSpans(changes: readonly Change[]): Span[] {
    const { tracing } = this.options;
    if (tracing === undefined) return [];
    const traced = changes.flatMap(({ waiting }) => waiting.map(({ request }) => request.span));
    return traced.flatMap((span) =>
      span === undefined
        ? []
        : [
            tracing.start("commit", {
              kind: "client",
              parent: span.traceparent,
              attributes: { "db.system": "postgresql" },
            }),
          ],
    );
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
      this.events.onUndone(changes.filter(({ activation }) => gone.has(activation.partition)));
      return this.#commit(changes.filter(({ activation }) => !gone.has(activation.partition)));
    }
    if (error instanceof OutcomeUnknownError) {
      log.warn(
        { err: error, lane: this.options.number },
        "the outcome of a commit is unknown; taking its partitions again",
      );
      // The commit may still be in progress and apply at any time. A new epoch settles that: either it applied before, and the
      // next load reads it, or it never will.
      this.options.onFenced([...new Set(changes.map(({ activation }) => activation.partition))]);
      this.events.onUndone(changes);
      // A pause is needed: between a connection's error and its end the client (postgres 3.4.9) still accepts statements for it,
      // and never completes them.
      await new Promise<void>((resolve) => this.options.clock.after(PAUSE_MS, resolve));
      return;
    }
    if (error instanceof ReceiptExistsError) {
      this.events.onReceiptExists();
      // All of them run again, with their receipts.
      if (changes.some(hasUnreadReceipt)) return this.events.onUndone(changes, error);
    }
    if (changes.length > 1) {
      const middle = changes.length >> 1;
      await this.#commit(changes.slice(0, middle));
      return this.#commit(changes.slice(middle));
    }
    const [change] = changes;
    if (change === undefined) return;
    // Another writer explains a stale row once or twice. After that the handler itself changes rows that do not exist.
    const reruns = change.waiting[0]?.request.reruns ?? 0;
    const isExplained = error instanceof StaleError && reruns < STALE_RERUNS_MAX;
    if (isExplained || change.waiting.length > 1 || hasUnreadReceipt(change)) {
      change.activation.isolated = true;
      return this.events.onUndone(changes, error);
    }
    this.events.onRefused(change, error);
  }
}

/** Whether one of its messages may be an operation that was done before. */
const hasUnreadReceipt = ({ waiting }: Change): boolean =>
  waiting.some(({ request }) => ranWithoutReceipt(request));
