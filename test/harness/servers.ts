import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createUser, fmtCreds } from "@nats-io/jwt";
import postgresClient from "postgres";
import { migrate } from "../../actors/platform/db/migrate.ts";
import { type ByRole, createRoles, grantToRoles, roleUrls } from "../../actors/platform/db/roles.ts";
import { hostAccounts } from "../../gateway/hosts/nats-accounts.ts";
import type { NatsKeys } from "../../gateway/hosts/nats-keys.ts";
import { controlUser, hostAccount } from "../../schemas/nats-users.ts";
import { natsOperatorOf, urlWithCreds } from "../../scripts/nats-operator.ts";
import { type OrphanWatchdog, startOrphanWatchdog } from "../../scripts/orphan-watchdog.ts";
import { freePort } from "../../scripts/ports.ts";
import { natsServerPath } from "../../scripts/provision.ts";
import { natsUrl, startNats } from "../../scripts/servers/nats.ts";
import { natsAccounts, natsOperator } from "../../scripts/servers/nats-config.ts";
import { startPostgres } from "../../scripts/servers/postgres.ts";
import type { RunningServer } from "../../scripts/servers/server.ts";
import { MIGRATED, TEST_PASSWORDS } from "../../scripts/test-database.ts";

export { freePort };

/**
 * Real servers for tests. They listen on free ports, keep their data in temporary folders, and end with the test
 * process, however that ends: the watchdog sees to it.
 */

interface Shared {
  watchdog?: OrphanWatchdog;
  postgres?: Promise<RunningServer>;
  /** The connection that makes and deletes databases. */
  admin?: postgresClient.Sql;
}

// On globalThis, since the test runner may load this module once a test file.
const store = globalThis as typeof globalThis & { berthServers?: Shared };
store.berthServers ??= {};
const shared = store.berthServers;

/** What ends the processes of a test run that was cut off. */
export function sharedWatchdog(): OrphanWatchdog {
  shared.watchdog ??= startOrphanWatchdog();
  return shared.watchdog;
}

/** A temporary folder that is removed when the test process has ended. Other users may enter it. */
export const temporaryFolder = (): string => makeFolder(tmpdir());

/** The same for the data of a server, in memory where `npm test` found room there. */
const serverDataFolder = (): string => makeFolder(process.env.BERTH_TEST_SERVER_DATA ?? tmpdir());

function makeFolder(under: string): string {
  const folder = mkdtempSync(join(under, "berth-"));
  chmodSync(folder, 0o711);
  sharedWatchdog().remove(folder);
  return folder;
}

const password = () => randomBytes(12).toString("hex");

/** The PostgreSQL that `npm test` started for all test files. */
const ofTheRun = process.env.BERTH_TEST_POSTGRES;

/** The URL of a PostgreSQL for databases of one's own; without `npm test` it is started at a file's first use. */
async function postgres(): Promise<string> {
  if (ofTheRun !== undefined) return ofTheRun;
  shared.postgres ??= startOwnPostgres();
  return (await shared.postgres).url;
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
  const dir = options.dir ?? join(options.durable ? temporaryFolder() : serverDataFolder(), "postgres");
  return startPostgres({
    dir,
    port: options.port ?? (await freePort()),
    password: options.password ?? password(),
    log: `${dir}.log`,
    watchdog: sharedWatchdog(),
    durable: options.durable ?? false,
  });
}

export interface TestDatabase {
  readonly url: string;
  /** Ends its connections, and deletes it. */
  drop(): Promise<void>;
}

/** Of a session that holds a row or a table until a test has seen what waits for it: no time limit but the test's. */
export const HOLDS_LOCKS = { idle_in_transaction_session_timeout: "0" };

/** An empty database on the shared PostgreSQL. */
export const freshDatabase = (): Promise<TestDatabase> => makeDatabase("template1");

/** A database with every migration, and with the roles of production, on the shared PostgreSQL. */
export async function migratedDatabase(): Promise<TestDatabase & { readonly urls: ByRole }> {
  const database = await makeDatabase(ofTheRun === undefined ? "template1" : MIGRATED);
  if (ofTheRun === undefined) return { ...database, urls: await rolesOf(database.url) };
  // The privileges on a database are not copied with it.
  await grantToRoles(database.url);
  return { ...database, urls: roleUrls(database.url, TEST_PASSWORDS) };
}

/**
 * The URLs of a database by role, as production has them, with every migration run, or those of `migrateBy`. Roles belong to the whole server: on one that is shared
 * they are there already, and files that run at once would be in each other's way.
 *
 * @param url the superuser's
 */
export async function rolesOf(
  url: string,
  migrateBy: (ownerUrl: string) => Promise<unknown> = migrate,
): Promise<ByRole> {
  if (ofTheRun === undefined || new URL(url).host !== new URL(ofTheRun).host)
    await createRoles(url, TEST_PASSWORDS);
  await grantToRoles(url);
  const urls = roleUrls(url, TEST_PASSWORDS);
  await migrateBy(urls.owner);
  return urls;
}

async function makeDatabase(template: string): Promise<TestDatabase> {
  const server = await postgres();
  const name = `test_${randomBytes(6).toString("hex")}`;
  // By files: half the processor time of the other way, which writes each page to the log.
  const create = (sql: postgresClient.Sql) =>
    sql`CREATE DATABASE ${sql(name)} TEMPLATE ${sql(template)} STRATEGY file_copy`;
  await administer(server, create);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => administer(server, (sql) => sql`DROP DATABASE IF EXISTS ${sql(name)} WITH (FORCE)`),
  };
}

async function administer(
  server: string,
  statement: (sql: postgresClient.Sql) => Promise<unknown>,
): Promise<void> {
  shared.admin ??= postgresClient(server, { max: 1, idle_timeout: 5, onnotice: () => undefined });
  await statement(shared.admin);
}

export interface TestNats extends RunningServer {
  /** The keys by which gateways make accounts; undefined where they are kept by hand. */
  readonly keysFile: string | undefined;
  /** The URL with the credentials of a host's agent; for the names given in `servers`. */
  agentUrl(server: string): string;
}

/**
 * A nats-server of the test file's own, with JetStream. `url` has the control plane's credentials.
 *
 * @param options.servers hosts whose agents have a user
 * @param options.operator accounts are made by gateways, and not kept by hand
 * @param options.dir, options.port start on the data and port of an earlier one
 */
export async function nats(
  options: { servers?: readonly string[]; dir?: string; port?: number; operator?: boolean } = {},
): Promise<TestNats> {
  const dir = options.dir ?? join(serverDataFolder(), "nats");
  const port = options.port ?? (await freePort());
  const { servers = [] } = options;
  const operator = options.operator ? await natsOperatorOf(`${dir}-keys`) : undefined;
  const control = controlUser("control-password");
  const server = await startNats({
    program: await natsServerPath(),
    dir,
    port,
    accounts:
      operator === undefined
        ? natsAccounts(control, servers.map(agentAccount))
        : await natsOperator(operator.keys, join(dir, "accounts")),
    urlAt: (at) =>
      operator === undefined ? natsUrl(control, at) : urlWithCreds(`127.0.0.1:${at}`, operator.controlCreds),
    log: `${dir}.log`,
    watchdog: sharedWatchdog(),
  });
  const credsOf = operator && (await joinServers(operator.keys, port, servers, `${dir}-keys`));
  return {
    ...server,
    keysFile: operator?.keysFile,
    agentUrl: (name) => {
      if (!servers.includes(name)) throw new Error(`no agent user for ${name}: name it in \`servers\``);
      return credsOf === undefined ? agentUrl(name, port) : urlWithCreds(`127.0.0.1:${port}`, credsOf(name));
    },
  };
}

/** Gives hosts their accounts and credentials as a gateway does. */
async function joinServers(keys: NatsKeys, port: number, servers: readonly string[], folder: string) {
  const accounts = hostAccounts(keys, [`127.0.0.1:${port}`]);
  const fileOf = (name: string) => join(folder, `${name}.creds`);
  const hosts = servers.map((name) => ({ name, account: accounts.newAccount(), key: createUser() }));
  const joined = hosts.map(({ name, account, key }) => ({
    id: "",
    name,
    account,
    public_key: key.getPublicKey(),
    key,
  }));
  await accounts.publish(joined);
  for (const host of joined)
    writeFileSync(fileOf(host.name), fmtCreds(await accounts.credentialFor(host), host.key), { mode: 0o600 });
  return fileOf;
}

const agentAccount = (server: string) => hostAccount(server, `agent-password-${server}`);

/** The URL with the credentials of a host's agent, of a nats-server that has the host among its `servers`. */
export const agentUrl = (server: string, port: number): string => natsUrl(agentAccount(server).user, port);

/** Ends what is shared. Servers of single tests are theirs to stop, and else the watchdog's. */
export async function stopShared(): Promise<void> {
  const { admin, postgres: running } = shared;
  delete shared.admin;
  delete shared.postgres;
  await admin?.end({ timeout: 5 });
  await (await running)?.stop();
}
