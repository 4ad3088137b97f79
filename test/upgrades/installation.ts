import { join } from "node:path";
import type { Running } from "../../scripts/restart-supervisor.ts";
import { role } from "../../scripts/role.ts";
import { CLEAN_ENVIRONMENT } from "../harness/environment.ts";
import { freePort, freshDatabase, sharedWatchdog } from "../harness/servers.ts";
import { connectStack } from "../harness/stack-client.ts";
import { startStackServers } from "../harness/stack-servers.ts";

/** A version of Berth: the folder of its checkout. */
export type Version = string;

/** Longer than a probe of the balancer on a busy machine. */
const DRAIN_SECONDS = "3";
const LEASE_TTL_MS = "5000";

/**
 * PostgreSQL and NATS, on which processes of several versions run side by side.
 *
 * @param migratedBy makes the database's schema
 */
export async function startInstallation(migratedBy: Version, servers: readonly string[]) {
  const database = await freshDatabase();
  const migrateOf = async (version: Version, url: string): Promise<string[]> =>
    (await import(join(version, "actors/platform/db/migrate.ts"))).migrate(url);
  const below = await startStackServers({
    databaseUrl: database.url,
    migrateBy: (url) => migrateOf(migratedBy, url),
    servers,
  });
  const client = await connectStack(below.address);
  const running = new Map<string, Running>();
  const ports = new Map<string, number>();

  const start = async (version: Version, name: string, program: string, env: Record<string, string>) => {
    const started = await role({
      name,
      command: [process.execPath, join(version, program)],
      cwd: version,
      env: { ...CLEAN_ENVIRONMENT, ...env },
      log: join(below.address.logs, `${name}.log`),
      watchdog: sharedWatchdog(),
    }).start(new AbortController().signal);
    running.set(name, started);
  };
  const stop = async (name: string) => {
    await running.get(name)?.stop();
    running.delete(name);
  };

  return {
    client: { ...client, nats: below.nats },
    migrate: (version: Version) => migrateOf(version, below.address.databaseUrls.owner),
    async startGateway(version: Version, name: string): Promise<string> {
      const port = ports.get(name) ?? (await freePort());
      ports.set(name, port);
      await start(version, name, "gateway/main.ts", {
        ...below.gatewayEnv,
        BERTH_PORT: String(port),
        BERTH_DRAIN_SECONDS: DRAIN_SECONDS,
      });
      return `http://127.0.0.1:${port}`;
    },
    startActors: (version: Version, name: string) =>
      start(version, name, "actors/main.ts", { BERTH_LEASE_TTL_MS: LEASE_TTL_MS, ...below.hostEnv(name) }),
    /** Ends a process as a supervisor does: it hands over, or finishes, what it has. */
    stop,
    async close() {
      await client.stop();
      for (const name of [...running.keys()].reverse()) await stop(name);
      await below.stop();
      await database.drop();
    },
  };
}
