import { type DatabaseDump, UNLIMITED } from "./dump.ts";
import { migrate } from "./migrate.ts";
import { openSql, type Sql } from "./sql.ts";
import { listTables, quoteName, type Table } from "./tables.ts";

/** The lines of one table, as a dump wrote them. */
export type TableReader = (table: string) => AsyncIterable<string>;

/** A dump that this database or this version of Berth cannot take. The message says why. */
export class LoadError extends Error {
  override readonly name = "LoadError";
}

/** A statement takes so many rows, or so many characters: images in rows are large. */
const ROWS_MAX = 1_000;
const CHARACTERS_MAX = 4_000_000;

/**
 * Fills the empty database at `url` from a dump: with the schema that the dump was made of, then its rows in one transaction, then the
 * migrations that are newer. It takes the role that owns the schema.
 *
 * @throws LoadError when the database is not empty, or the dump does not fit
 */
export async function loadDatabase(url: string, dump: DatabaseDump, read: TableReader): Promise<void> {
  const sql = openSql(url, { max: 1, name: "berth-restore", session: UNLIMITED });
  try {
    await requireEmpty(sql);
    await migrate(url, { only: new Set(dump.migrations.map(({ name }) => name)) });
    await requireSameSchema(sql, dump);
    await sql.begin((tx) => loadRows(tx as unknown as Sql, dump, read));
    await migrate(url);
    await sql`ANALYZE`;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** @throws LoadError */
export async function requireEmptyDatabase(url: string): Promise<void> {
  const sql = openSql(url, { max: 1, name: "berth-restore" });
  try {
    await requireEmpty(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

async function requireEmpty(sql: Sql): Promise<void> {
  const [found] = await sql<{ name: string }[]>`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'S') ORDER BY relname LIMIT 1`;
  if (found === undefined) return;
  throw new LoadError(`the database is not empty (it has ${found.name}): restore into a new one`);
}

async function requireSameSchema(sql: Sql, { migrations }: DatabaseDump): Promise<void> {
  const ran = await sql<{ name: string; sha256: string }[]>`SELECT name, sha256 FROM migrations`;
  const known = new Map(ran.map(({ name, sha256 }) => [name, sha256]));
  const other = migrations.find(({ name, sha256 }) => known.get(name) !== sha256);
  if (other === undefined) return;
  const reason = known.has(other.name) ? "has another text here" : "is not known here";
  throw new LoadError(`the backup's migration ${other.name} ${reason}: use the version that made the backup`);
}

async function loadRows(sql: Sql, dump: DatabaseDump, read: TableReader): Promise<void> {
  const tables = await listTables(sql);
  // Triggers would count quotas and make rows that the dump has. Keys between tables are checked as ever.
  for (const { name } of tables) await sql.unsafe(`ALTER TABLE ${quoteName(name)} DISABLE TRIGGER USER`);
  // Migrations make a few rows themselves.
  await sql.unsafe(`TRUNCATE ${tables.map(({ name }) => quoteName(name)).join(", ")}`);
  for (const month of dump.event_months) await sql`SELECT make_event_partition(${month}::timestamptz)`;
  for (const table of tables) await loadTable(sql, table, dump, read);
  await releaseLeases(sql);
  for (const { name } of tables) await sql.unsafe(`ALTER TABLE ${quoteName(name)} ENABLE TRIGGER USER`);
}

async function loadTable(sql: Sql, table: Table, dump: DatabaseDump, read: TableReader): Promise<void> {
  const dumped = dump.tables.find(({ name }) => name === table.name);
  if (dumped === undefined) throw new LoadError(`the backup has no table ${table.name}`);
  if (dumped.columns.join() !== table.columns.join())
    throw new LoadError(`the backup's table ${table.name} has other columns`);
  const names = table.columns.map(quoteName).join(", ");
  const values = table.types.map((type, at) => `(line ->> ${at})::${type}`).join(", ");
  const insert = `INSERT INTO ${quoteName(table.name)} (${names}) OVERRIDING SYSTEM VALUE
    SELECT ${values} FROM json_array_elements($1::text::json) line`;
  let rows = 0;
  for await (const batch of batches(read(table.name))) {
    await sql.unsafe(insert, [`[${batch.join(",")}]`]);
    rows += batch.length;
  }
  if (rows !== dumped.rows)
    throw new LoadError(`the backup's table ${table.name} has ${rows} rows, and ${dumped.rows} are listed`);
  await moveSequencesOn(sql, table);
}

async function* batches(lines: AsyncIterable<string>): AsyncGenerator<string[]> {
  let batch: string[] = [];
  let characters = 0;
  for await (const line of lines) {
    batch.push(line);
    characters += line.length;
    if (batch.length < ROWS_MAX && characters < CHARACTERS_MAX) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}

/** New rows get numbers that no row has. */
async function moveSequencesOn(sql: Sql, { name, columns }: Table): Promise<void> {
  for (const column of columns) {
    const [found] = await sql<{ sequence: string | null }[]>`
      SELECT pg_get_serial_sequence(${quoteName(name)}, ${column}) AS sequence`;
    if (!found?.sequence) continue;
    await sql`SELECT setval(${found.sequence}, coalesce((SELECT max(${sql(column)}) FROM ${sql(name)}), 0) + 1, false)`;
  }
}

/** An actor host that still runs on the former database must not commit to this one by a lease that the backup has. */
async function releaseLeases(sql: Sql): Promise<void> {
  await sql`UPDATE leases SET owner = NULL, expires_at = '-infinity', timeline = NULL, epoch = epoch + 1`;
  await sql`DELETE FROM hosts`;
}
