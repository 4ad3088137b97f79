import { loadavg } from "node:os";
import postgres from "postgres";
import { type EventPage, listEvents, readEvent, readEventStats } from "../actors/activity/event/queries.ts";
import { migrate } from "../actors/platform/db/migrate.ts";
import { openSql, type Sql } from "../actors/platform/db/sql.ts";
import { startOwnPostgres } from "../test/harness/servers.ts";
import type { Benchmark, Report, RunOptions } from "./benchmark.ts";
import { cpuSeconds } from "./cpu.ts";
import {
  beginErasure,
  CONTAINERS,
  containerId,
  DAYS,
  explain,
  PROJECTS,
  postgresVersion,
  projectId,
  seedEvents,
  seedPlain,
  USER,
  writeEvents,
} from "./events/queries.ts";
import { quantile } from "./statistics.ts";

const EVENTS = 1_000_000;
const EVENTS_OF_OTHERS = 200_000;
const CALLS_MIN = 20;
const LIMIT_MS = 50;
/** What a commit of a busy lane brings. */
const WRITTEN_AT_ONCE = 50;
const WRITES = 1_000;
const DAY_MS = 24 * 60 * 60 * 1000;

type Ask = (db: Sql) => Promise<unknown>;

/** Every way of asking for the log of a user who has a million events. */
export const events: Benchmark = {
  summary: "lists and statistics of a log of a million events, at the database",
  async run({ rounds, say }: RunOptions): Promise<Report> {
    const server = await startOwnPostgres({ durable: true });
    await migrate(server.url);
    // Writing a million rows takes longer than any statement of Berth's may.
    const db = openSql(server.url, { max: 4, name: "bench", session: { statement_timeout: "0" } });
    say(`writing ${EVENTS + EVENTS_OF_OTHERS} events`);
    await seedEvents(db, EVENTS, EVENTS_OF_OTHERS);

    const timed = async (asks: Record<string, Ask>) => {
      const rows: string[][] = [];
      for (const [name, ask] of Object.entries(asks)) {
        const calls = rounds * CALLS_MIN;
        for (let i = 0; i < 5; i++) await ask(db);
        const cpuBefore = cpuSeconds(server.pid);
        const ms = await time(db, ask, calls);
        const cpuMs = ((cpuSeconds(server.pid) - cpuBefore) * 1_000) / calls;
        rows.push([name, cpuMs.toFixed(1), ...[0.5, 0.95, 1].map((part) => quantile(ms, part).toFixed(1))]);
        say(`${name}: ${rows.at(-1)?.slice(1).join(", ")} ms`);
      }
      return rows;
    };
    const asked = await timed(ASKS);
    const slow = asked.filter(([, , , p95]) => Number(p95) >= LIMIT_MS).map(([name]) => name);
    const plans = await plansOf(server.url, ASKS);
    say("writing events by the batch");
    const writes = await compareWrites(db);
    await beginErasure(db);
    const erasing = await timed({
      "a page": ASKS["newest page"] as Ask,
      statistics: ASKS["statistics of everything"] as Ask,
    });

    const version = await postgresVersion(db);
    await db.end({ timeout: 5 });
    await server.stop();
    const heading = ["", "CPU ms a call", "p50 ms", "p95 ms", "longest ms"];
    return {
      files: { "events-plans.txt": plans },
      method: [
        `${EVENTS.toLocaleString("en")} events of one user, evenly over ${DAYS} days, on ${PROJECTS} projects and ${CONTAINERS} containers, and ${EVENTS_OF_OTHERS.toLocaleString("en")} of a thousand others, on a PostgreSQL with fsync on; then VACUUM ANALYZE.`,
        `Each call is the gateway's own function, with all of its statements, ${rounds * CALLS_MIN} times one after another, and five times before that uncounted. The CPU is that of all of PostgreSQL's processes. Times are from the first statement sent to the last row read, in one process beside the database.`,
        "The plan of every statement, with its buffers, is in `events-plans.txt`.",
      ],
      series: [],
      tables: [
        {
          title: "What is asked of a log of a million events",
          rows: [heading, ...asked],
          notes: [
            slow.length === 0
              ? `19 of 20 calls of each kind took less than ${LIMIT_MS} ms.`
              : `Of these more than one call in 20 took ${LIMIT_MS} ms or more: ${slow.join("; ")}.`,
            `Other work ran on the machine: its load was ${loadavg()
              .map((load) => load.toFixed(1))
              .join(", ")} at the end. The CPU that PostgreSQL took for a call hardly depends on it.`,
          ],
        },
        {
          title: "While the rows of a deletion (one event in twenty) are still there",
          rows: [heading, ...erasing],
          notes: [
            "Counts by day do not help then: every row that is left is counted. It lasts until the rows are gone.",
          ],
        },
        {
          title: "Writing",
          rows: [
            ["", "p50 ms", "p95 ms"],
            ...Object.entries(writes).map(([name, ms]) => [
              name,
              ...[0.5, 0.95].map((part) => quantile(ms, part).toFixed(2)),
            ]),
          ],
          notes: [
            `${WRITTEN_AT_ONCE} events of wallets in one statement, ${WRITES} times, each way in turn.`,
          ],
        },
      ],
      versions: { PostgreSQL: version },
    };
  },
};

const list =
  (page: Partial<EventPage>): Ask =>
  (db) =>
    listEvents(db, USER, { limit: 100, offset: 0, sortBy: "created_at", sortOrder: "desc", ...page });
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);

const ASKS: Record<string, Ask> = {
  "newest page": list({}),
  "newest page of 500": list({ limit: 500 }),
  "oldest page": list({ sortOrder: "asc" }),
  "offset 10,000": list({ offset: 10_000 }),
  "offset 500,000": list({ offset: 500_000 }),
  "offset 999,900": list({ offset: 999_900 }),
  "offset 999,900, oldest first": list({ offset: 999_900, sortOrder: "asc" }),
  "a type that 60 % are of": list({ eventType: "user.credit_transferred" }),
  "a type that 60 % are of, offset 300,000": list({ eventType: "user.credit_transferred", offset: 300_000 }),
  "a type that 50 events are of": list({ eventType: "auth_token.created" }),
  "a type that there is none of": list({ eventType: "pool.created" }),
  "a resource type of two types": list({ resourceType: "container" }),
  "a resource type, offset 100,000, page of 500": list({
    resourceType: "container",
    offset: 100_000,
    limit: 500,
  }),
  "a resource type that 50 events are of": list({ resourceType: "auth_token" }),
  "a resource (a container)": list({ resourceId: containerId(7) }),
  "a resource that 64 % are of": list({ resourceId: USER }),
  "a resource that 64 % are of, offset 9,900": list({ resourceId: USER, offset: 9_900 }),
  "a resource that there is none of": list({ resourceId: "f".repeat(24) }),
  "a project": list({ projectId: projectId(3) }),
  "a project, offset 50,000": list({ projectId: projectId(3), offset: 50_000 }),
  "a realm and a type": list({ realmId: projectId(3), eventType: "container.stopped" }),
  "a realm and a rare type": list({ realmId: projectId(1), eventType: "auth_token.created" }),
  "a container": list({ containerId: containerId(7) }),
  "a container and a type": list({ containerId: containerId(7), eventType: "container.stopped" }),
  "a month": list({ start: daysAgo(61.3), end: daysAgo(31.7) }),
  "a month of a type, oldest first": list({
    start: daysAgo(61.3),
    end: daysAgo(31.7),
    eventType: "container.running",
    sortOrder: "asc",
  }),
  "an hour": list({ start: daysAgo(40), end: daysAgo(39.96) }),
  "by type": list({ sortBy: "event_type" }),
  "by type, oldest first, page of 500": list({ sortBy: "event_type", sortOrder: "asc", limit: 500 }),
  "by type, offset 600,000": list({ sortBy: "event_type", offset: 600_000 }),
  "by type, a resource": list({ sortBy: "event_type", resourceId: containerId(7) }),
  "one event": (db) => readEvent(db, USER, "7a120".padStart(24, "0")),
  "statistics of everything": (db) => readEventStats(db, USER, {}),
  "statistics of a month": (db) => readEventStats(db, USER, { start: daysAgo(61.3), end: daysAgo(31.7) }),
  "statistics of a realm": (db) => readEventStats(db, USER, { realmId: projectId(3) }),
  "statistics of a realm's week": (db) =>
    readEventStats(db, USER, { realmId: projectId(3), start: daysAgo(20.5), end: daysAgo(13.5) }),
};

/** The table as it is, and as it was, in turn. */
async function compareWrites(db: Sql): Promise<Record<string, number[]>> {
  await seedPlain(db);
  const months: number[] = [];
  const plain: number[] = [];
  for (let i = 0; i < WRITES; i++) {
    months.push(await writeEvents(db, "events", WRITTEN_AT_ONCE));
    plain.push(await writeEvents(db, "events_plain", WRITTEN_AT_ONCE));
  }
  const sorted = (ms: number[]) => ms.slice(WRITES / 10).sort((a, b) => a - b);
  return { "a partition a month": sorted(months), "one table, as before": sorted(plain) };
}

async function time(db: Sql, ask: Ask, calls: number): Promise<number[]> {
  const ms: number[] = [];
  for (let i = 0; i < calls; i++) {
    const began = performance.now();
    await ask(db);
    ms.push(performance.now() - began);
  }
  return ms.sort((a, b) => a - b);
}

/** The statements of each call, explained as they ran. */
async function plansOf(url: string, asks: Record<string, Ask>): Promise<string> {
  const sent: { text: string; parameters: unknown[] }[] = [];
  const watched = postgres(url, {
    max: 1,
    types: { bigint: postgres.BigInt },
    connection: { jit: "off" },
    debug: (_connection, text, parameters) => sent.push({ text, parameters }),
  }) as Sql;
  const db = openSql(url, { max: 1, name: "explain" });
  const parts: string[] = [];
  for (const [name, ask] of Object.entries(asks)) {
    await ask(watched);
    for (const { text, parameters } of sent.splice(0)) {
      // The driver asks for the types that there are.
      if (text.includes("pg_catalog")) continue;
      const statement = text.replace(/\s+/g, " ").trim();
      parts.push(`== ${name}\n${statement}\n${await explain(db, text, parameters as never[])}\n`);
    }
  }
  await watched.end({ timeout: 5 });
  await db.end({ timeout: 5 });
  return parts.join("\n");
}
