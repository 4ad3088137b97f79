import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { archiveEvents } from "../actors/activity/event/archive/archive.ts";
import { migrate } from "../actors/platform/db/migrate.ts";
import { openSql } from "../actors/platform/db/sql.ts";
import { startOwnPostgres, temporaryFolder } from "../test/harness/servers.ts";
import type { Benchmark, Report, RunOptions } from "./benchmark.ts";
import { postgresVersion } from "./events/queries.ts";
import { readIndexSizes, readTableSizes, type TableSize, vacuum, writeYear } from "./year/queries.ts";
import {
  AUDIT_ENTRIES_A_MONTH,
  EXTENSIONS_A_MONTH,
  KEPT_DAYS,
  RATES,
  SHARE,
  USERS,
  USERS_PER_WEBHOOK,
  WRITTEN_USERS,
} from "./year/rates.ts";

const INDEXES_MAX = 12;

/** What a year of a thousand users takes on the disk. */
export const year: Benchmark = {
  summary: "the disk that a year of a thousand users takes, by table and index",
  async run({ say }: RunOptions): Promise<Report> {
    const server = await startOwnPostgres({ durable: true });
    await migrate(server.url);
    // Writing a year takes longer than any statement of Berth's may.
    const db = openSql(server.url, { max: 1, name: "bench", session: { statement_timeout: "0" } });
    await vacuum(db);
    const empty = new Map((await readTableSizes(db)).map((table) => [table.name, table]));
    await writeYear(db, say);
    await vacuum(db);
    const tables = (await readTableSizes(db))
      .map((table) => grown(table, empty.get(table.name)))
      // The inboxes themselves do not grow with time.
      .filter(({ rows }) => rows > WRITTEN_USERS);
    const indexes = (await readIndexSizes(db)).slice(0, INDEXES_MAX);
    say("writing the archive");
    const folder = join(temporaryFolder(), "archive");
    mkdirSync(folder);
    const archived = await archiveEvents(
      { databaseUrl: server.url, folder },
      new Date(),
      new AbortController().signal,
    );
    const archiveBytes = sum(readdirSync(folder).map((name) => statSync(join(folder, name)).size));
    const version = await postgresVersion(db);
    await db.end({ timeout: 5 });
    await server.stop();

    const total = {
      ...{ name: "**all**", rows: sum(tables.map(({ rows }) => rows)) },
      tableBytes: sum(tables.map(({ tableBytes }) => tableBytes)),
      indexBytes: sum(tables.map(({ indexBytes }) => indexBytes)),
    };
    return {
      method: [
        `A user and day: ${RATES.transfers} transfers to AI credit, ${RATES.keyedChanges} changes under keys of the client and ${RATES.mintedChanges} without, ${RATES.signIns} sign-ins, ${RATES.notifications} notification. A user and month: ${EXTENSIONS_A_MONTH} extended rental with its invoice, ${AUDIT_ENTRIES_A_MONTH} entries of the audit log. One user in ${USERS_PER_WEBHOOK} has a webhook for all events.`,
        `${WRITTEN_USERS} of ${USERS.toLocaleString("en")} users (1/${SHARE}) were written, over the whole year, in the order of time, through the tables with their indexes and checks, on a PostgreSQL of its own; days of events were counted by Berth's own function. Then VACUUM ANALYZE.`,
        `Of minted receipts and the outbox the last day was written, of deliveries the last ${KEPT_DAYS.deliveries} days: older ones are deleted by default. Nothing else was deleted.`,
        `Bytes are those of PostgreSQL's files, without what an empty database has, times ${SHARE}. Tables that do not grow with time (accounts, containers, rules) are not in it, nor is the WAL, and PostgreSQL needs room for dead rows beside it: plan twice the sum.`,
        "The archive was written by the program's own function, and its files were counted.",
      ],
      series: [],
      tables: [
        {
          title: `A year of ${USERS.toLocaleString("en")} users`,
          rows: [
            ["table", "rows", "table MB", "indexes MB", "together MB", "bytes a row"],
            ...[...tables, total].map(toRow),
          ],
          notes: [
            `Each user takes ${megabytes((total.tableBytes + total.indexBytes) / WRITTEN_USERS)} MB a year.`,
            `The archive of the year's ${(archived * SHARE).toLocaleString("en")} events takes ${megabytes(archiveBytes * SHARE)} MB, ${(archiveBytes / archived).toFixed(0)} bytes an event. The ids of ${WRITTEN_USERS} users compress better than those of ${USERS.toLocaleString("en")} would.`,
          ],
        },
        {
          title: `The ${INDEXES_MAX} largest indexes`,
          rows: [
            ["index", "of", "MB"],
            ...indexes.map(({ name, table, bytes }) => [name, table, megabytes(bytes * SHARE)]),
          ],
          notes: [],
        },
      ],
      versions: { PostgreSQL: version },
    };
  },
};

const grown = (table: TableSize, empty: TableSize | undefined): TableSize => ({
  name: table.name,
  rows: table.rows - (empty?.rows ?? 0),
  tableBytes: table.tableBytes - (empty?.tableBytes ?? 0),
  indexBytes: table.indexBytes - (empty?.indexBytes ?? 0),
});

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);
const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);

function toRow({ name, rows, tableBytes, indexBytes }: TableSize): string[] {
  const bytes = tableBytes + indexBytes;
  return [
    name,
    Math.round(rows * SHARE).toLocaleString("en"),
    ...[tableBytes, indexBytes, bytes].map((one) => megabytes(one * SHARE)),
    (bytes / rows).toFixed(0),
  ];
}
