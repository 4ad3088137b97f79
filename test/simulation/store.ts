import type { Sql } from "../../actors/platform/db/sql.ts";
import type { Row } from "../../actors/runtime/definition.ts";
import { OutcomeUnknownError } from "../../actors/runtime/errors.ts";
import type { OutboxRow, Receipt, Store, Task, TaskPosition } from "../../actors/runtime/ports.ts";
import type { Origin } from "../../schemas/origin.ts";
import type { Database, Statement } from "./database.ts";
import type { Process } from "./process.ts";

/** What may happen to a statement. Probabilities. */
export interface StoreFaults {
  /** It never arrives. */
  lost: number;
  /** It is executed, and nobody hears of it. */
  unanswered: number;
  /** The connection breaks, and it is executed anyway, later. */
  late: number;
}

const HOP_MS = 0.2;
/** When a client notices that its connection is gone. */
const NOTICE_MS = 50;
/** Sometimes only TCP's keepalive tells. */
const HANGS_MS_MAX = 3_000;
const HANGS = 0.1;
const LATE_MS_MAX = 4_000;
/** Nothing that is simulated loses what was committed. */
const TIMELINE = "00000001";

/** Reads rows of actors' tables, for the definitions' own loads. */
export interface SimulatedSql {
  rows(table: string, keys: readonly string[]): Promise<Row[]>;
}

/** A process's connections to the database: the runtime's store over a server in memory. */
export class SimulatedStore implements Store {
  readonly db: Sql;
  #isCut = false;
  #disconnected = () => {};
  /** Statements without an answer so far, each with what breaks it off. */
  readonly #underWay = new Set<() => void>();

  constructor(
    private readonly database: Database,
    private readonly process: Process,
    private readonly faults: StoreFaults,
  ) {
    const sql: SimulatedSql = {
      rows: (table, keys) =>
        this.#query("load", {
          run: () =>
            keys.flatMap((key): Row[] => {
              const row = database.tables.get(table, key);
              return row === undefined ? [] : [row];
            }),
        }),
    };
    // Definitions pass it on to their loads, which the simulation replaces by readings of this.
    this.db = sql as unknown as Sql;
  }

  /** Whether the process reaches the database. */
  cut(isCut: boolean): void {
    this.#isCut = isCut;
    if (isCut) this.breakConnections();
  }

  breakConnections(): void {
    for (const breakOff of this.#underWay) breakOff();
  }

  onDisconnect(callback: () => void): void {
    this.#disconnected = callback;
  }

  primaryKeys: Store["primaryKeys"] = () =>
    this.#query("primary keys", { run: () => this.database.tables.primaryKeys() });

  async commit(_lane: number, commit: Parameters<Store["commit"]>[1]): Promise<void> {
    const answer = this.#query("commit", this.database.commitStatement(commit), unknownOutcome);
    if (this.database.mutations.gate === "off") answer.catch(() => {});
    else await answer;
  }

  receipts: Store["receipts"] = (keys) =>
    this.#query("receipts", {
      run: () => {
        if (this.database.mutations.receipts === "off") return [];
        return keys.flatMap(({ actorId, key }) => {
          const row = this.database.tables.get("receipts", actorId, key);
          if (row === undefined) return [];
          const end = row.saga && this.database.tables.get("receipts", actorId, String(row.saga));
          return [toReceipt(row, end ? end.reply : undefined)];
        });
      },
    });

  tasksOf: Store["tasksOf"] = (actors) =>
    this.#query("tasks of actors", {
      run: () =>
        this.#tasks((task) => actors.some((a) => a.kind === task.kind && a.actorId === task.actorId)),
    });

  tasksDue: Store["tasksDue"] = (partitions, until, after, limit) =>
    this.#query("tasks due", {
      run: () =>
        this.#tasks(
          (task) =>
            partitions.includes(task.partition) &&
            task.dueAt <= until &&
            (after === null || inOrder(after, task) < 0),
        )
          .sort(inOrder)
          .slice(0, limit),
    });

  cluster: Store["cluster"] = () =>
    this.#query("cluster", { run: (nowMs) => this.database.leases.cluster(nowMs) });

  renew: Store["renew"] = (host, ttlMs) =>
    this.#query("renew", {
      lock: { mode: "change", rows: () => this.database.leases.heldBy(host) },
      run: (nowMs) => ({
        held: this.database.leases.renew(host, ttlMs, nowMs),
        locked: [],
        timeline: TIMELINE,
      }),
    });

  acquire: Store["acquire"] = (host, partitions, ttlMs) =>
    this.#query("acquire", {
      lock: { mode: "change", rows: () => partitions },
      run: (nowMs) => this.database.acquire(host, partitions, ttlMs, nowMs),
    });

  release: Store["release"] = (host, partitions) =>
    this.#query("release", {
      lock: { mode: "change", rows: () => partitions },
      run: (nowMs) => this.database.leases.release(host, partitions, nowMs),
    });

  leave: Store["leave"] = (host) => this.#query("leave", { run: () => this.database.leases.leave(host) });

  sequences: Store["sequences"] = (partitions) =>
    this.#query("sequences", {
      run: () => {
        const last = new Map(
          partitions.map((partition) => [partition, this.database.deliveredSeq(partition)]),
        );
        for (const row of this.database.tables.all("outbox")) {
          const { partition, seq } = row as unknown as OutboxRow;
          const before = last.get(partition);
          if (before !== undefined && seq > before) last.set(partition, seq);
        }
        return [...last].map(([partition, lastSeq]) => ({
          partition,
          lastSeq,
          deliveredSeq: this.database.deliveredSeq(partition),
        }));
      },
    });

  effectsAfter: Store["effectsAfter"] = (partition, seq, limit) =>
    this.#query("effects", {
      run: () =>
        [...this.database.tables.all("outbox")]
          .map((row) => row as unknown as OutboxRow)
          .filter((row) => row.partition === partition && row.seq > seq)
          .sort((a, b) => a.seq - b.seq)
          .slice(0, limit),
    });

  saveProgress: Store["saveProgress"] = (progress) =>
    this.#query("saveProgress", { run: () => this.database.saveProgress(progress) });

  split: Store["split"] = (host, { partition, epoch }) =>
    this.#query("split", {
      lock: { mode: "change", rows: () => [partition] },
      run: (nowMs) => this.database.split(host, partition, epoch, nowMs),
    });

  rewind: Store["rewind"] = (partitions = []) =>
    this.#query("rewind", {
      run: () => {
        for (const partition of partitions) this.database.rewind(partition);
      },
    });

  #tasks(wanted: (task: Task) => boolean): Task[] {
    return [...this.database.tables.all("tasks")].map(toTask).filter(wanted);
  }

  /** Sends a statement and brings its answer back, with everything that may happen on the way. */
  #query<T>(label: string, statement: Statement<T>, broken: () => Error = connectionLost): Promise<T> {
    const { process, database, faults } = this;
    const { scheduler } = process;
    const { random } = scheduler;
    return new Promise<T>((resolve, reject) => {
      let isSettled = false;
      const settle = (how: () => void) => {
        if (isSettled) return;
        isSettled = true;
        this.#underWay.delete(breakOff);
        how();
      };
      const breakOff = () => {
        const delayMs = random.chance(HANGS) ? random.next() * HANGS_MS_MAX : random.around(NOTICE_MS);
        this.#underWay.delete(breakOff);
        process.after(delayMs, `${label} broken off`, () => {
          this.#disconnected();
          settle(() => reject(broken()));
        });
      };
      if (this.#isCut || database.isDown) return breakOff();
      this.#underWay.add(breakOff);

      let delayMs = random.around(HOP_MS);
      let isAnswered = true;
      if (random.chance(faults.lost)) return breakOff();
      if (random.chance(faults.unanswered)) isAnswered = false;
      if (random.chance(faults.late)) {
        delayMs = random.next() * LATE_MS_MAX;
        isAnswered = false;
      }
      if (!isAnswered) breakOff();
      // What was sent arrives, even if its sender is dead by then.
      scheduler.after(delayMs, `database takes ${label}`, () => {
        database.execute(label, statement, (result) => {
          if (!isAnswered || this.#isCut || database.isDown) return;
          process.after(random.around(HOP_MS), label, () =>
            settle(() => ("error" in result ? reject(result.error) : resolve(result.value))),
          );
        });
      });
    });
  }
}

const unknownOutcome = () => new OutcomeUnknownError("the connection broke during a commit");
const connectionLost = () => Object.assign(new Error("the connection broke"), { code: "CONNECTION_CLOSED" });

const toReceipt = (row: Row, sagaEnd: unknown): Receipt => ({
  actorId: String(row.actor_id),
  key: String(row.key),
  fingerprint: String(row.fingerprint),
  reply: row.reply,
  version: Number(row.actor_version),
  ...(row.saga ? { saga: { name: String(row.saga), end: sagaEnd } } : {}),
});

const toTask = (row: Row): Task => ({
  kind: String(row.kind),
  actorId: String(row.actor_id),
  name: String(row.name),
  partition: Number(row.partition),
  token: String(row.token),
  dueAt: row.due_at as Date,
  op: String(row.op),
  input: row.input as object,
  send:
    row.target_kind === null
      ? null
      : {
          kind: String(row.target_kind),
          actorId: String(row.target_id),
          key: String(row.key),
          aborting: row.aborting === true,
          replyOp: row.reply_op as string | null,
          context: row.context as object | null,
          origin: row.origin as Origin | null,
        },
});

const inOrder = (a: TaskPosition, b: TaskPosition): number =>
  a.dueAt.getTime() - b.dueAt.getTime() ||
  compare(a.kind, b.kind) ||
  compare(a.actorId, b.actorId) ||
  compare(a.name, b.name);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
