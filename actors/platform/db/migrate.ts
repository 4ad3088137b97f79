import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { TransactionSql } from "postgres";
import { openSql, type Sql } from "./sql.ts";

const FOLDER = join(import.meta.dirname, "migrations");
/** An arbitrary number for the advisory lock; no other lock of the database uses it. */
const MIGRATION_LOCK = 0x6265_7274;

/** A migration, read from its file. */
interface Migration {
  readonly name: string;
  readonly text: string;
  readonly sha256: string;
}

/** The database lacks migrations, and the role that connected may not run them. */
export class MigrationsMissingError extends Error {
  override readonly name = "MigrationsMissingError";
}

/**
 * Brings the database at `url` to the newest migration. Each file runs once, in the order of its name, in a
 * transaction of its own. Hosts that start together wait for each other. A role that does not own the schema may call
 * it too, if no migration is missing.
 * @param options.only runs no others: the schema of an earlier version, whose backup is restored
 * @returns the names that were applied.
 * @throws Error when a file that already ran has been edited since.
 * @throws MigrationsMissingError
 */
export async function migrate(
  url: string,
  { only }: { readonly only?: ReadonlySet<string> } = {},
): Promise<string[]> {
  const sql = openSql(url, { max: 1, name: "berth-migrate", session: { statement_timeout: "0" } });
  try {
    await sql`SELECT pg_advisory_lock(${MIGRATION_LOCK})`;
    const missing = (await readMissing(sql)).filter(({ name }) => only?.has(name) ?? true);
    if (missing.length === 0) return [];
    await refuseWithoutRight(sql, missing);
    await sql`CREATE TABLE IF NOT EXISTS migrations (
      name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`;
    // The last commit alone waits for the disk, which then has those before as well.
    await sql`SET synchronous_commit = off`;
    for (const migration of missing) {
      const isLast = migration === missing.at(-1);
      if (isLast) await sql`SET synchronous_commit TO DEFAULT`;
      await sql.begin((tx) => apply(tx, migration, isLast));
    }
    return missing.map(({ name }) => name);
  } finally {
    // Closing the pool ends the session, which releases the advisory lock.
    await sql.end({ timeout: 5 });
  }
}

/** @param isLast whether what depends on the whole schema is made too: whoever finds the last migration finds that as well */
async function apply(tx: TransactionSql, { name, text, sha256 }: Migration, isLast: boolean): Promise<void> {
  await tx.unsafe(text);
  await tx`INSERT INTO migrations (name, sha256) VALUES (${name}, ${sha256})`;
  if (!isLast) return;
  await tx`SELECT generate_commit()`;
  await withholdDefinerFunctions(tx);
}

/** The migrations that this version has, in their order. */
export async function migrationNames(): Promise<string[]> {
  return (await readdir(FOLDER)).filter((file) => file.endsWith(".sql")).sort();
}

/** The migrations that the database lacks. @throws Error when it was made by another line of versions */
export async function readMissing(sql: Sql): Promise<Migration[]> {
  const [known] = await sql<{ exists: boolean }[]>`SELECT to_regclass('migrations') IS NOT NULL AS exists`;
  const rows = known?.exists ? await sql`SELECT name, sha256 FROM migrations` : [];
  const ran = new Map(rows.map((row) => [row.name, row.sha256]));
  const missing: Migration[] = [];
  const unknown = new Set<string>(ran.keys());
  for (const name of await migrationNames()) {
    const text = await readFile(join(FOLDER, name), "utf8");
    unknown.delete(name);
    const sha256 = createHash("sha256").update(text).digest("hex");
    if (!ran.has(name)) missing.push({ name, text, sha256 });
    else if (ran.get(name) !== sha256) throw new Error(`migration ${name} was edited after it ran`);
  }
  // An older host may run beside newer migrations. A host that also lacks migrations comes from another branch of the
  // history.
  if (missing.length > 0 && unknown.size > 0) {
    throw new Error(
      `the database has migrations that this version does not know (the first is ${[...unknown].sort()[0]}) and lacks ` +
        `${missing[0]?.name}: it was made by another line of versions and cannot be brought to this one`,
    );
  }
  return missing;
}

async function refuseWithoutRight(sql: Sql, missing: readonly Migration[]): Promise<void> {
  const [role] = await sql<{ name: string; may: boolean }[]>`
    SELECT current_user AS name, has_schema_privilege('public', 'CREATE') AS may`;
  if (role?.may) return;
  throw new MigrationsMissingError(
    `the database lacks ${missing.length} migrations (the first is ${missing[0]?.name}) and the role ${role?.name} may not run them: ` +
      "run `npm run berth -- migrate` with the owner's URL in BERTH_OWNER_DATABASE_URL",
  );
}

/** A function that runs with its owner's rights is only for the roles to which it is granted, not for PUBLIC. */
async function withholdDefinerFunctions(sql: TransactionSql): Promise<void> {
  await sql`DO $$
    DECLARE
      definer regprocedure;
    BEGIN
      FOR definer IN SELECT oid FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef LOOP
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', definer);
      END LOOP;
    END $$`;
}
