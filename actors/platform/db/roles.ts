import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openSql, type Sql } from "./sql.ts";

/** The database roles of a Berth: an owner for migrations, one for actor hosts, and one for gateways, which only reads. */
export const ROLES = { owner: "berth_owner", actors: "berth_actors", gateway: "berth_gateway" } as const;

/** A value for each role, such as its password or its URL. */
export type ByRole = Readonly<Record<keyof typeof ROLES, string>>;

const GRANTS = join(import.meta.dirname, "roles.sql");

/** The URL of the same database for each role. */
export function roleUrls(adminUrl: string, passwords: ByRole): ByRole {
  const urlOf = (role: keyof typeof ROLES) => {
    const url = new URL(adminUrl);
    url.username = ROLES[role];
    url.password = encodeURIComponent(passwords[role]);
    return url.href;
  };
  return { owner: urlOf("owner"), actors: urlOf("actors"), gateway: urlOf("gateway") };
}

/**
 * Creates the roles in the PostgreSQL cluster, none of them a superuser, and sets their passwords. `adminUrl` is a
 * superuser's.
 */
export async function createRoles(adminUrl: string, passwords: ByRole): Promise<void> {
  await administer(adminUrl, async (sql) => {
    for (const [role, name] of Object.entries(ROLES)) {
      const [known] = await sql`SELECT 1 FROM pg_roles WHERE rolname = ${name}`;
      const [made] = await sql<{ statement: string }[]>`SELECT format(
        ${known ? "ALTER" : "CREATE"} || ' ROLE %I LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD %L',
        ${name}::text, ${passwords[role as keyof typeof ROLES]}::text) AS statement`;
      await sql.unsafe(made?.statement ?? "");
    }
    // In addition to the missing privileges: all transactions of a gateway are read-only.
    await sql`ALTER ROLE ${sql(ROLES.gateway)} SET default_transaction_read_only = on`;
  });
}

/** Grants the roles their privileges in one database, and the schema to its owner. */
export async function grantToRoles(adminUrl: string): Promise<void> {
  const grants = await readFile(GRANTS, "utf8");
  await administer(adminUrl, (sql) => sql.unsafe(grants));
}

/** Whether the role of this connection may change rows; a gateway's role should not. */
export async function mayWrite(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ may: boolean }[]>`
    SELECT coalesce(bool_or(has_table_privilege(oid, 'INSERT, UPDATE, DELETE, TRUNCATE')), false) AS may
    FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`;
  return row?.may ?? false;
}

async function administer(url: string, work: (sql: Sql) => Promise<unknown>): Promise<void> {
  const sql = openSql(url, { max: 1, name: "berth-roles" });
  try {
    await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
