import { afterAll, beforeAll, expect, test } from "bun:test";
import { openSql, type Sql } from "../../../../actors/platform/db/sql.ts";
import { commonLook, type DueReconciler } from "../../../../actors/platform/due/due.ts";
import { freshDatabase, type TestDatabase } from "../../../harness/servers.ts";

let database: TestDatabase;
let db: Sql;
beforeAll(async () => {
  database = await freshDatabase();
  db = openSql(database.url, { max: 1, name: "test" });
  await db`CREATE TABLE waiting (kind text, due_at timestamptz)`;
});
afterAll(async () => {
  await db.end();
  await database.drop();
});

const reconcile = () => {};
/** Before any clock: that of PostgreSQL and that of the test differ by parts of a millisecond. */
const PAST = new Date(1_000);
const waiting = (name: string, dueAt?: () => Date): DueReconciler => ({
  ...{ name, intervalMs: 1, backstopMs: 1, reconcile },
  isDue: (look) =>
    look`EXISTS (SELECT FROM waiting WHERE kind = ${name} AND due_at <= ${dueAt?.() ?? new Date()})`,
});

test("one statement names the reconcilers with work, and no others", async () => {
  const look = commonLook(db, [
    waiting("rentals"),
    { name: "always", intervalMs: 1, reconcile },
    waiting("pools"),
    waiting("domains", () => new Date(0)),
  ]);
  expect(await look.find()).toEqual(new Set());
  await db`INSERT INTO waiting VALUES ('pools', ${PAST}), ('domains', ${PAST})`;
  expect(await look.find()).toEqual(new Set(["pools"]));
  await db`INSERT INTO waiting VALUES ('rentals', ${PAST})`;
  expect(await look.find()).toEqual(new Set(["rentals", "pools"]));
  const [before] = await db<{ calls: bigint }[]>`SELECT count(*) AS calls FROM pg_prepared_statements`;
  await look.find();
  // Its text does not change, so PostgreSQL plans it once.
  expect(await db`SELECT count(*) AS calls FROM pg_prepared_statements`).toEqual([before] as never);
});

test("where no reconciler has a condition, nothing is asked", async () => {
  const unreachable = openSql("postgres://nobody@127.0.0.1:1/none", { max: 1, name: "test" });
  expect(await commonLook(unreachable, [{ name: "always", intervalMs: 1, reconcile }]).find()).toEqual(
    new Set(),
  );
  await unreachable.end();
});

test("a condition that cannot be asked fails the look", async () => {
  const broken = { ...waiting("broken"), isDue: (look: Sql) => look`nowhere.nothing` };
  await expect(commonLook(db, [waiting("pools"), broken]).find()).rejects.toThrow("nowhere");
});
