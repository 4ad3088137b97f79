import { openSql, type Sql } from "./sql.ts";
import { listTables, quoteName, type Table } from "./tables.ts";

/** What a dump of the database has. */
export interface DatabaseDump {
  /** Of PostgreSQL. */
  readonly server_version: string;
  readonly migrations: readonly { readonly name: string; readonly sha256: string }[];
  /** The months of the event log that have a partition, each by its first moment. */
  readonly event_months: readonly string[];
  readonly tables: readonly DumpedTable[];
}

export interface DumpedTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: number;
}

/** Takes the rows of one table, each a line: a JSON array of the columns' values in PostgreSQL's own text form. */
export type TableWriter = (table: string, lines: AsyncIterable<string>) => Promise<void>;

/** Of a session that copies a whole database: it waits for a disk, and has no limit. */
export const UNLIMITED = { statement_timeout: "0", idle_in_transaction_session_timeout: "0" };

/** Rows may have images of half a megabyte. */
const ROWS_IN_MEMORY_MAX = 200;

/** Some roles see no sequences, and months are named by their table alone. */
const MONTH_TABLE = /^events_(\d{4})_(\d{2})$/;

/**
 * Reads every table of the database at `url` in one snapshot: what is committed meanwhile is in none of them. Nothing waits
 * for it. It takes a role that may read.
 */
export async function dumpDatabase(url: string, write: TableWriter): Promise<DatabaseDump> {
  const sql = openSql(url, { max: 1, name: "berth-backup", session: UNLIMITED });
  try {
    const dump = await sql.begin("ISOLATION LEVEL REPEATABLE READ READ ONLY", async (tx) => {
      const snapshot = tx as unknown as Sql;
      const tables: DumpedTable[] = [];
      for (const table of await listTables(snapshot)) tables.push(await dumpTable(snapshot, table, write));
      return { ...(await readVersions(snapshot)), tables };
    });
    return dump as DatabaseDump;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

async function readVersions(sql: Sql): Promise<Omit<DatabaseDump, "tables">> {
  const [server] = await sql<{ server_version: string }[]>`SHOW server_version`;
  const migrations = await sql<{ name: string; sha256: string }[]>`
    SELECT name, sha256 FROM migrations ORDER BY name`;
  const partitions = await sql<{ name: string }[]>`
    SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = to_regclass('events') ORDER BY 1`;
  return {
    server_version: server?.server_version ?? "",
    migrations: migrations.map(({ name, sha256 }) => ({ name, sha256 })),
    event_months: partitions.flatMap(({ name }) => {
      const [, year, month] = MONTH_TABLE.exec(name) ?? [];
      return year === undefined ? [] : [`${year}-${month}-01T00:00:00Z`];
    }),
  };
}

async function dumpTable(sql: Sql, table: Table, write: TableWriter): Promise<DumpedTable> {
  const { name, columns } = table;
  let rows = 0;
  const values = columns.map((column) => `${quoteName(column)}::text`).join(", ");
  async function* lines(): AsyncGenerator<string> {
    const statement = `SELECT json_build_array(${values})::text AS line FROM ${quoteName(name)}`;
    for await (const batch of sql.unsafe<{ line: string }[]>(statement).cursor(ROWS_IN_MEMORY_MAX)) {
      rows += batch.length;
      yield `${batch.map(({ line }) => line).join("\n")}\n`;
    }
  }
  await write(name, lines());
  return { name, columns, rows };
}
