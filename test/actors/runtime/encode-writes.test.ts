import { afterAll, beforeAll, expect, test } from "bun:test";
import { openSql, type Sql } from "../../../actors/platform/db/sql.ts";
import type { Row } from "../../../actors/runtime/definition.ts";
import { encodeWrites, layOut } from "../../../actors/runtime/store/encode-writes.ts";
import { freshDatabase } from "../../harness/servers.ts";

let db: Sql;
let drop: () => Promise<void>;
beforeAll(async () => {
  const database = await freshDatabase();
  db = openSql(database.url, { max: 1, name: "test" });
  drop = () => database.drop();
});
afterAll(async () => {
  await db.end({ timeout: 5 });
  await drop();
});

const layout = layOut([
  { table_name: "things", name: "id" },
  { table_name: "things", name: "value" },
  { table_name: "counted", name: "id" },
  { table_name: "counted", name: "version" },
]);
const writes = (table: string, op: "insert" | "update" | "remove", rows: Row[]) =>
  encodeWrites(new Map([[table, { insert: [], update: [], remove: [], [op]: rows }]]), layout);
const readBack = async (part: string | undefined) => {
  const rows = await db<{ element: string | null }[]>`SELECT unnest(${part ?? ""}::text::text[]) AS element`;
  return rows.map(({ element }) => element);
};

test("every value arrives in PostgreSQL as it was, column after column", async () => {
  const values: Row[string][] = [
    "plain",
    "",
    "NULL",
    'quotes " and \\ and {braces}, commas\nand lines',
    "é 漢 😀",
    9_007_199_254_740_993n,
    -1.5,
    true,
    false,
    null,
    new Date("2026-01-02T03:04:05.678Z"),
    { a: 'b"c\\d', n: [1, null] },
    [],
  ];
  const { parts } = writes(
    "things",
    "insert",
    values.map((value, id) => ({ id, value })),
  );
  expect(await readBack(parts[0])).toEqual([
    ...values.map((_, id) => String(id)),
    "plain",
    "",
    "NULL",
    'quotes " and \\ and {braces}, commas\nand lines',
    "é 漢 😀",
    "9007199254740993",
    "-1.5",
    "t",
    "f",
    null,
    "2026-01-02T03:04:05.678Z",
    '{"a":"b\\"c\\\\d","n":[1,null]}',
    "[]",
  ]);
});

test("each kind of write has its slot; what carries no version has none, what is left out is null", async () => {
  expect(writes("things", "remove", [{ id: 1 }])).toEqual({
    slots: "{NULL,NULL,1,NULL,NULL,NULL}",
    parts: ["{1,NULL}"],
  });
  expect(writes("counted", "insert", [{ id: 1, version: 1 }]).slots).toBe("{NULL,NULL,NULL,1,NULL,NULL}");
  expect(writes("counted", "update", [{ id: 1, version: 2, base_version: 1 }])).toEqual({
    slots: "{NULL,NULL,NULL,NULL,1,NULL}",
    parts: ["{1,2,1}"],
  });
});

test("a table that actors do not write is refused", () => {
  expect(() => writes("strangers", "insert", [{ id: 1 }])).toThrow(
    "strangers is not a table of actor_tables",
  );
});
