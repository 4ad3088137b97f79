import type { Column } from "./definition.ts";

/** Column types: how a field of a state is written to its column, and read from it. */

/** A row as PostgreSQL returns it. */
export type FieldValue = Readonly<Record<string, unknown>>;

/**
 * A field and its column, or columns. `encode` and `decode` are properties: TypeScript compares the parameters of methods
 * loosely, and would let a field of another type pass.
 */
export interface Field<Value> {
  readonly columns: readonly string[];
  /** The PostgreSQL types that each of the columns may have. */
  readonly types: readonly (readonly string[])[];
  readonly encode: (value: Value, row: Record<string, Column>) => void;
  readonly decode: (row: FieldValue) => Value;
}

function column<Value>(
  name: string,
  types: readonly string[],
  encode: (value: Value) => Column,
  decode: (value: never) => Value,
): Field<Value> {
  return {
    columns: [name],
    types: [types],
    encode: (value, row) => {
      row[name] = encode(value);
    },
    decode: (row) => decode(row[name] as never),
  };
}

const same = <Value>(value: Value): Value => value;

/** A field of any type, for code that handles the fields of all tables. */
// biome-ignore lint/suspicious/noExplicitAny: see above
export type AnyField = Field<any>;

/** `text` */
export const text = <Value extends string>(name: string): Field<Value> =>
  column<Value>(name, ["text"], same, same);

export const boolean = (name: string): Field<boolean> => column<boolean>(name, ["boolean"], same, same);

/** `int` */
export const integer = (name: string): Field<number> => column<number>(name, ["integer"], same, same);

export const bigint = (name: string): Field<bigint> => column<bigint>(name, ["bigint"], same, same);

/** `bigint` with values that a number holds exactly: amounts of cents, revisions, sizes. */
export const safeInteger = (name: string): Field<number> =>
  column<number>(
    name,
    ["bigint"],
    (value) => assertSafe(name, value),
    (value: bigint) => assertSafe(name, Number(value)),
  );

function assertSafe(name: string, value: number): number {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${name}: ${value} is no safe integer`);
  return value;
}

/** `timestamptz` */
export const timestamp = (name: string): Field<Date> =>
  column<Date>(name, ["timestamp with time zone"], same, same);

/** `json` or `jsonb` */
export const json = <Value extends object>(name: string): Field<Value> =>
  column<Value>(name, ["jsonb", "json"], same, same);

/** `bytea` */
export const bytes = (name: string): Field<Uint8Array> =>
  column<Uint8Array>(name, ["bytea"], (value) => `\\x${Buffer.from(value).toString("hex")}`, same);

/** Decodes to null if the field's first column is null. */
export const nullable = <Value>(field: Field<Value>): Field<Value | null> => absent(field, null);

/** Left out of the state if the field's first column is null. */
export const optional = <Value>(field: Field<Value>): Field<Value | undefined> => absent(field, undefined);

function absent<Value, Nothing extends null | undefined>(
  field: Field<Value>,
  nothing: Nothing,
): Field<Value | Nothing> {
  const [first = ""] = field.columns;
  return {
    ...field,
    encode: (value, row) => {
      if (value === null || value === undefined) for (const name of field.columns) row[name] = null;
      else field.encode(value as Value, row);
    },
    decode: (row) => (row[first] === null ? nothing : field.decode(row)),
  };
}

/** An object with several columns. */
export function group<Value extends object>(
  fields: {
    readonly [Name in keyof Value]-?: Field<Value[Name]>;
  },
): Field<Value> {
  const parts = Object.entries<AnyField>(fields);
  return {
    columns: parts.flatMap(([, field]) => field.columns),
    types: parts.flatMap(([, field]) => field.types),
    encode: (value, row) => {
      for (const [name, field] of parts) field.encode((value as Record<string, unknown>)[name], row);
    },
    decode: (row) => Object.fromEntries(parts.map(([name, field]) => [name, field.decode(row)])) as Value,
  };
}
