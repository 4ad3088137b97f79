import { randomBytes } from "node:crypto";
import { join } from "node:path";
import postgres from "postgres";
import { migrate } from "../actors/platform/db/migrate.ts";
import { createRoles, grantToRoles, roleUrls } from "../actors/platform/db/roles.ts";
import type { OrphanWatchdog } from "./orphan-watchdog.ts";
import { freePort } from "./ports.ts";
import { startPostgres } from "./servers/postgres.ts";
import type { RunningServer } from "./servers/server.ts";

/** Several files run at once, each with up to some sixty connections of its actor hosts, its gateway and its own. */
const CONNECTIONS_MAX = 500;

/** A database with every migration, as a template: copying it is faster than running them. */
export const MIGRATED = "migrated";

/** Password of the tests' roles; their PostgreSQL listens on the loopback interface while they run. */
export const TEST_PASSWORDS = {
  owner: "owner-password",
  actors: "actors-password",
  gateway: "gateway-password",
};

/** The PostgreSQL that all test files of a run share. */
export async function startTestDatabase(folder: string, watchdog: OrphanWatchdog): Promise<RunningServer> {
  const dir = join(folder, "postgres");
  const server = await startPostgres({
    dir,
    port: await freePort(),
    password: randomBytes(12).toString("hex"),
    log: `${dir}.log`,
    watchdog,
    durable: false,
    connectionsMax: CONNECTIONS_MAX,
  });
  const sql = postgres(server.url, { max: 1, onnotice: () => undefined });
  try {
    await sql`CREATE DATABASE ${sql(MIGRATED)}`;
    const url = new URL(server.url);
    url.pathname = `/${MIGRATED}`;
    await createRoles(server.url, TEST_PASSWORDS);
    await grantToRoles(url.href);
    await migrate(roleUrls(url.href, TEST_PASSWORDS).owner);
    // PostgreSQL copies no database with connections: none is allowed, autovacuum's included.
    await sql`ALTER DATABASE ${sql(MIGRATED)} WITH ALLOW_CONNECTIONS false IS_TEMPLATE true`;
  } finally {
    await sql.end({ timeout: 5 });
  }
  return server;
}
