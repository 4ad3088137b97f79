import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { openSql } from "./sql.ts";

const FOLDER = join(import.meta.dirname, "migrations");
/** Any number that no other advisory lock of this database uses. */
const MIGRATION_LOCK = 0x6265_7274;

/**
 * Brings the database at `url` to the newest migration. Each file runs once, in the order of its name, in a transaction
 * of its own. Hosts that start together wait for each other.
 * @returns the names that were applied.
 * @throws Error when a file that already ran has been edited since.
 */
export async function migrate(url: string): Promise<string[]> {
  const sql = openSql(url, { max: 1, name: "berth-migrate", session: { statement_timeout: "0" } });
  try {
    await sql`SELECT pg_advisory_lock(${MIGRATION_LOCK})`;
    await sql`CREATE TABLE IF NOT EXISTS migrations (
      name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`;
    const ran = new Map(
      (await sql`SELECT name, sha256 FROM migrations`).map((row) => [row.name, row.sha256]),
    );
    const applied: string[] = [];
    for (const name of (await readdir(FOLDER)).filter((file) => file.endsWith(".sql")).sort()) {
      const text = await readFile(join(FOLDER, name), "utf8");
      const sha256 = createHash("sha256").update(text).digest("hex");
      if (ran.has(name)) {
        if (ran.get(name) !== sha256) throw new Error(`migration ${name} was edited after it ran`);
        continue;
      }
      await sql.begin(async (tx) => {
        await tx.unsafe(text);
        await tx`INSERT INTO migrations (name, sha256) VALUES (${name}, ${sha256})`;
      });
      applied.push(name);
    }
    if (applied.length > 0) await sql`SELECT generate_commit()`;
    return applied;
  } finally {
    // The session ends with its pool, and the advisory lock with the session.
    await sql.end({ timeout: 5 });
  }
}
