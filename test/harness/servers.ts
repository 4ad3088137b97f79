import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgresClient from "postgres";
import { type Leash, startLeash } from "../../scripts/leash.ts";
import { agentUser, controlUser } from "../../scripts/nats-users.ts";
import { freePort } from "../../scripts/ports.ts";
import { natsServerPath } from "../../scripts/provision.ts";
import { natsUrl, startNats } from "../../scripts/servers/nats.ts";
import { startPostgres } from "../../scripts/servers/postgres.ts";
import type { RunningServer } from "../../scripts/servers/server.ts";

export { freePort };

/**
 * Real servers for tests. They listen on free ports, keep their data in temporary folders, and end with the test
 * process, however that ends: the leash sees to it.
 */

interface Shared {
  leash?: Leash;
  postgres?: Promise<RunningServer>;
}

// On globalThis, since the test runner may load this module once a test file.
const store = globalThis as typeof globalThis & { berthServers?: Shared };
store.berthServers ??= {};
const shared = store.berthServers;

/** What ends the processes of a test run that was cut off. */
export function sharedLeash(): Leash {
  shared.leash ??= startLeash();
  return shared.leash;
}

/** A temporary folder that is removed when the test process has ended. Other users may enter it. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "berth-"));
  chmodSync(folder, 0o711);
  sharedLeash().remove(folder);
  return folder;
}

const password = () => randomBytes(12).toString("hex");

/** The PostgreSQL of this test run, started at first use and shared by all test files: use `freshDatabase`. */
export function postgres(): Promise<RunningServer> {
  shared.postgres ??= startOwnPostgres();
  return shared.postgres;
}

/**
 * A PostgreSQL that belongs to one test, which may stop or kill it.
 *
 * @param options.dir starts on the data of an earlier one; with the same `password`
 * @param options.durable fsync on, as in production; off unless told
 */
export async function startOwnPostgres(
  options: { dir?: string; port?: number; password?: string; durable?: boolean } = {},
): Promise<RunningServer> {
  const dir = options.dir ?? join(temporaryFolder(), "postgres");
  return startPostgres({
    dir,
    port: options.port ?? (await freePort()),
    password: options.password ?? password(),
    log: `${dir}.log`,
    leash: sharedLeash(),
    durable: options.durable ?? false,
  });
}

/** An empty database on the shared PostgreSQL; `drop` also ends its connections. */
export async function freshDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const server = await postgres();
  const name = `test_${randomBytes(6).toString("hex")}`;
  await administer(server, (sql) => sql`CREATE DATABASE ${sql(name)}`);
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => administer(server, (sql) => sql`DROP DATABASE IF EXISTS ${sql(name)} WITH (FORCE)`),
  };
}

async function administer(
  server: RunningServer,
  statement: (sql: postgresClient.Sql) => Promise<unknown>,
): Promise<void> {
  const sql = postgresClient(server.url, { max: 1, onnotice: () => undefined });
  try {
    await statement(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

export interface TestNats extends RunningServer {
  /** The URL with the credentials of a host's agent; for the names given in `servers`. */
  agentUrl(server: string): string;
}

/**
 * A nats-server of the test file's own, with JetStream. `url` has the control plane's credentials.
 *
 * @param options.servers hosts whose agents have a user
 * @param options.dir, options.port start on the data and port of an earlier one
 */
export async function nats(
  options: { servers?: readonly string[]; dir?: string; port?: number } = {},
): Promise<TestNats> {
  const dir = options.dir ?? join(temporaryFolder(), "nats");
  const port = options.port ?? (await freePort());
  const agents = (options.servers ?? []).map((server) => agentUser(server, `agent-password-${server}`));
  const server = await startNats({
    program: await natsServerPath(),
    dir,
    port,
    users: [controlUser("control-password"), ...agents],
    log: `${dir}.log`,
    leash: sharedLeash(),
  });
  return {
    ...server,
    agentUrl: (name) => {
      const user = agents.find((agent) => agent.name === `agent-${name}`);
      if (!user) throw new Error(`no agent user for ${name}: name it in \`servers\``);
      return natsUrl(user, port);
    },
  };
}

/** Ends what is shared. Servers of single tests are theirs to stop, and else the leash's. */
export async function stopShared(): Promise<void> {
  const running = shared.postgres;
  delete shared.postgres;
  await (await running)?.stop();
}
