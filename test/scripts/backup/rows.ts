import { openSql, type Sql } from "../../../actors/platform/db/sql.ts";
import { listTables, quoteName } from "../../../actors/platform/db/tables.ts";

/** Leases and hosts are of the processes that ran: a restore ends them. */
const OF_PROCESSES = ["leases", "hosts"];

/** Every row of a database, by table, in PostgreSQL's own text form; generated columns included. */
export async function rowsOf(url: string): Promise<Record<string, string[]>> {
  const sql: Sql = openSql(url, { max: 1, name: "rows" });
  try {
    const rows: Record<string, string[]> = {};
    for (const { name } of await listTables(sql)) {
      if (OF_PROCESSES.includes(name)) continue;
      const found = await sql.unsafe<{ text: string }[]>(
        `SELECT t::text AS text FROM ${quoteName(name)} t ORDER BY t::text`,
      );
      rows[name] = found.map(({ text }) => text);
    }
    return rows;
  } finally {
    await sql.end();
  }
}
