import { afterAll, beforeAll, expect, test } from "bun:test";
import postgres from "postgres";
import { openSql, type Sql } from "../../../../actors/platform/db/sql.ts";
import { freshDatabase, type TestDatabase } from "../../../harness/servers.ts";

let database: TestDatabase;
let sql: Sql;
/** Asks the database for its types, as the client does by itself. */
let asking: Sql;
beforeAll(async () => {
  database = await freshDatabase();
  sql = openSql(database.url, { max: 1, name: "test" });
  asking = postgres(database.url, { max: 1, types: { bigint: postgres.BigInt } }) as Sql;
});
afterAll(async () => {
  await sql.end();
  await asking.end();
  await database.drop();
});

const AWKWARD = ["", "a,b", '"', "\\", '\\"', "{}", "NULL", "null", " ", "\n", "ä"];
const WHEN = new Date("2026-01-02T03:04:05.678Z");

test.each([
  [1009, "text", AWKWARD],
  [1015, "varchar", ["x", null]],
  [1007, "int4", [1, -2]],
  [1016, "int8", [1n, 2n ** 60n]],
  [1022, "float8", [0.5, -1e300]],
  [1000, "bool", [true, false, null]],
  [1185, "timestamptz", [WHEN]],
  [3807, "jsonb", [{ a: ['"', "\\"] }, "x", 1]],
  [199, "json", [{ a: 1 }]],
  [2951, "uuid", ["00000000-0000-0000-0000-000000000001"]],
  [1001, "bytea", [Buffer.from([0, 34, 92, 255])]],
  [1009, "text", []],
] as const)(
  "an array of type %d, of %s, goes there and comes back, as with the client's own types",
  async (array, _, values) => {
    const there = (by: Sql) =>
      by`SELECT x, cardinality(x) AS count FROM (SELECT ${by.typed(values as never, array)} AS x) AS sent`;
    const [[own], [theirs]] = [await there(sql), await there(asking)];
    expect(own).toEqual({ x: [...values], count: values.length });
    // The client's own types read NULL as a text.
    if (!values.some((value) => value === null)) expect(theirs).toEqual(own);
  },
);

test("arrays within arrays, and those that begin elsewhere, are read", async () => {
  const query = (by: Sql) =>
    by`SELECT ARRAY[[1, 2], [3, NULL]]::int[] AS nested, '[0:1]={a,b}'::text[] AS shifted, '{}'::int[] AS none,
      ARRAY(SELECT rolname FROM pg_roles WHERE rolname = 'pg_monitor') AS names, NULL::text[] AS nothing`;
  const [row] = await query(sql);
  expect(row).toEqual({
    nested: [
      [1, 2],
      [3, null],
    ],
    shifted: ["a", "b"],
    none: [],
    names: ["pg_monitor"],
    nothing: null,
  });
});

test("an undefined element is refused, and the connection stays good", async () => {
  const values = ["a", undefined] as string[];
  await expect(sql`SELECT ${values}::text[] AS x`.execute()).rejects.toThrow("undefined element");
  expect([...(await sql`SELECT 1 AS one`)]).toEqual([{ one: 1 }]);
});

test("a connection asks the database for no types", async () => {
  const name = "asks-nothing";
  const one = openSql(database.url, { max: 1, name });
  try {
    await one`SELECT 1`;
    const [row] = await sql`SELECT query FROM pg_stat_activity WHERE application_name = ${name}`;
    expect(row?.query).toBe("SELECT 1");
  } finally {
    await one.end();
  }
});
