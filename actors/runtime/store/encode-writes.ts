import type { Column, Row } from "../definition.ts";
import type { Commit } from "../ports.ts";

/** The tables that actors write, in the order of their slots in the function that commits, with their columns in its order. */
export interface Layout {
  /** Identifies the columns: `commit_batch_<fingerprint>` writes these, and no others. */
  readonly fingerprint: string;
  readonly tables: ReadonlyMap<string, TableLayout>;
}

interface TableLayout {
  /** The slot of its insertions; those of its updates and removals follow. */
  readonly slot: number;
  readonly columns: readonly string[];
  /** The columns with the version at which a row was read, if the table has versions. */
  readonly guarded: readonly string[];
}

export interface EncodedWrites {
  /** The part of each slot, counted from 1, as an array literal. */
  readonly slots: string;
  readonly parts: readonly string[];
}

const SLOTS = 3;

/** Assigns the slots. Columns come table by table. */
export function layOut(columns: readonly { table_name: string; name: string }[]): Layout {
  const names = columns.map(({ table_name, name }) => `${table_name}.${name}`).join();
  const tables = [...Map.groupBy(columns, (column) => column.table_name)].map(([table, ofTable], i) => {
    const own = ofTable.map((column) => column.name);
    const guarded = own.includes("version") ? [...own, "base_version"] : own;
    return [table, { slot: i * SLOTS, columns: own, guarded }] as const;
  });
  return {
    fingerprint: new Bun.CryptoHasher("md5").update(names).digest("hex"),
    tables: new Map(tables),
  };
}

/**
 * Encodes the writes of a commit as the parameters of the function that commits: for each table and kind of write an array
 * literal of text, with all values of the first column, then of the second. Values are in PostgreSQL's text format,
 * so that bigints are not rounded.
 */
export function encodeWrites(writes: Commit["writes"], { tables }: Layout): EncodedWrites {
  const slots = Array<number | null>(tables.size * SLOTS).fill(null);
  const parts: string[] = [];
  for (const [table, { insert, update, remove }] of writes) {
    const known = tables.get(table);
    if (known === undefined) throw new Error(`${table} is not a table of actor_tables`);
    const { slot, columns, guarded } = known;
    if (insert.length > 0)
      slots[slot] = parts.push(arrayLiteral(checkColumns(table, insert, columns), columns));
    if (update.length > 0)
      slots[slot + 1] = parts.push(arrayLiteral(checkColumns(table, update, columns), guarded));
    if (remove.length > 0) slots[slot + 2] = parts.push(arrayLiteral(remove, guarded));
  }
  return { slots: `{${slots.map((part) => part ?? "NULL").join()}}`, parts };
}

/**
 * Checks rows. A missing column would be written as null, and an unknown one would be dropped silently.
 * @throws Error naming the column
 */
function checkColumns(table: string, rows: readonly Row[], columns: readonly string[]): readonly Row[] {
  for (const row of rows) {
    for (const column of columns) {
      if (row[column] === undefined) throw new Error(`a row of ${table} has no ${column}`);
    }
    const known = columns.length + (row.base_version === undefined ? 0 : 1);
    if (Object.keys(row).length > known) {
      const strangers = Object.keys(row).filter((name) => name !== "base_version" && !columns.includes(name));
      if (strangers.length > 0) throw new Error(`${table} has no column ${strangers.join()}`);
    }
  }
  return rows;
}

function arrayLiteral(rows: readonly Row[], columns: readonly string[]): string {
  let text = "{";
  for (const column of columns) {
    for (const row of rows) text += `${element(row[column])},`;
  }
  return `${text.slice(0, -1)}}`;
}

/** One element of an array literal. A removal's missing columns are null, since only its key is used. */
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

/** The element of a date, cached: the rows of a message, and mostly of a batch, have the same date. */
function dateElement(date: Date): string {
  if (date !== lastDate) {
    lastDate = date;
    lastElement = `"${date.toISOString()}"`;
  }
  return lastElement;
}

const SPECIAL = /["\\]/;

// Two replacements of plain text take three quarters of the time of one by a pattern.
const quoted = (text: string): string =>
  SPECIAL.test(text) ? `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"` : `"${text}"`;
