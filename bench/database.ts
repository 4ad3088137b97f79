import { openSql, type Sql } from "../actors/platform/db/sql.ts";
import type { RunningServer } from "../scripts/servers/server.ts";
import { SetupError } from "../scripts/setup-error.ts";
import { createDatabase, readDurability } from "./wallet/queries.ts";

async function withSql<T>(server: RunningServer, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = openSql(server.url, { max: 1, name: "bench" });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** A database of its own. @returns its URL */
export async function newDatabase(server: RunningServer, name: string): Promise<string> {
  const url = new URL(server.url);
  await withSql(server, (sql) => createDatabase(sql, name));
  url.pathname = `/${name}`;
  return url.href;
}

/** @throws SetupError when what it acknowledges may be lost: a benchmark of that would be a lie. */
export async function postgresVersion(server: RunningServer): Promise<string> {
  const { version, isDurable } = await withSql(server, readDurability);
  if (!isDurable) throw new SetupError("PostgreSQL is not durable: what it acknowledges may be lost");
  return version;
}
