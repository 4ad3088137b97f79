import type { Column, Row } from "./definition.ts";
import type { Commit } from "./ports.ts";

/** The tables that actors write, in the order of their slots in `commit_batch`, with their columns in its order. */
export type TableColumns = ReadonlyMap<string, TableLayout>;

interface TableLayout {
  /** The slot of its insertions; those of its updates and removals follow. */
  readonly slot: number;
  readonly columns: readonly string[];
  /** The same, with the version that a row was read at, where the table has versions. */
  readonly guarded: readonly string[];
}

export interface EncodedWrites {
  /** For each slot which of the parts it has, counted from 1; an array literal. */
  readonly slots: string;
  readonly parts: readonly string[];
}

const SLOTS = 3;

/** Lays the slots out. Columns come table by table. */
export function layOut(columns: readonly { table_name: string; name: string }[]): TableColumns {
  const tables = [...Map.groupBy(columns, (column) => column.table_name)];
  return new Map(
    tables.map(([table, ofTable], i) => {
      const names = ofTable.map((column) => column.name);
      const guarded = names.includes("version") ? [...names, "base_version"] : names;
      return [table, { slot: i * SLOTS, columns: names, guarded }];
    }),
  );
}

/**
 * What a commit writes as `commit_batch` takes it: for each table and kind of write an array literal of text, all values of
 * the first column, then of the second. Values travel as PostgreSQL reads them, so that bigints are not rounded.
 */
export function encodeWrites(writes: Commit["writes"], tables: TableColumns): EncodedWrites {
  const slots = Array<number | null>(tables.size * SLOTS).fill(null);
  const parts: string[] = [];
  for (const [table, { insert, update, remove }] of writes) {
    const known = tables.get(table);
    if (known === undefined) throw new Error(`${table} is not a table of actor_tables`);
    const { slot, columns, guarded } = known;
    if (insert.length > 0) slots[slot] = parts.push(arrayLiteral(insert, columns));
    if (update.length > 0) slots[slot + 1] = parts.push(arrayLiteral(update, guarded));
    if (remove.length > 0) slots[slot + 2] = parts.push(arrayLiteral(remove, guarded));
  }
  return { slots: `{${slots.map((part) => part ?? "NULL").join()}}`, parts };
}

function arrayLiteral(rows: readonly Row[], columns: readonly string[]): string {
  let text = "{";
  for (const column of columns) {
    for (const row of rows) text += `${element(row[column])},`;
  }
  return `${text.slice(0, -1)}}`;
}

/** One element of an array literal. What is left out of a row is null. */
function element(value: Column | undefined): string {
  switch (typeof value) {
    case "string":
      return quoted(value);
    case "number":
    case "bigint":
      return String(value);
    case "boolean":
      return value ? "t" : "f";
    case "object":
      if (value === null) return "NULL";
      return value instanceof Date ? dateElement(value) : quoted(JSON.stringify(value));
    default:
      return "NULL";
  }
}

let lastDate: Date | undefined;
let lastElement = "";

/** Rows of one message, and mostly of one batch, bear the same date. */
function dateElement(date: Date): string {
  if (date !== lastDate) {
    lastDate = date;
    lastElement = `"${date.toISOString()}"`;
  }
  return lastElement;
}

const SPECIAL = /["\\]/;

const quoted = (text: string): string =>
  SPECIAL.test(text) ? `"${text.replace(/["\\]/g, "\\$&")}"` : `"${text}"`;
