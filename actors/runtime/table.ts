import type { Sql } from "../platform/db/sql.ts";
import type { AnyField, Field, FieldValue } from "./columns.ts";
import type { Column, Loaded, Row } from "./definition.ts";
import { readRows } from "./store/queries.ts";

/** Reads the items of many actors at once, such as child rows: actor's id → its items. */
export interface Source<Item> {
  load(db: Sql, ids: readonly string[]): Promise<ReadonlyMap<string, readonly Item[]>>;
}

/** A field of a state that comes from a source instead of the root row. */
export interface Related<Value> {
  readonly source: Source<unknown>;
  readonly collect: (items: readonly unknown[]) => Value;
}

/** A field for each property of the state: a missing one, or one with another type, does not compile. */
export type Fields<State> = { readonly [Name in keyof State]-?: Field<State[Name]> };
type RootFields<State> = {
  readonly [Name in keyof State]-?: Field<State[Name]> | Related<State[Name]>;
};

export interface TableOptions<State> {
  /** The primary key column, which holds the actor's id. */
  readonly key: string;
  /** The column with the time of the last change, if the table has one. */
  readonly changedAt?: string;
  readonly fields: RootFields<State>;
  /** Columns that are written for queries and never read back. */
  readonly derived?: Readonly<Record<string, (state: State) => Column>>;
}

/** The table of a kind's root rows: one row for each actor, with a `version` column that the runtime maintains. */
export interface RootTable<State> {
  readonly name: string;
  readonly key: string;
  /** Every column that `row` writes. */
  readonly columns: readonly string[];
  /** Fields with the PostgreSQL types that they can be stored in. */
  readonly fields: readonly AnyField[];
  /** The root row of a state, without `version`. `now` is the time of its last change. */
  row(id: string, state: State, now: Date): Row;
  /** Decodes the fields of a root row from PostgreSQL. */
  decode(row: FieldValue): Partial<State>;
  /** Reads many actors at once. Ids without a row are left out. */
  load(db: Sql, ids: readonly string[]): Promise<Map<string, Loaded<State>>>;
}

/**
 * Defines how a state is stored. Both `load` and the root row come from it.
 *
 *     const wallets = rootTable<Wallet>("wallets", {
 *       key: "user_id",
 *       changedAt: "updated_at",
 *       fields: { generalCents: bigint("general_cents"), aiLimitMicros: bigint("ai_limit_micros") },
 *     });
 */
export function rootTable<State extends object>(
  name: string,
  { key, changedAt, fields, derived = {} }: TableOptions<State>,
): RootTable<State> {
  const all = Object.entries<AnyField | Related<unknown>>(fields);
  const stored = all.filter((entry): entry is [string, AnyField] => "columns" in entry[1]);
  const related = all.filter((entry): entry is [string, Related<unknown>] => "source" in entry[1]);
  const read = stored.flatMap(([, field]) => field.columns);
  const computed = Object.entries(derived);

  const decode = (row: FieldValue): Partial<State> => decodeFields<State>(stored, row);

  return {
    name,
    key,
    columns: [key, ...read, ...Object.keys(derived), ...(changedAt === undefined ? [] : [changedAt])],
    fields: stored.map(([, field]) => field),
    row(id, state, now) {
      const row: Record<string, Column> = { [key]: id };
      encodeFields(stored, state, row);
      for (const [column, compute] of computed) row[column] = compute(state);
      if (changedAt !== undefined) row[changedAt] = now;
      return row;
    },
    decode,
    async load(db, ids) {
      const sources = [...new Set(related.map(([, { source }]) => source))];
      const [rows, ...found] = await Promise.all([
        readRows(db, { table: name, key, columns: ["version", ...read] }, ids),
        ...sources.map((source) => source.load(db, ids)),
      ]);
      const itemsOf = (source: Source<unknown>, id: string) => found[sources.indexOf(source)]?.get(id) ?? [];
      return new Map(
        rows.map((row) => {
          const id = String(row[key]);
          const state = decode(row) as Record<string, unknown>;
          for (const [field, { source, collect }] of related) state[field] = collect(itemsOf(source, id));
          return [id, { version: Number(row.version), state: state as State }];
        }),
      );
    },
  };
}

export interface ChildOptions<Child, Extra> {
  /** The column with the id of the actor that the row belongs to. */
  readonly parent: string;
  readonly fields: Fields<Child>;
  /** Columns that writes set and loads do not read, such as the time at which a child ended. */
  readonly extra?: Fields<Extra>;
}

/** A table of an actor's child rows. `Extra` are fields that each write sets and no load reads. */
export interface ChildTable<Child, Extra extends object = Record<never, never>> {
  readonly name: string;
  readonly parent: string;
  readonly columns: readonly string[];
  readonly fields: readonly AnyField[];
  /** The columns that a load reads. */
  readonly read: readonly string[];
  row(parentId: string, child: Child, ...extra: keyof Extra extends never ? [] : [Extra]): Row;
  decode(row: FieldValue): Child;
}

export function childTable<Child extends object, Extra extends object = Record<never, never>>(
  name: string,
  { parent, fields, extra }: ChildOptions<Child, Extra>,
): ChildTable<Child, Extra> {
  const own = Object.entries<AnyField>(fields);
  const added = Object.entries<AnyField>(extra ?? ({} as Fields<Extra>));
  const read = own.flatMap(([, field]) => field.columns);
  return {
    name,
    parent,
    columns: [...new Set([parent, ...read, ...added.flatMap(([, field]) => field.columns)])],
    fields: [...own, ...added].map(([, field]) => field),
    read,
    row(parentId, child, ...[values]) {
      const row: Record<string, Column> = { [parent]: parentId };
      encodeFields(own, child, row);
      if (values !== undefined) encodeFields(added, values, row);
      return row;
    },
    decode: (row) => decodeFields<Child>(own, row) as Child,
  };
}

export interface ChildrenOptions {
  /** Only rows that have these values; null: rows where the column is null. */
  readonly where?: Readonly<Record<string, string | null>>;
  readonly orderBy?: readonly string[];
}

/** The rows of a child table, read with their actors. */
export const children = <Child>(
  // biome-ignore lint/suspicious/noExplicitAny: a load does not use the extra fields of writes
  table: ChildTable<Child, any>,
  { where = {}, orderBy = [] }: ChildrenOptions = {},
): Source<Child> => ({
  async load(db, ids) {
    const { name, parent, read } = table;
    const rows = await readRows(db, { table: name, key: parent, columns: read, where, orderBy }, ids);
    const byParent = new Map<string, Child[]>();
    for (const row of rows) {
      const id = String(row[parent]);
      const siblings = byParent.get(id);
      if (siblings === undefined) byParent.set(id, [table.decode(row)]);
      else siblings.push(table.decode(row));
    }
    return byParent;
  },
});

/** A field with a source's items, or with what `collect` makes of them. */
export function related<Item>(source: Source<Item>): Related<readonly Item[]>;
export function related<Item, Value>(
  source: Source<Item>,
  collect: (items: readonly Item[]) => Value,
): Related<Value>;
export function related(
  source: Source<unknown>,
  collect: (items: readonly unknown[]) => unknown = (items) => items,
): Related<unknown> {
  return { source, collect };
}

function encodeFields(
  fields: readonly [string, AnyField][],
  values: object,
  row: Record<string, Column>,
): void {
  for (const [name, field] of fields) field.encode((values as Record<string, unknown>)[name], row);
}

/** A field that decodes to undefined is left out. */
function decodeFields<Value>(fields: readonly [string, AnyField][], row: FieldValue): Partial<Value> {
  const values: Record<string, unknown> = {};
  for (const [name, field] of fields) {
    const value = field.decode(row);
    if (value !== undefined) values[name] = value;
  }
  return values as Partial<Value>;
}
