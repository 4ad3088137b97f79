import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { dumpDatabase } from "../../../../actors/platform/db/dump.ts";
import { LoadError, loadDatabase } from "../../../../actors/platform/db/load.ts";
import { migrate } from "../../../../actors/platform/db/migrate.ts";
import { openSql } from "../../../../actors/platform/db/sql.ts";
import { freshDatabase } from "../../../harness/servers.ts";

const FOLDER = join(import.meta.dir, "../../../../actors/platform/db/migrations");
const MIGRATIONS = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".sql"))
  .sort();
/** An earlier version of Berth had no more. */
const EARLIER = new Set(MIGRATIONS.slice(0, 12));

test("the dump of an earlier version is loaded as it was, and brought to this version", async () => {
  const [from, to] = [await freshDatabase(), await freshDatabase()];
  await migrate(from.url, { only: EARLIER });
  const source = openSql(from.url, { max: 1, name: "source" });
  // Of a month that has no partition in a new database.
  await source`SELECT make_event_partition('2020-02-03')`;
  await source`
    INSERT INTO events (id, event_type, resource_type, data, created_at)
    VALUES ('e', 'x', 'wallet', ${'{"text": "a\\u2028b \\"c\\"\\n"}'}::text::jsonb, '2020-02-03T04:05:06.123456Z')`;
  await source`INSERT INTO receipts (actor_id, key, fingerprint, reply, actor_version, minted, created_at)
    VALUES ('a', 'k', 'f', ${'{"kept" :  "as written",\n"a":1}'}::text::json, 9007199254740993, false, now())`;
  await source`UPDATE leases SET owner = 'a host', epoch = 7, expires_at = now() + interval '1 hour'`;

  const lines = new Map<string, string>();
  const dump = await dumpDatabase(from.url, async (table, text) => {
    lines.set(table, (await Array.fromAsync(text)).join(""));
  });
  async function* read(table: string) {
    yield* (lines.get(table) ?? "").split("\n").slice(0, -1);
  }
  expect(dump.migrations.map(({ name }) => name)).toEqual([...EARLIER]);
  await loadDatabase(to.url, dump, read);

  const target = openSql(to.url, { max: 1, name: "target" });
  const names = await target<{ name: string }[]>`SELECT name FROM migrations ORDER BY name`;
  expect(names.map(({ name }) => name)).toEqual(MIGRATIONS);
  const [event] =
    await target`SELECT tableoid::regclass::text AS partition, created_at::text, data FROM events`;
  expect({ ...event }).toMatchObject({ partition: "events_2020_02", data: { text: 'a\u2028b "c"\n' } });
  const [receipt] = await target`SELECT reply::text AS reply, actor_version::text AS version FROM receipts`;
  expect({ ...receipt }).toEqual({ reply: '{"kept" :  "as written",\n"a":1}', version: "9007199254740993" });
  // A host of the lost history can commit nothing here.
  expect(
    await target`SELECT DISTINCT owner, epoch::int, expires_at = '-infinity' AS ended FROM leases`,
  ).toEqual([{ owner: null, epoch: 8, ended: true }] as never);
  const [disabled] = await target`SELECT count(*)::int AS n FROM pg_trigger WHERE tgenabled <> 'O'`;
  expect(disabled?.n).toBe(0);
  const [next] = await target<{ position: bigint }[]>`
    INSERT INTO actor_tables (name) VALUES ('one more') RETURNING position`;
  const [last] =
    await target`SELECT max(position)::int AS position FROM actor_tables WHERE name <> 'one more'`;
  expect(Number(next?.position)).toBeGreaterThan(last?.position);

  await expect(loadDatabase(to.url, dump, read)).rejects.toThrow("the database is not empty");
  const empty = await freshDatabase();
  const newer = { ...dump, migrations: [...dump.migrations, { name: "9999_later.sql", sha256: "x" }] };
  await expect(loadDatabase(empty.url, newer, read)).rejects.toThrow(
    new LoadError(
      "the backup's migration 9999_later.sql is not known here: use the version that made the backup",
    ),
  );
  await source.end();
  await target.end();
  for (const database of [from, to, empty]) await database.drop();
});
