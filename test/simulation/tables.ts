import type { Row } from "../../actors/runtime/definition.ts";
import { ReceiptExistsError, RejectedError, StaleError } from "../../actors/runtime/errors.ts";
import type { Commit } from "../../actors/runtime/ports.ts";

interface Table {
  readonly key: readonly string[];
  /** Whether it holds root rows, which change only at the version at which they were read. */
  readonly versioned: boolean;
  /** A row that breaks this is refused. */
  readonly check?: { name: string; holds(row: Row): boolean };
  readonly rows: Map<string, Row>;
}

const table = (key: string[], more: Partial<Omit<Table, "key" | "rows">> = {}): Table => ({
  key,
  versioned: false,
  ...more,
  rows: new Map(),
});

/**
 * The tables that actors write, with the semantics of `commit_batch`: all of a commit or nothing, every insert new, every
 * update and removal of a row that is there, and a root row only at the version at which it was read.
 */
export class Tables {
  /** As in `actor_tables`: parents before their children. */
  readonly #tables: Record<string, Table> = {
    receipts: table(["actor_id", "key"]),
    outbox: table(["partition", "seq"]),
    wallets: table(["user_id"], {
      versioned: true,
      check: {
        name: "wallets_general_cents_check",
        holds: ({ general_cents }) => typeof general_cents === "bigint" && general_cents >= 0n,
      },
    }),
    transactions: table(["id"]),
    movements: table(["transaction_id", "id"]),
    events: table(["id"]),
    tasks: table(["kind", "actor_id", "name"]),
    tills: table(["id"], {
      versioned: true,
      check: { name: "tills_money_check", holds: ({ money }) => Number(money) >= 0 },
    }),
    shops: table(["id"], { versioned: true }),
    alarms: table(["id"], { versioned: true }),
  };

  primaryKeys(): ReadonlyMap<string, readonly string[]> {
    return new Map(Object.entries(this.#tables).map(([name, { key }]) => [name, key]));
  }

  get(name: string, ...key: (string | number)[]): Row | undefined {
    return this.#table(name).rows.get(key.join("\0"));
  }

  all(name: string): IterableIterator<Row> {
    return this.#table(name).rows.values();
  }

  count(name: string): number {
    return this.#table(name).rows.size;
  }

  /** @throws StaleError, RejectedError: nothing was written. */
  write(writes: Commit["writes"]): void {
    const undo: (() => void)[] = [];
    try {
      for (const name of writes.keys()) this.#table(name);
      for (const [name, table] of Object.entries(this.#tables).reverse()) {
        for (const row of writes.get(name)?.remove ?? []) {
          const before = meet(name, table, row);
          const key = keyOf(table, row);
          table.rows.delete(key);
          undo.push(() => table.rows.set(key, before));
        }
      }
      for (const [name, table] of Object.entries(this.#tables)) {
        const { insert = [], update = [] } = writes.get(name) ?? {};
        for (const row of insert) {
          judge(table, row);
          if (table.rows.has(keyOf(table, row))) throw exists(name);
          set(table, row, undo);
        }
        for (const row of update) {
          meet(name, table, row);
          judge(table, row);
          set(table, row, undo);
        }
      }
    } catch (error) {
      for (const back of undo.reverse()) back();
      throw error;
    }
  }

  #table(name: string): Table {
    const found = this.#tables[name];
    if (found === undefined) throw new Error(`no table ${name}`);
    return found;
  }
}

const keyOf = ({ key }: Table, row: Row): string => key.map((column) => String(row[column])).join("\0");

/** The row that an update or removal is of. */
function meet(name: string, table: Table, row: Row): Row {
  const found = table.rows.get(keyOf(table, row));
  if (found === undefined || (table.versioned && found.version !== row.base_version)) {
    throw new StaleError(`stale row in ${name}`);
  }
  return found;
}

const exists = (name: string): Error =>
  name === "receipts" ? new ReceiptExistsError("receipt exists") : new StaleError(`row exists: ${name}_pkey`);

function judge({ check }: Table, row: Row): void {
  if (check !== undefined && !check.holds(row)) throw new RejectedError("violates a check", check.name);
}

function set(table: Table, { base_version: _, ...row }: Row, undo: (() => void)[]): void {
  const key = keyOf(table, row);
  const before = table.rows.get(key);
  table.rows.set(key, row);
  undo.push(() => (before === undefined ? table.rows.delete(key) : table.rows.set(key, before)));
}
