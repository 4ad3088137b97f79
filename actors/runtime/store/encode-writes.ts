import type { Column, Row } from "../definition.ts";
import type { Commit } from "../ports.ts";

/** The tables that actors write, in the order of their slots in `commit_batch`, with their columns in its order. */
export interface Layout {
  /** Tells `commit_batch` which columns are known here. */
  readonly fingerprint: string;
  readonly tables: ReadonlyMap<string, TableLayout>;
}

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
 * What a commit writes as `commit_batch` takes it: for each table and kind of write an array literal of text, all values of
 * the first column, then of the second. Values travel as PostgreSQL reads them, so that bigints are not rounded.
 */
export function encodeWrites(writes: Commit["writes"], { tables }: Layout): EncodedWrites {
  const slots = Array<number | null>(tables.size * SLOTS).fill(null);
  const parts: string[] = [];
  for (const [table, { insert, update, remove }] of writes) {
    const known = tables.get(table);
    if (known === undefined) throw new Error(`${table} is not a table of actor_tables`);
    const { slot, columns, guarded } = known;
    if (insert.length > 0) slots[slot] = parts.push(arrayLiteral(whole(table, insert, columns), columns));
    if (update.length > 0) slots[slot + 1] = parts.push(arrayLiteral(whole(table, update, columns), guarded));
    if (remove.length > 0) slots[slot + 2] = parts.push(arrayLiteral(remove, guarded));
  }
  return { slots: `{${slots.map((part) => part ?? "NULL").join()}}`, parts };
}

/**
 * Rows as they are. A column that is left out would be written as null, and a name that is none would be lost in silence.
 * @throws Error naming the column
 */
function whole(table: string, rows: readonly Row[], columns: readonly string[]): readonly Row[] {
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

/** One element of an array literal. What a removal leaves out is null: only its key is looked at. */
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
