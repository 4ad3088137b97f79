import { afterAll, beforeAll, expect, test } from "bun:test";
import postgres from "postgres";
import { countDay, createPartition, deleteExpiredEvents } from "../../../../actors/activity/event/queries.ts";
import { MigrationsMissingError, migrate } from "../../../../actors/platform/db/migrate.ts";
import { type ByRole, mayWrite } from "../../../../actors/platform/db/roles.ts";
import { openSql } from "../../../../actors/platform/db/sql.ts";
import { QUOTA_NAMES } from "../../../../schemas/accounts/quota.ts";
import { freshDatabase, migratedDatabase, type TestDatabase } from "../../../harness/servers.ts";

/** What each of the database's roles may do, tried as that role. */

let database: TestDatabase;
let admin: postgres.Sql;
let owner: postgres.Sql;
let gateway: postgres.Sql;
let actors: postgres.Sql;
let urls: ByRole;

beforeAll(async () => {
  const migrated = await migratedDatabase();
  database = migrated;
  urls = migrated.urls;
  const connect = (url: string) => postgres(url, { max: 1, onnotice: () => undefined });
  [admin, owner, gateway, actors] = [database.url, urls.owner, urls.gateway, urls.actors].map(connect) as [
    postgres.Sql,
    postgres.Sql,
    postgres.Sql,
    postgres.Sql,
  ];
});

afterAll(async () => {
  for (const sql of [admin, owner, gateway, actors]) await sql?.end({ timeout: 1 });
  await database?.drop();
});

const DENIED = "42501";

/** SQLSTATE of a statement that failed; undefined when it did what it says. */
const failureOf = async (sql: postgres.Sql, statement: string): Promise<string | undefined> => {
  try {
    // The attacker switches off what is only a default of the session.
    await sql.unsafe("SET default_transaction_read_only = off");
    await sql.unsafe(statement);
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
};

const tablesOf = async (): Promise<string[]> => {
  const rows = await admin<{ name: string }[]>`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY 1`;
  return rows.map(({ name }) => name);
};

const columnOf = async (table: string): Promise<string> => {
  const [row] = await admin<{ name: string }[]>`
    SELECT attname AS name FROM pg_attribute WHERE attrelid = ${table}::regclass AND attnum = 1`;
  return row?.name ?? "";
};

test("the gateway's role is refused every write to every table, and may read them", async () => {
  const tables = await tablesOf();
  expect(tables).toContain("wallets");
  const outcomes: Record<string, (string | undefined)[]> = {};
  for (const table of tables) {
    const column = await columnOf(table);
    outcomes[table] = [
      await failureOf(gateway, `INSERT INTO ${table} DEFAULT VALUES`),
      await failureOf(gateway, `UPDATE ${table} SET ${column} = ${column}`),
      await failureOf(gateway, `DELETE FROM ${table}`),
      await failureOf(gateway, `TRUNCATE ${table} CASCADE`),
      await failureOf(gateway, `DROP TABLE ${table} CASCADE`),
      await failureOf(gateway, `SELECT 1 FROM ${table} LIMIT 1`),
    ];
  }
  const expected = [DENIED, DENIED, DENIED, DENIED, DENIED, undefined];
  expect(outcomes).toEqual(Object.fromEntries(tables.map((table) => [table, expected])));
});

test("the gateway's role makes nothing, becomes nobody else, and runs nothing with the owner's rights", async () => {
  for (const statement of [
    "CREATE TABLE mine (one int)",
    "CREATE TEMP TABLE mine (one int)",
    "CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "CREATE SCHEMA mine",
    "CREATE ROLE mine",
    "SET ROLE berth_owner",
    "SET ROLE berth_actors",
    "SELECT pg_read_file('/etc/hostname')",
    "COPY wallets FROM PROGRAM 'true'",
    "SELECT make_event_partition(now() + interval '9 years')",
    "SELECT delete_expired_events(now(), 1000)",
    "SELECT fence('x', '{1}', '{1}')",
  ]) {
    expect([statement, await failureOf(gateway, statement)]).toEqual([statement, DENIED]);
  }
  const definers = await admin<{ name: string; may: boolean }[]>`
    SELECT oid::regprocedure::text AS name, has_function_privilege('berth_gateway', oid, 'EXECUTE') AS may
    FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef`;
  expect(definers.length).toBeGreaterThan(0);
  expect(definers.filter(({ may }) => may)).toEqual([]);
});

test("the gateway's role counts the connections of all, by which the doctor looks at them and at replicas", async () => {
  const others = (sql: postgres.Sql) => sql`
    SELECT 1 FROM pg_stat_activity WHERE backend_type = 'client backend' AND usename <> current_user`;
  await admin`SELECT 1`;
  expect((await others(gateway)).length).toBeGreaterThan(0);
  expect(await others(actors)).toHaveLength(0);
});

test("no role is a superuser, and the owner owns everything in the schema", async () => {
  const privileged = await admin`
    SELECT rolname FROM pg_roles WHERE rolname LIKE 'berth\\_%'
      AND (rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls)`;
  expect([...privileged]).toEqual([]);
  const foreign = await admin`
    SELECT oid::regclass::text AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relowner <> 'berth_owner'::regrole
    UNION ALL
    SELECT oid::regprocedure::text FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace AND proowner <> 'berth_owner'::regrole`;
  expect([...foreign]).toEqual([]);
});

test("a table that a later migration makes is the actors' to write and the gateway's to read, unasked", async () => {
  await owner`CREATE TABLE added_later (id serial PRIMARY KEY, one int)`;
  expect(await failureOf(actors, "INSERT INTO added_later (one) VALUES (1)")).toBeUndefined();
  expect(await failureOf(gateway, "SELECT * FROM added_later")).toBeUndefined();
  expect(await failureOf(gateway, "INSERT INTO added_later (one) VALUES (2)")).toBe(DENIED);
  expect(await failureOf(gateway, "SELECT nextval('added_later_id_seq')")).toBe(DENIED);
});

test("actor hosts keep the event log with a role that makes no table itself", async () => {
  expect(await failureOf(actors, "CREATE TABLE mine (one int)")).toBe(DENIED);
  expect(await failureOf(actors, "CREATE TEMP TABLE mine (one int)")).toBe(DENIED);
  expect(await failureOf(actors, "DROP TABLE events")).toBe(DENIED);
  const sql = openSql(urls.actors, { max: 1, name: "test" });
  try {
    await createPartition(sql, new Date("2035-02-03T00:00:00Z"));
    expect(await tablesOf()).toContain("events_2035_02");
    await countDay(sql, new Date());
    await deleteExpiredEvents(sql, new Date("2035-04-01T00:00:00Z"), 100);
    expect(await tablesOf()).not.toContain("events_2035_02");
  } finally {
    await sql.end({ timeout: 1 });
  }
});

test("an actor host's role finds a database with every migration, and says what to do about one without", async () => {
  expect(await migrate(urls.actors)).toEqual([]);
  const empty = await freshDatabase();
  try {
    const url = new URL(urls.actors);
    url.pathname = new URL(empty.url).pathname;
    const failure = await migrate(url.href).catch((error) => error);
    expect(failure).toBeInstanceOf(MigrationsMissingError);
    expect(failure.message).toContain("npm run berth -- migrate");
  } finally {
    await empty.drop();
  }
});

test("a connection that states no limit of a quota adds nothing that the quota counts", async () => {
  const REFUSED = "23514";
  const state = (quotas: object | string) =>
    actors`SELECT set_config('berth.quotas', ${typeof quotas === "string" ? quotas : JSON.stringify(quotas)}, false)`;
  const add = (n: number) =>
    failureOf(
      actors,
      `INSERT INTO projects (id, version, user_id, name, created_at, updated_at)
       VALUES ('${String(n).padStart(24, "0")}', 1, '${"a".repeat(24)}', 'project-${n}', now(), now())`,
    );
  // Nothing has been stated on this connection yet.
  expect(await add(1)).toBe(REFUSED);
  for (const quotas of [
    "",
    {},
    { containers_per_user: 5 },
    { projects_per_user: null },
    { projects_per_user: 0 },
  ]) {
    await state(quotas);
    expect([quotas, await add(1)]).toEqual([quotas, REFUSED]);
  }
  await state({ projects_per_user: 1 });
  expect([await add(1), await add(2)]).toEqual([undefined, REFUSED]);
  await state("");
});

test("each quota that the database enforces is one that actor hosts state", async () => {
  const enforced = await admin<{ quota: string }[]>`
    SELECT split_part(encode(tgargs, 'escape'), '\\000', 1) AS quota FROM pg_trigger
    WHERE tgfoid = 'enforce_quota'::regproc AND NOT tgisinternal`;
  const names = enforced.map(({ quota }) => quota);
  expect(names.length).toBeGreaterThan(8);
  expect(names.filter((name) => !QUOTA_NAMES.includes(name as never))).toEqual([]);
});

test("whether a role may write is told", async () => {
  for (const [url, may] of [
    [urls.gateway, false],
    [urls.actors, true],
    [database.url, true],
  ] as const) {
    const sql = openSql(url, { max: 1, name: "test" });
    expect(await mayWrite(sql)).toBe(may);
    await sql.end({ timeout: 1 });
  }
});
