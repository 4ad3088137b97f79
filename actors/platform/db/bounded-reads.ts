import { DomainError } from "../../../schemas/errors.ts";
import { DatabaseTimeoutError } from "./bounded.ts";
import type { Sql } from "./sql.ts";

export interface ReadBounds {
  /** The time limit of a read at the database, and of waiting reads while the database replies to none. */
  readonly replyMsMax: number;
  /** Reads that are sent to the database at the same time. */
  readonly inFlightMax: number;
  /** Reads that wait for their turn. Further reads are refused at once with OVERLOADED. */
  readonly waitingMax: number;
}

/**
 * The same pool with bounds on its queries. Clients learn soon that a database stands still, while a slow machine
 * only makes reads slower: a read's time begins when it is sent, not while it waits for its turn, and time in which
 * this process did not run does not count.
 *
 * A query rejects with a `DatabaseTimeoutError` after `replyMsMax` of counted time.
 */
export function boundedReads(sql: Sql, bounds: ReadBounds): Sql {
  const reads = new ReadQueue(bounds);
  return new Proxy(sql, {
    apply(target, self, args) {
      const query: unknown = Reflect.apply(target, self, args);
      // A fragment of another query is never awaited, so it is not bounded.
      if (query instanceof Promise) enqueueWhenAwaited(query, reads);
      return query;
    },
  });
}

/** The driver sends a query when it is awaited. */
function enqueueWhenAwaited(query: Promise<unknown>, reads: ReadQueue): void {
  const send = query.then.bind(query);
  let reply: Promise<unknown> | undefined;
  // biome-ignore lint/suspicious/noThenProperty: a query is sent when it is awaited, and here its turn is awaited before
  query.then = (resolve, reject) => {
    reply ??= reads.run(() => new Promise((settle, fail) => void send(settle, fail)));
    return reply.then(resolve, reject);
  };
  query.catch = (reject) => query.then(undefined, reject);
  query.finally = (settled) => Promise.resolve(query).finally(settled);
}

interface Read {
  readonly send: () => Promise<unknown>;
  readonly settle: (value: unknown) => void;
  readonly fail: (error: Error) => void;
  /** The counted time at which it began to wait, or was sent. */
  sinceMs: number;
}

/** The precision of a limit. */
const TICKS_PER_LIMIT = 20;

class ReadQueue {
  readonly #waiting = new Set<Read>();
  readonly #inFlight = new Set<Read>();
  readonly #tickMs: number;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** Milliseconds in which this process ran while reads were in progress. */
  #countedMs = 0;
  #lastTickMs = 0;
  #lastReplyMs = 0;

  constructor(private readonly bounds: ReadBounds) {
    this.#tickMs = bounds.replyMsMax / TICKS_PER_LIMIT;
  }

  run(send: () => Promise<unknown>): Promise<unknown> {
    if (this.#waiting.size >= this.bounds.waitingMax)
      return Promise.reject(new DomainError("OVERLOADED", "Too many requests wait for the database"));
    return new Promise((settle, fail) => {
      this.#waiting.add({ send, settle, fail, sinceMs: this.#countedMs });
      this.#sendNext();
      this.#startTimer();
    });
  }

  #sendNext(): void {
    for (const read of this.#waiting) {
      if (this.#inFlight.size >= this.bounds.inFlightMax) return;
      this.#waiting.delete(read);
      this.#inFlight.add(read);
      read.sinceMs = this.#countedMs;
      read.send().then(
        (value) => this.#settle(read, () => read.settle(value)),
        (error) => this.#settle(read, () => read.fail(error)),
      );
    }
  }

  #settle(read: Read, tell: () => void): void {
    this.#lastReplyMs = this.#countedMs;
    this.#inFlight.delete(read);
    tell();
    this.#sendNext();
  }

  #startTimer(): void {
    if (this.#timer !== undefined) return;
    this.#lastTickMs = performance.now();
    this.#timer = setInterval(() => this.#tick(), this.#tickMs);
  }

  /** A late tick means that the process did not run, or did not handle the database's replies. */
  #tick(): void {
    const nowMs = performance.now();
    this.#countedMs += Math.min(nowMs - this.#lastTickMs, 2 * this.#tickMs);
    this.#lastTickMs = nowMs;
    for (const read of this.#inFlight) this.#expire(this.#inFlight, read, read.sinceMs);
    // While other reads get their replies, the database is slow but does not stand still: waiting reads have more time.
    for (const read of this.#waiting)
      this.#expire(this.#waiting, read, Math.max(read.sinceMs, this.#lastReplyMs));
    this.#sendNext();
    if (this.#inFlight.size + this.#waiting.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #expire(of: Set<Read>, read: Read, sinceMs: number): void {
    const { replyMsMax: answerMsMax } = this.bounds;
    if (this.#countedMs - sinceMs < answerMsMax) return;
    of.delete(read);
    read.fail(new DatabaseTimeoutError(`no reply within ${answerMsMax} ms`));
  }
}
