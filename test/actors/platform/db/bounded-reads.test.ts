import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { boundedReads, type ReadBounds } from "../../../../actors/platform/db/bounded-reads.ts";
import { isDatabaseUnavailable, openSql, type Sql } from "../../../../actors/platform/db/sql.ts";
import { migratedDatabase } from "../../../harness/servers.ts";
import { until } from "../../../harness/until.ts";

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let sql: Sql;
beforeAll(async () => {
  database = await migratedDatabase();
  sql = openSql(database.url, { max: 2, name: "bounded" });
});
afterAll(async () => {
  await sql.end({ timeout: 1 });
  await database.drop();
});

const BOUNDS: ReadBounds = { replyMsMax: 400, inFlightMax: 2, waitingMax: 1_000 };
const outcomeOf = (query: Promise<unknown>) =>
  query.then(
    () => "answered",
    (error) => (isDatabaseUnavailable(error) ? "away" : (error.code ?? String(error))),
  );
/** Holds the whole process up, as a machine without a free processor does. */
function standStill(ms: number): void {
  Bun.sleepSync(ms);
}

describe("a read is answered", () => {
  test("though the process stood still for longer than a read may take", async () => {
    const db = boundedReads(sql, BOUNDS);
    await db`SELECT 1`;
    const reads = Array.from({ length: 10 }, () => outcomeOf(db`SELECT 1`));
    standStill(3 * BOUNDS.replyMsMax);
    expect(new Set(await Promise.all(reads))).toEqual(new Set(["answered"]));
  });

  test("though it stands still again and again while the read is at the database", async () => {
    const db = boundedReads(sql, BOUNDS);
    const read = outcomeOf(db`SELECT pg_sleep(0.05)`);
    for (let i = 0; i < 5; i++) {
      standStill(BOUNDS.replyMsMax);
      await Bun.sleep(0);
    }
    expect(await read).toBe("answered");
  });

  test("though it had to wait for longer than that behind others, which a slow database answers one by one", async () => {
    const db = boundedReads(sql, BOUNDS);
    const startedMs = performance.now();
    const reads = Array.from({ length: 60 }, () => outcomeOf(db`SELECT pg_sleep(0.05)`));
    expect(new Set(await Promise.all(reads))).toEqual(new Set(["answered"]));
    expect(performance.now() - startedMs).toBeGreaterThan(2 * BOUNDS.replyMsMax);
  });
});

describe("a database that stands still", () => {
  /** Holds every connection of the pool up until the end. */
  async function standingStill(act: (db: Sql) => Promise<void>): Promise<void> {
    const other = openSql(database.url, { max: 1, name: "lock" });
    await other`CREATE TABLE IF NOT EXISTS locked (id int)`;
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const locking = Promise.withResolvers<void>();
    const transaction = other.begin(async (tx) => {
      await tx`LOCK TABLE locked IN ACCESS EXCLUSIVE MODE`;
      locking.resolve();
      await held;
    });
    await locking.promise;
    try {
      await act(boundedReads(sql, BOUNDS));
    } finally {
      release();
      await transaction;
      await other.end();
    }
  }

  test("is told to those whose reads are there, and to those who wait, after the limit and not with the lock", async () => {
    await standingStill(async (db) => {
      const startedMs = performance.now();
      const reads = Array.from({ length: 50 }, () => outcomeOf(db`SELECT * FROM locked`));
      expect(new Set(await Promise.all(reads))).toEqual(new Set(["away"]));
      expect(performance.now() - startedMs).toBeGreaterThanOrEqual(BOUNDS.replyMsMax);
    });
  });

  test("answers again once it goes on", async () => {
    await standingStill(async (db) => {
      expect(await outcomeOf(db`SELECT * FROM locked`)).toBe("away");
    });
    const db = boundedReads(sql, BOUNDS);
    await until(async () => (await outcomeOf(db`SELECT * FROM locked`)) === "answered");
  });
});

test("past the bound of those who wait a read is refused at once", async () => {
  const db = boundedReads(sql, { ...BOUNDS, waitingMax: 5 });
  const reads = Array.from({ length: 10 }, () => outcomeOf(db`SELECT pg_sleep(0.05)`));
  expect((await Promise.all(reads)).toSorted()).toEqual([
    ...Array(3).fill("OVERLOADED"),
    ...Array(7).fill("answered"),
  ]);
});

test("an error of a read is that read's, and the next ones go on", async () => {
  const db = boundedReads(sql, { ...BOUNDS, inFlightMax: 1 });
  const wrong = outcomeOf(db`SELECT no_such_column`);
  const right = db`SELECT 7 AS n`;
  expect(await wrong).toBe("42703");
  expect([...(await right)]).toEqual([{ n: 7 }]);
  expect(await db`SELECT no_such_column`.catch((error) => error.code)).toBe("42703");
  expect(await db`SELECT ${1} + ${db`2`} AS n`.then(([row]) => row?.n)).toBe(3);
});
