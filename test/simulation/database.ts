import { fnv1a } from "../../actors/runtime/partition.ts";
import type { Commit, DeliveryProgress } from "../../actors/runtime/ports.ts";
import { LeaseTable } from "./leases.ts";
import { LeaseLocks, type LockMode } from "./locks.ts";
import type { Scheduler } from "./scheduler.ts";
import { Tables } from "./tables.ts";
import type { Part } from "./take-out.ts";

/** What a test may take out of the database, to see that the simulation notices. Nothing of the product knows of it. */
export interface Mutations {
  /** Commits are taken from whoever sends them. */
  readonly fence?: "off" | "without a lock";
  /** Receipts are neither read nor kept apart by their key. */
  readonly receipts?: "off";
  /** Commits are acknowledged when they are sent. */
  readonly gate?: "off";
  /** Tasks that are done are removed some time after the commit of what they did. */
  readonly removal?: "later";
  /** Part of the runtime itself. */
  readonly takenOut?: Part;
}

export interface Statement<T> {
  readonly lock?: { readonly mode: LockMode; rows(): readonly number[] };
  /** Runs when it has its locks. */
  begin?(): void;
  /** Runs when it commits; `startedAtMs` is what `now()` is in it. */
  run(startedAtMs: number): T;
}

/** A commit that was applied, as the checks read it. */
export interface Applied {
  readonly atMs: number;
  readonly commit: Commit;
  /** Whether the leases still were as the commit has them. */
  readonly underItsLeases: boolean;
}

const EXECUTION_MS = 0.5;
const REMOVED_AFTER_MS = 200;

/** A database server in memory: what it has committed it keeps, whatever happens to it or to those who asked. */
export class Database {
  readonly tables = new Tables();
  readonly leases = new LeaseTable();
  readonly applied: Applied[] = [];
  /** When each partition was taken in which epoch. */
  readonly acquiredAtMs = new Map<string, number>();
  readonly #progress = new Map<number, number>();
  readonly #locks = new LeaseLocks();
  /** How many times longer everything that writes takes. */
  slowness = 1;
  isDown = false;
  /** How far its clock is from the true time. Leases run by it. */
  wallOffsetMs = 0;
  /** Counts restarts: what began in an earlier life is gone. */
  #life = 0;

  constructor(
    readonly scheduler: Scheduler,
    readonly mutations: Mutations,
  ) {}

  get nowMs(): number {
    return this.scheduler.nowMs + this.wallOffsetMs;
  }

  /** Executes a statement that has arrived. `done` is not called when the server goes down before. */
  execute<T>(
    label: string,
    statement: Statement<T>,
    done: (result: { value: T } | { error: unknown }) => void,
  ): void {
    if (this.isDown) return;
    const startedAtMs = this.nowMs;
    const life = this.#life;
    const finish = (release: () => void) => {
      let result: Parameters<typeof done>[0];
      try {
        result = { value: statement.run(startedAtMs) };
      } catch (error) {
        result = { error };
      }
      release();
      done(result);
    };
    const { lock } = statement;
    if (lock === undefined) {
      finish(() => {});
      return;
    }
    this.#locks.acquire(lock.mode, lock.rows(), (release) => {
      try {
        statement.begin?.();
      } catch (error) {
        release();
        done({ error });
        return;
      }
      this.scheduler.after(
        this.scheduler.random.around(EXECUTION_MS * this.slowness),
        `database ${label}`,
        () => {
          if (life === this.#life) finish(release);
        },
      );
    });
  }

  /** Everything under way is undone. */
  goDown(): void {
    this.isDown = true;
    this.#life += 1;
    this.#locks.clear();
  }

  comeBack(): void {
    this.isDown = false;
  }

  /** The statement of a commit. */
  commitStatement(sent: Commit): Statement<void> {
    const { mutations, leases, tables } = this;
    const commit = mutations.removal === "later" ? this.#removingLater(sent) : sent;
    const rows = mutations.fence === undefined ? commit.leases.map(({ partition }) => partition) : [];
    return {
      lock: { mode: "share", rows: () => rows },
      begin: () => {
        if (mutations.fence !== "off") leases.fence(commit);
      },
      run: () => {
        tables.write(mutations.receipts === "off" ? withoutKnownReceipts(tables, commit) : commit.writes);
        this.scheduler.trace.note(() => `applied: ${describe(commit)}`);
        this.applied.push({
          atMs: this.scheduler.nowMs,
          commit,
          underItsLeases: commit.leases.every(({ partition, epoch }) =>
            leases.isCurrent(partition, commit.owner, epoch),
          ),
        });
      },
    };
  }

  acquire(host: string, partitions: readonly number[], ttlMs: number, startedAtMs: number) {
    const taken = this.leases.acquire(host, partitions, ttlMs, startedAtMs);
    for (const { partition, epoch } of taken) {
      this.acquiredAtMs.set(`${partition}@${epoch}`, this.scheduler.nowMs);
    }
    return taken;
  }

  /** Splits a partition as `split_partition` does. */
  split(host: string, partition: number, epoch: number, startedAtMs: number): boolean {
    const { leases, tables } = this;
    const half = leases.halfOf(partition, host, epoch);
    if (half === undefined) return false;
    const delivered = this.deliveredSeq(partition);
    for (const row of tables.all("outbox"))
      if (row.partition === partition && Number(row.seq) > delivered) return false;
    const moving = [...tables.all("tasks")].filter(
      (row) =>
        row.partition === partition && fnv1a(`${row.kind}/${row.actor_id}`) % leases.target !== partition,
    );
    const update = moving.map((row) => ({ ...row, partition: half }));
    tables.write(new Map([["tasks", { insert: [], update, remove: [] }]]));
    leases.split(partition, half, startedAtMs);
    return true;
  }

  #removingLater(commit: Commit): Commit {
    const tasks = commit.writes.get("tasks");
    if (tasks === undefined || tasks.remove.length === 0) return commit;
    const { scheduler, tables } = this;
    scheduler.after(scheduler.random.around(REMOVED_AFTER_MS), "removal", () => {
      const remove = tasks.remove.filter(({ kind, actor_id, name, token }) => {
        return tables.get("tasks", String(kind), String(actor_id), String(name))?.token === token;
      });
      tables.write(new Map([["tasks", { insert: [], update: [], remove }]]));
    });
    return { ...commit, writes: new Map([...commit.writes, ["tasks", { ...tasks, remove: [] }]]) };
  }

  deliveredSeq(partition: number): number {
    return this.#progress.get(partition) ?? 0;
  }

  /** Forgets how far effects of a partition were delivered. */
  rewind(partition: number): void {
    let oldest = Number.POSITIVE_INFINITY;
    for (const row of this.tables.all("outbox")) {
      if (row.partition === partition) oldest = Math.min(oldest, Number(row.seq));
    }
    if (Number.isFinite(oldest)) this.#progress.set(partition, oldest - 1);
  }

  saveProgress(progress: readonly DeliveryProgress[]): void {
    for (const { partition, epoch, seq } of progress) {
      if (!this.leases.isEpoch(partition, epoch)) continue;
      this.#progress.set(partition, Math.max(this.deliveredSeq(partition), seq));
    }
  }
}

function withoutKnownReceipts(tables: Tables, { writes }: Commit): Commit["writes"] {
  const receipts = writes.get("receipts");
  if (receipts === undefined) return writes;
  const insert = receipts.insert.filter((row) => {
    return tables.get("receipts", String(row.actor_id), String(row.key)) === undefined;
  });
  return new Map([...writes, ["receipts", { ...receipts, insert }]]);
}

const describe = ({ owner, leases, writes }: Commit): string => {
  const effects = (writes.get("outbox")?.insert ?? []).map(({ partition, seq }) => `${partition}#${seq}`);
  const held = leases.map(({ partition, epoch }) => `${partition}@${epoch}`);
  return `${owner} holds ${held.join(" ")}, writes effects ${effects.join(" ")}`;
};
