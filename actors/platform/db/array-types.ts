import type postgres from "postgres";
import { parse } from "postgres-array";

/**
 * Arrays of PostgreSQL's own types: the number of an element's type, and that of its array. They are the same in every database. The client
 * would ask for them at each connection, and for the rows of each table as well: a third of what a connection costs.
 */
const ARRAYS: readonly (readonly [element: number, array: number])[] = [
  [16, 1000], // bool
  [17, 1001], // bytea
  [18, 1002], // "char"
  [19, 1003], // name
  [20, 1016], // int8
  [21, 1005], // int2
  [23, 1007], // int4
  [25, 1009], // text
  [26, 1028], // oid
  [114, 199], // json
  [700, 1021], // float4
  [701, 1022], // float8
  [869, 1041], // inet
  [1042, 1014], // char(n)
  [1043, 1015], // varchar
  [1082, 1182], // date
  [1114, 1115], // timestamp
  [1184, 1185], // timestamptz
  [1186, 1187], // interval
  [1700, 1231], // numeric
  [2950, 2951], // uuid
  [3802, 3807], // jsonb
];

type Serialize = (value: unknown) => unknown;
type Parse = (text: string) => unknown;

/** Teaches a pool these types; a pool with `fetch_types` off knows no arrays. */
export function addArrayTypes({ serializers, parsers }: postgres.ParsedOptions): void {
  for (const [element, array] of ARRAYS) {
    const serialize: Serialize = serializers[element] ?? String;
    const read: Parse = parsers[element] ?? ((text) => text);
    serializers[array] = (value: unknown) => (Array.isArray(value) ? arrayText(value, serialize) : value);
    parsers[array] = (text: string) => parse(text, read);
  }
}

/** The text of an array, as PostgreSQL reads it. */
function arrayText(values: readonly unknown[], serialize: Serialize): string {
  const texts = values.map((value) => {
    if (value === undefined) throw new TypeError("an array for PostgreSQL has an undefined element");
    if (value === null) return "null";
    if (Array.isArray(value)) return arrayText(value, serialize);
    return `"${String(serialize(value)).replace(/[\\"]/g, "\\$&")}"`;
  });
  return `{${texts.join(",")}}`;
}
