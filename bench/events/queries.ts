import { countDay } from "../../actors/activity/event/queries.ts";
import type { Sql } from "../../actors/platform/db/sql.ts";

/** What the log of one user, and of those beside them, is made of. */
export const USER = "a".repeat(24);
export const PROJECTS = 5;
export const CONTAINERS = 50;
export const DAYS = 90;

export const projectId = (i: number) => `b${String(i).padStart(23, "0")}`;
export const containerId = (i: number) => `c${String(i).padStart(23, "0")}`;

/** Types by how often they are: money most of all, a few hardly ever. */
const TYPES = [
  ...Array<string>(60).fill("user.credit_transferred"),
  ...Array<string>(20).fill("container.running"),
  ...Array<string>(10).fill("firewall.rule_added"),
  ...Array<string>(5).fill("container.stopped"),
  ...Array<string>(4).fill("user.logged_in"),
  "proxy_alias.created",
];

/** Events evenly over the last 90 days: so many of one user, and as many of a thousand others; then their days are counted. */
export async function seedEvents(db: Sql, ofUser: number, ofOthers: number): Promise<void> {
  for (let month = 0; month <= DAYS / 28 + 1; month++) {
    await db`SELECT make_event_partition(now() - ${month} * interval '28 days')`;
  }
  const insert = (first: number, n: number, user: ReturnType<Sql>) => db`
    INSERT INTO events
      (id, event_type, resource_type, resource_id, user_id, project_id, container_id, realm_id, data, created_at)
    SELECT lpad(to_hex(${first}::int + i), 24, '0'), type, split_part(type, '.', 1),
      CASE WHEN type LIKE 'user.%' THEN user_id ELSE 'c' || lpad((i % ${CONTAINERS})::text, 23, '0') END, user_id,
      CASE WHEN type NOT LIKE 'user.%' THEN 'b' || lpad((i % ${PROJECTS})::text, 23, '0') END,
      CASE WHEN type NOT LIKE 'user.%' THEN 'c' || lpad((i % ${CONTAINERS})::text, 23, '0') END,
      CASE WHEN type NOT LIKE 'user.%' THEN 'b' || lpad((i % ${PROJECTS})::text, 23, '0') END,
      jsonb_build_object('gross', '0.20', 'fee', '0.01', 'transaction_id', md5(i::text)),
      now() - (i::float8 / ${n}) * ${DAYS} * interval '1 day'
    FROM (
      SELECT i, ${user} AS user_id,
        -- One in twenty thousand is of the rarest type.
        CASE WHEN i % 20000 = 7 THEN 'auth_token.created' ELSE (${TYPES}::text[])[1 + (i::bigint * 7919) % ${TYPES.length}] END AS type
      FROM generate_series(1, ${n}::int) i
    ) made`;
  await insert(0, ofUser, db`${USER}::text`);
  await insert(ofUser, ofOthers, db`'d' || lpad((i % 1000)::text, 23, '0')`);
  await db`UPDATE event_counts_until SET day = (SELECT date_trunc('day', min(created_at), 'UTC') FROM events)`;
  while (await countDay(db, new Date(Date.now() - 3_600_000)));
  await db`VACUUM ANALYZE`;
}

/** A deletion whose rows are still there. */
export async function beginErasure(db: Sql): Promise<void> {
  await db`INSERT INTO event_logs (id, version, updated_at) VALUES (${USER}, 1, now())`;
  await db`
    INSERT INTO event_erasures (id, user_id, event_type, before, created_at)
    VALUES ('erasure', ${USER}, 'container.stopped', now(), now())`;
}

export async function explain(db: Sql, text: string, parameters: never[]): Promise<string> {
  const rows = await db.unsafe(`EXPLAIN (ANALYZE, COSTS OFF, BUFFERS) ${text}`, parameters);
  return rows.map((row) => row["QUERY PLAN"]).join("\n");
}

export async function postgresVersion(db: Sql): Promise<string> {
  const [row] = await db<{ version: string }[]>`SELECT current_setting('server_version') AS version`;
  return row?.version ?? "unknown";
}

/** The same events in one table, with the indexes that it had before there were months. */
export async function seedPlain(db: Sql): Promise<void> {
  await db`CREATE TABLE events_plain AS SELECT * FROM events`;
  await db`ALTER TABLE events_plain ADD PRIMARY KEY (id)`;
  await db`CREATE INDEX ON events_plain (user_id, created_at DESC, id DESC)`;
  await db`CREATE INDEX ON events_plain (resource_id, created_at DESC, id DESC)`;
  await db`VACUUM ANALYZE events_plain`;
}

/** Writes so many events of users in turn, in one statement, as a commit does. Milliseconds. */
export async function writeEvents(db: Sql, table: "events" | "events_plain", rows: number): Promise<number> {
  const began = performance.now();
  await db`
    INSERT INTO ${db(table)}
      (id, event_type, resource_type, resource_id, user_id, project_id, container_id, realm_id, data, created_at)
    SELECT md5(random()::text), 'user.credit_transferred', 'user', user_id, user_id, NULL, NULL, NULL,
      '{"fee": "0.01", "gross": "0.20"}', now()
    FROM (SELECT 'e' || lpad((i % 64)::text, 23, '0') AS user_id FROM generate_series(1, ${rows}::int) i) made`;
  return performance.now() - began;
}
