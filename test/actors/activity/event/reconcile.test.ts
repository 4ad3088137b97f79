import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  countDay,
  countEvents,
  createPartition,
  deleteErasedEvents,
  deleteExpiredEvents,
  type EventPage,
  listEvents,
  readErasures,
  readEventStats,
} from "../../../../actors/activity/event/queries.ts";
import { migrate } from "../../../../actors/platform/db/migrate.ts";
import { openSql, type Sql } from "../../../../actors/platform/db/sql.ts";
import { freshDatabase } from "../../../harness/servers.ts";

/** The log's tables: months, counts and deletions, on a database of their own. */

const USER = "a".repeat(24);
const OTHER = "b".repeat(24);
const PROJECT = "c".repeat(24);
const DAY_MS = 24 * 60 * 60 * 1000;
const TODAY = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS);
const daysAgo = (days: number) => new Date(TODAY.getTime() - days * DAY_MS);

let database: Awaited<ReturnType<typeof freshDatabase>>;
let db: Sql;
beforeEach(async () => {
  database = await freshDatabase();
  db = openSql(database.url, { max: 2, name: "test" });
});
afterEach(async () => {
  await db.end({ timeout: 5 });
  await database.drop();
});

/** `n` events of a user, an hour apart, the newest an hour before `end`; of three types, every fourth on a project. */
async function insert(userId: string, n: number, end = TODAY, mark = "0"): Promise<void> {
  await db`
    INSERT INTO events (id, event_type, resource_type, resource_id, user_id, project_id, realm_id, data, created_at)
    SELECT ${mark} || substr(md5(${userId} || i), 1, 23), type, split_part(type, '.', 1), ${userId}, ${userId}, project, project,
      '{}', ${end}::timestamptz - i * interval '1 hour'
    FROM (SELECT i, (ARRAY['user.logged_in', 'container.running', 'container.created'])[1 + i % 3] AS type,
      CASE WHEN i % 4 = 0 THEN ${PROJECT} END AS project FROM generate_series(1, ${n}::int) i) made`;
}

const PAGE: EventPage = { limit: 500, offset: 0, sortBy: "created_at", sortOrder: "desc" };
const countAll = async () => {
  while (await countDay(db, new Date()));
};
/** Counts from the first event on. */
const countAnew = async () => {
  await db`DELETE FROM event_counts`;
  await db`UPDATE event_counts_until SET day = (SELECT date_trunc('day', min(created_at), 'UTC') FROM events)`;
  await countAll();
};
const partitionsOf = async () =>
  (
    await db<{ name: string; n: bigint }[]>`
      SELECT tableoid::regclass::text AS name, count(*) AS n FROM events
      GROUP BY 1 ORDER BY tableoid::regclass::text COLLATE "C"`
  ).map(({ name, n }) => [name, Number(n)]);

describe("a month", () => {
  test("takes over what had gone to the default partition", async () => {
    await migrate(database.url);
    const far = new Date(Date.UTC(TODAY.getUTCFullYear() + 1, 5, 20));
    await insert(USER, 24, far);
    expect(await partitionsOf()).toEqual([["events_default", 24]]);
    await createPartition(db, far);
    expect(await partitionsOf()).toEqual([[`events_${far.getUTCFullYear()}_06`, 24]]);
    await createPartition(db, far);
  });

  test("begins and ends at midnight UTC, in whatever zone the database is", async () => {
    await migrate(database.url);
    const zoned = openSql(database.url, { max: 1, name: "zoned", session: { timezone: "America/New_York" } });
    const first = Date.UTC(TODAY.getUTCFullYear() + 1, 10, 1);
    await createPartition(zoned, new Date(first + 1_000));
    await zoned.end();
    for (const [i, at] of [first - 1, first, first + 30 * DAY_MS - 1, first + 30 * DAY_MS].entries()) {
      await db`
        INSERT INTO events (id, event_type, resource_type, data, created_at)
        VALUES (${String(i)}, 'user.logged_in', 'user', '{}', ${new Date(at)})`;
    }
    const name = `events_${TODAY.getUTCFullYear() + 1}_11`;
    expect(await partitionsOf()).toEqual([
      [name, 2],
      ["events_default", 2],
    ]);
  });
});

describe("counted days", () => {
  beforeEach(async () => {
    await migrate(database.url);
    await insert(USER, 1_200);
    await insert(OTHER, 30, TODAY, "1");
    await countAnew();
    // Of today, which is not over.
    await insert(USER, 5, new Date(TODAY.getTime() + 6 * 60 * 60 * 1000), "2");
  });

  /** The same question asked of the rows alone. */
  async function expected(where: ReturnType<Sql>): Promise<number> {
    const [row] = await db<
      { n: number }[]
    >`SELECT count(*)::int AS n FROM events WHERE user_id = ${USER} AND ${where}`;
    return row?.n ?? 0;
  }

  test("and the rows of what is left make the totals, for every filter and range", async () => {
    const middle = new Date(daysAgo(20).getTime() + 5 * 60 * 60 * 1000 + 1);
    const late = new Date(daysAgo(3).getTime() + 1);
    const cases: [Partial<EventPage>, ReturnType<Sql>][] = [
      [{}, db`true`],
      [{ eventType: "container.running" }, db`event_type = 'container.running'`],
      [{ resourceType: "container" }, db`resource_type = 'container'`],
      [{ projectId: PROJECT }, db`project_id = ${PROJECT}`],
      [
        { realmId: PROJECT, eventType: "user.logged_in" },
        db`project_id = ${PROJECT} AND event_type = 'user.logged_in'`,
      ],
      [{ realmId: PROJECT, projectId: USER }, db`false`],
      [{ eventType: "container.running", resourceType: "user" }, db`false`],
      [{ start: middle }, db`created_at >= ${middle}`],
      [{ end: middle }, db`created_at < ${middle}`],
      [{ start: middle, end: late }, db`created_at >= ${middle} AND created_at < ${late}`],
      [
        { start: middle, end: new Date(middle.getTime() + 1_000_000) },
        db`created_at >= ${middle} AND created_at < ${new Date(middle.getTime() + 1_000_000)}`,
      ],
      [
        { start: daysAgo(9), end: daysAgo(2) },
        db`created_at >= ${daysAgo(9)} AND created_at < ${daysAgo(2)}`,
      ],
      [{ start: late, end: middle }, db`false`],
      [{ resourceId: USER, resourceType: "container" }, db`resource_type = 'container'`],
    ];
    for (const [filter, where] of cases) {
      const { total } = await listEvents(db, USER, { ...PAGE, ...filter });
      expect([filter, total]).toEqual([filter, await expected(where)]);
    }
  });

  test("make statistics: counts by type, and the first and last of the range", async () => {
    const stats = await readEventStats(db, USER, { end: daysAgo(10) });
    const rows = await db<{ type: string; n: number }[]>`
      SELECT event_type AS type, count(*)::int AS n FROM events
      WHERE user_id = ${USER} AND created_at < ${daysAgo(10)} GROUP BY 1`;
    expect(Object.fromEntries(stats.byType)).toEqual(
      Object.fromEntries(rows.map(({ type, n }) => [type, n])),
    );
    const [edge] = await db`
      SELECT min(created_at) AS oldest, max(created_at) AS newest FROM events
      WHERE user_id = ${USER} AND created_at < ${daysAgo(10)}`;
    expect([stats.oldest, stats.newest]).toEqual([edge?.oldest, edge?.newest]);
  });

  test.each(["created_at", "event_type"] as const)(
    "are skipped to a page far down, in both orders by %s",
    async (sortBy) => {
      for (const sortOrder of ["asc", "desc"] as const) {
        const order = sortOrder === "asc" ? db`ASC` : db`DESC`;
        const first = sortBy === "event_type" ? db`event_type ${order},` : db``;
        const all = await db<{ id: string }[]>`
          SELECT id FROM events WHERE user_id = ${USER} ORDER BY ${first} created_at ${order}, id ${order}`;
        for (const offset of [0, 400, 501, 760, 1_003, 1_200, 1_205]) {
          const { events } = await listEvents(db, USER, { ...PAGE, sortBy, sortOrder, offset, limit: 7 });
          expect([offset, events.map(({ id }) => id)]).toEqual([
            offset,
            all.slice(offset, offset + 7).map(({ id }) => id),
          ]);
        }
      }
    },
  );

  test("lose what is deleted, and nobody else's do", async () => {
    await db`INSERT INTO event_logs VALUES (${USER}, 1, NULL, now())`;
    await db`
      INSERT INTO event_erasures (id, user_id, event_type, before, created_at)
      VALUES ('e', ${USER}, 'container.running', ${daysAgo(3)}, now())`;
    const visible = await countEvents(db, USER, {});
    let total = 0;
    const [erasure] = await readErasures(db);
    if (erasure === undefined) throw new Error("the deletion is not there");
    for (let deleted = 1; deleted > 0; total += deleted) deleted = await deleteErasedEvents(db, erasure, 100);
    expect(total).toBeGreaterThan(300);
    await db`DELETE FROM event_erasures`;
    expect(await countEvents(db, USER, {})).toBe(visible);
    expect(await expected(db`true`)).toBe(visible);
    expect(await countEvents(db, OTHER, {})).toBe(30);
  });

  test("know of single events that are being deleted, before and after their rows are gone", async () => {
    await db`INSERT INTO event_logs VALUES (${USER}, 1, NULL, now())`;
    const rows = await db<{ id: string; created_at: Date }[]>`
      SELECT id, created_at FROM events WHERE user_id = ${USER} AND event_type = 'container.running'
      ORDER BY created_at LIMIT 3`;
    for (const { id } of rows) {
      await db`
        INSERT INTO event_erasures (id, user_id, event_id, before, created_at)
        VALUES (${id}, ${USER}, ${id}, now(), now())`;
    }
    const check = async (left: number) => {
      expect(await countEvents(db, USER, {})).toBe(left);
      const first = await listEvents(db, USER, { ...PAGE, sortOrder: "asc", limit: 20 });
      expect(first.total).toBe(left);
      expect(first.events.filter(({ id }) => rows.some((row) => row.id === id))).toEqual([]);
    };
    await check(1_202);
    for (const erasure of await readErasures(db)) expect(await deleteErasedEvents(db, erasure, 100)).toBe(1);
    await check(1_202);
    await db`DELETE FROM event_erasures`;
    await check(1_202);
    expect(await expected(db`true`)).toBe(1_202);
  });

  const deletions: [string, string, () => ReturnType<Sql>][] = [
    ["event_type", "container.running", () => db`event_type = 'container.running'`],
    ["resource_type", "container", () => db`resource_type = 'container'`],
    ["resource_id", USER, () => db`resource_id = ${USER}`],
    ["realm_id", PROJECT, () => db`project_id = ${PROJECT}`],
  ];
  test.each(deletions)(
    "of a deletion by %s: what goes is what reads left out",
    async (column, value, where) => {
      await db`INSERT INTO event_logs VALUES (${USER}, 1, NULL, now())`;
      const doomed = await expected(where());
      const all = await expected(db`true`);
      await db`
      INSERT INTO event_erasures (id, user_id, ${db(column)}, before, created_at)
      VALUES ('e', ${USER}, ${value}, now() + interval '1 day', now())`;
      expect(await countEvents(db, USER, {})).toBe(all - doomed);
      const [erasure] = await readErasures(db);
      if (erasure === undefined) throw new Error("the deletion is not there");
      let total = 0;
      for (let deleted = 1; deleted > 0; total += deleted)
        deleted = await deleteErasedEvents(db, erasure, 500);
      expect(total).toBe(doomed);
      await db`DELETE FROM event_erasures`;
      expect(await countEvents(db, USER, {})).toBe(all - doomed);
    },
  );

  test("go with the months that are dropped", async () => {
    const since = new Date(Date.UTC(TODAY.getUTCFullYear(), TODAY.getUTCMonth(), 1) + 1);
    const months = (await partitionsOf()).length;
    while (await deleteExpiredEvents(db, since, 100));
    expect(await expected(db`created_at < ${since}`)).toBe(0);
    expect((await partitionsOf()).length).toBeLessThan(months);
    expect(await countEvents(db, USER, {})).toBe(await expected(db`true`));
    const [counts] =
      await db`SELECT count(*)::int AS n FROM event_counts WHERE day < date_trunc('day', ${since}::timestamptz, 'UTC')`;
    expect(counts?.n).toBe(0);
  });
});
