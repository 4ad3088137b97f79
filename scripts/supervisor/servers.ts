import { join } from "node:path";
import type { ByRole } from "../../actors/platform/db/roles.ts";
import { credentialFile } from "../../agents/join/credential-file.ts";
import { embeddedRoles, externalRoles, prepareDatabase } from "../database-roles.ts";
import { type NatsOperator, urlWithCreds } from "../nats-operator.ts";
import { startOnFreePort } from "../ports.ts";
import type { Service } from "../restart-supervisor.ts";
import { startNats } from "../servers/nats.ts";
import { natsOperator } from "../servers/nats-config.ts";
import { startPostgres } from "../servers/postgres.ts";
import type { RunningServer } from "../servers/server.ts";
import type { Settings } from "../settings.ts";
import type { Children } from "./children.ts";
import { logFile, type Servers, type StartContext } from "./start-context.ts";

/** Below the system's range of ports for outgoing connections, so that a restarted server finds its own port free. */
const POSTGRES_PORT_FROM = 25_432;
const NATS_PORT_FROM = 24_222;

/** Checks servers of the operator's own. Without any, the client of NATS is not even loaded. */
export async function checkExternal({ databaseUrl, natsUrl }: Settings): Promise<void> {
  if (databaseUrl === undefined && natsUrl === undefined) return;
  const { checkDatabase, checkNats } = await import("../external.ts");
  if (databaseUrl) await checkDatabase(databaseUrl);
  if (natsUrl) await checkNats(natsUrl);
}

/** The URLs of a database that has every migration. */
export async function startDatabase(context: StartContext): Promise<ByRole> {
  const { settings, secrets, say } = context;
  const database = settings.databaseUrl
    ? await externalRoles(settings, settings.databaseUrl, say)
    : await embeddedRoles(await startOwnPostgres(context), secrets);
  await prepareDatabase(database);
  return database;
}

async function startOwnPostgres({
  settings,
  secrets,
  say,
  watchdog,
  children,
}: StartContext): Promise<string> {
  const options = {
    dir: join(settings.data, "postgres"),
    password: secrets.postgres,
    log: logFile(settings, "postgres"),
    watchdog,
    say,
  };
  const { url } = await startServer(children, "postgres", POSTGRES_PORT_FROM, (port) =>
    startPostgres({ ...options, port }),
  );
  return url;
}

/** @param operator undefined: NATS is the operator's own */
export async function startNatsServer(
  { settings, natsServer, watchdog, children }: StartContext,
  operator: Promise<NatsOperator> | undefined,
): Promise<Servers["nats"]> {
  if (operator === undefined) return { control: settings.natsUrl ?? "", agent: settings.natsUrl ?? "" };
  const { keys, controlCreds } = await operator;
  const dir = join(settings.data, "nats");
  const options = {
    program: await natsServer(),
    dir,
    accounts: await natsOperator(keys, join(dir, "accounts")),
    urlAt: (port: number) => urlWithCreds(`127.0.0.1:${port}`, controlCreds),
    log: logFile(settings, "nats"),
    watchdog,
  };
  const { url, port } = await startServer(children, "nats", NATS_PORT_FROM, (port) =>
    startNats({ ...options, port }),
  );
  const creds = credentialFile(join(settings.data, "agent"));
  return { control: url, agent: urlWithCreds(`127.0.0.1:${port}`, creds) };
}

/** Keeps a server running on one port, which its first start chooses. */
async function startServer(
  children: Children,
  name: string,
  portFrom: number,
  start: (port: number) => Promise<RunningServer>,
): Promise<{ url: string; port: number }> {
  let first: { url: string; port: number } | undefined;
  const service: Service = {
    name,
    start: async () => {
      if (first !== undefined) return start(first.port);
      const { port, server } = await startOnFreePort(portFrom, start);
      first = { port, url: server.url };
      return server;
    },
  };
  await children.supervise(service);
  if (first === undefined) throw new Error(`${name} was not started`);
  return first;
}
