import { afterEach, beforeEach, expect, test } from "bun:test";
import { migrate } from "../../../../actors/platform/db/migrate.ts";
import { openSql, type Sql } from "../../../../actors/platform/db/sql.ts";
import { freshDatabase } from "../../../harness/servers.ts";

let database: Awaited<ReturnType<typeof freshDatabase>>;
let db: Sql;
beforeEach(async () => {
  database = await freshDatabase();
  db = openSql(database.url, { max: 1, name: "test" });
});
afterEach(async () => {
  await db.end({ timeout: 5 });
  await database.drop();
});

test("hosts that start together run each migration once", async () => {
  const applied = await Promise.all([migrate(database.url), migrate(database.url)]);
  expect(applied.map((names) => names.length > 0).sort()).toEqual([false, true]);
  expect(await migrate(database.url)).toEqual([]);
});

test("a migration that was edited after it ran is refused by name", async () => {
  await migrate(database.url);
  await db`UPDATE migrations SET sha256 = 'other' WHERE name = '0003_accounts.sql'`;
  expect(migrate(database.url)).rejects.toThrow("migration 0003_accounts.sql was edited after it ran");
});

test("a database of another line of versions is refused, and left as it was", async () => {
  await migrate(database.url);
  await db`UPDATE migrations SET name = '0002_of_another_line.sql' WHERE name = '0002_commit.sql'`;
  expect(migrate(database.url)).rejects.toThrow("0002_of_another_line.sql) and lacks 0002_commit.sql");
});

test("an older host starts beside a database that a newer version has migrated", async () => {
  await migrate(database.url);
  await db`INSERT INTO migrations (name, sha256) VALUES ('9999_newer.sql', 'newer')`;
  expect(await migrate(database.url)).toEqual([]);
});

test("every table that actors write has its parents before it", async () => {
  await migrate(database.url);
  const wrong = await db`
    SELECT f.conrelid::regclass AS child, f.confrelid::regclass AS parent
    FROM pg_constraint f
    JOIN actor_tables c ON c.name::regclass = f.conrelid JOIN actor_tables p ON p.name::regclass = f.confrelid
    WHERE f.contype = 'f' AND p.position > c.position`;
  expect(wrong).toHaveLength(0);
});
