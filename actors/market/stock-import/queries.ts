import type { Sql } from "../../platform/db/sql.ts";

/** The digest of an import's file; undefined if there was no such import. */
export async function readImportDigest(db: Sql, id: string): Promise<string | undefined> {
  const [row] = await db<{ digest: string }[]>`SELECT digest FROM stock_imports WHERE id = ${id}`;
  return row?.digest;
}
