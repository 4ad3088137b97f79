import type { Row } from "../definition.ts";
import type { TableWrites } from "../ports.ts";

type Op = "insert" | "update" | "remove";

/** How an earlier write of a row in the batch and the next one merge into one write. */
const MERGED: Record<Op, Record<Op, Op | "nothing" | "impossible">> = {
  insert: { insert: "impossible", update: "insert", remove: "nothing" },
  update: { insert: "impossible", update: "update", remove: "remove" },
  remove: { insert: "update", update: "impossible", remove: "impossible" },
};

/** The rows that one actor writes in one batch: at most one write per row, whatever its messages did one after another. */
export class RowChanges {
  readonly #tables = new Map<string, Map<string, { op: Op; row: Row }>>();

  constructor(private readonly primaryKeys: ReadonlyMap<string, readonly string[]>) {}

  /** @throws Error for a table that actors do not write, or a write that cannot follow the one before it. */
  add(op: Op, table: string, row: Row): void {
    const columns = this.primaryKeys.get(table);
    if (columns === undefined) throw new Error(`${table} is not a table of actor_tables`);
    const key =
      columns.length === 1
        ? String(row[columns[0] as string])
        : columns.map((c) => String(row[c])).join("\0");
    let rows = this.#tables.get(table);
    if (rows === undefined) {
      rows = new Map();
      this.#tables.set(table, rows);
    }
    const before = rows.get(key);
    const merged = before === undefined ? op : MERGED[before.op][op];
    if (merged === "impossible") throw new Error(`${op} after ${before?.op} of ${table} ${key}`);
    if (merged === "nothing") rows.delete(key);
    else rows.set(key, { op: merged, row });
  }

  /** Adds the writes to those of other actors. */
  collect(into: Map<string, TableWrites>): void {
    for (const [table, rows] of this.#tables) {
      const writes = tableWrites(into, table);
      for (const { op, row } of rows.values()) writes[op].push(row);
    }
  }
}

export function tableWrites(into: Map<string, TableWrites>, table: string): TableWrites {
  let writes = into.get(table);
  if (writes === undefined) {
    writes = { insert: [], update: [], remove: [] };
    into.set(table, writes);
  }
  return writes;
}
