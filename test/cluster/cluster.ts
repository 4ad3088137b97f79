import { generateKeyPairSync, randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { migrate } from "../../actors/platform/db/migrate.ts";
import { createRoles, grantToRoles, roleUrls } from "../../actors/platform/db/roles.ts";
import { openSql } from "../../actors/platform/db/sql.ts";
import { readCluster } from "../../actors/runtime/store/cluster/queries.ts";
import { PASSWORD_MEMORY_MB_MIN } from "../../gateway/auth/passwords.ts";
import { REQUEST_BUCKETS } from "../../gateway/auth/request-limits.ts";
import { controlUser, hostAccount } from "../../schemas/nats-users.ts";
import { natsServerPath } from "../../scripts/provision.ts";
import { natsAccounts, natsConfig } from "../../scripts/servers/nats-config.ts";
import { TEST_PASSWORDS } from "../../scripts/test-database.ts";
import { type AgentOptions, cleanUp } from "../agents/agent-process.ts";
import { temporaryFolder } from "../harness/servers.ts";
import { connectStack } from "../harness/stack-client.ts";
import { until } from "../harness/until.ts";
import { Machine, type Program } from "./machine.ts";
import { type NetworkedMachine, startClusterNetwork } from "./network.ts";
import { etcdProgram, installedPostgres, patroniProgram, SUPERUSER, SUPERUSER_PASSWORD } from "./postgres.ts";

/**
 * A whole cluster on this machine, of a network namespace for each of its machines: three with NATS and etcd, two with PostgreSQL, two
 * gateways, three actor hosts, and two hosts of containers.
 */

const ROOT = join(import.meta.dir, "../..");
const LEASE_TTL_MS = "5000";
const START_MS_MAX = 180_000;
/** Its machines may have less to do than the others of the day. */
const STARTING = { timeoutMs: START_MS_MAX, everyMs: 250 };

export const HOSTS = ["node-1", "node-2"];

export type Part = "nats" | "postgres" | "gateway" | "actors" | "agent";

/** What a cluster needs of Debian. */
export const CLUSTER_PROGRAMS = ["patroni", "etcd", "nft", "ip", "unshare", "nsenter", "setpriv"] as const;

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

export async function startCluster() {
  const folder = temporaryFolder();
  const network = await startClusterNetwork();
  const machines = new Map<string, Machine>();
  const ends: (() => Promise<unknown>)[] = [() => network.end()];
  const close = async () => {
    for (const end of ends.splice(0).reverse()) await end();
  };

  const places = new Map<string, NetworkedMachine>();
  const place = async (name: string) => {
    const machine = await network.addMachine();
    places.set(name, machine);
    return machine.address;
  };
  const start = (name: string, programs: readonly Program[]) => {
    const machine = new Machine(name, places.get(name) as NetworkedMachine, folder, programs);
    machines.set(name, machine);
    ends.push(() => machine.shutDown());
    machine.start();
  };

  try {
    const nats = ["nats-1", "nats-2", "nats-3"];
    const postgres = ["postgres-1", "postgres-2"];
    const natsAt: string[] = [];
    const postgresAt: string[] = [];
    for (const name of nats) natsAt.push(await place(name));
    for (const name of postgres) postgresAt.push(await place(name));

    const control = controlUser("control-password");
    const accountOf = (host: string) => hostAccount(host, `agent-password-${host}`);
    const program = await natsServerPath();
    const members = nats.map((name, i) => `${name}=http://${natsAt[i]}:2380`).join(",");
    for (const [i, name] of nats.entries()) {
      const address = natsAt[i] as string;
      const dir = join(folder, name);
      mkdirSync(dir, { mode: 0o700 });
      const config = join(dir, "nats.conf");
      const text = natsConfig({
        listen: address,
        port: 4222,
        storeDir: join(dir, "jetstream"),
        pidFile: join(dir, "nats.pid"),
        accounts: natsAccounts(control, HOSTS.map(accountOf)),
        cluster: { name, listen: `${address}:6222`, routes: natsAt.map((at) => `nats://${at}:6222`) },
      });
      writeFileSync(config, text, { mode: 0o600 });
      start(name, [
        { name: "nats-server", command: [program, "-c", config] },
        etcdProgram({ name, address, folder: join(folder, `etcd-${name}`), members }),
      ]);
    }

    const version = installedPostgres();
    if (version === undefined)
      throw new Error("there is no PostgreSQL of Debian here: apt-get install postgresql");
    const owner = await systemUser("postgres");
    for (const [i, name] of postgres.entries())
      start(name, [
        patroniProgram({
          name,
          address: postgresAt[i] as string,
          folder: join(folder, name),
          etcd: natsAt.map((at) => `${at}:2379`),
          subnet: network.subnet,
          version,
          owner,
        }),
      ]);

    /** Any of the servers that is the primary. */
    const hostsOf = (url: string) => {
      const { username, password, pathname } = new URL(url);
      const at = postgresAt.map((host) => `${host}:5432`).join(",");
      return `postgres://${username}:${password}@${at}${pathname}`;
    };
    const adminUrl = `postgres://${SUPERUSER}:${SUPERUSER_PASSWORD}@${postgresAt[0]}:5432`;
    const admin = openSql(hostsOf(`${adminUrl}/postgres`), { max: 1, name: "cluster" });
    await until(async () => (await admin`SELECT 1`).length === 1, STARTING);
    // The standby has copied the primary, and each commit waits for it from now on.
    await until(async () => {
      const rows = await admin`SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'`;
      return rows.length === 1;
    }, STARTING);
    await admin`CREATE DATABASE berth`;
    await admin.end({ timeout: 5 });
    const databaseUrl = hostsOf(`${adminUrl}/berth`);
    const single = roleUrls(`${adminUrl}/berth`, TEST_PASSWORDS);
    const databaseUrls = {
      owner: hostsOf(single.owner),
      actors: hostsOf(single.actors),
      gateway: hostsOf(single.gateway),
    };
    // A connection that asks the standby first fails until it has the new database.
    await until(async () => (await createRoles(databaseUrl, TEST_PASSWORDS)) === undefined, STARTING);
    await grantToRoles(databaseUrl);
    await migrate(databaseUrls.owner);

    const natsServers = natsAt.map((at) => `${at}:4222`).join(",");
    const natsUrl = `nats://${control.name}:${control.password}@${natsServers}`;
    const signingKeyFile = join(folder, "key.pem");
    const { privateKey } = generateKeyPairSync("ed25519");
    writeFileSync(signingKeyFile, privateKey.export({ format: "pem", type: "pkcs8" }), { mode: 0o600 });
    const secretsKeyFile = join(folder, "secrets.key");
    writeFileSync(secretsKeyFile, randomBytes(32).toString("base64"), { mode: 0o600 });
    const common = {
      NATS_URL: natsUrl,
      BERTH_NATS_REPLICAS: "3",
      BERTH_SECRETS_KEY_FILE: secretsKeyFile,
      BERTH_PASSWORD_MEMORY_MB: String(PASSWORD_MEMORY_MB_MIN),
      ...Object.fromEntries(
        REQUEST_BUCKETS.map((bucket) => [`BERTH_RATE_LIMIT_${bucket.toUpperCase()}`, "1000000000"]),
      ),
    };
    const bun = (main: string) => [process.execPath, join(ROOT, main)];
    for (const name of ["actors-1", "actors-2", "actors-3"]) {
      await place(name);
      const env = {
        ...common,
        DATABASE_URL: databaseUrls.actors,
        BERTH_HOST_ID: name,
        BERTH_LEASE_TTL_MS: LEASE_TTL_MS,
      };
      start(name, [{ name: "actors", command: bun("actors/main.ts"), env }]);
    }
    const gateways: string[] = [];
    for (const name of ["gateway-1", "gateway-2"]) {
      gateways.push(`http://${await place(name)}:3000`);
      const env = {
        ...common,
        DATABASE_URL: databaseUrls.gateway,
        BERTH_PORT: "3000",
        BERTH_CONSOLE_BUILD: "first-visit",
        BERTH_SIGNING_KEY_FILE: signingKeyFile,
      };
      start(name, [{ name: "gateway", command: bun("gateway/main.ts"), env }]);
    }
    for (const host of HOSTS) {
      const name = `agent-${host}`;
      const address = await place(name);
      const data = join(folder, name);
      mkdirSync(data);
      chmodSync(data, 0o711);
      const { user } = accountOf(host);
      const options: AgentOptions = {
        natsUrl: `nats://${user.name}:${user.password}@${natsServers}`,
        ...{ server: host, data, driver: "process", subnet: "", atEnd: "stop" },
      };
      ends.push(() => cleanUp(options));
      const env = {
        NATS_URL: options.natsUrl,
        BERTH_SERVER_NAME: host,
        BERTH_DATA: data,
        BERTH_DRIVER: "process",
        BERTH_AT_END: "stop",
        BERTH_EDGE_LISTEN: address,
        BERTH_EDGE_PORT: "0",
        BERTH_EDGE_HTTP_PORT: "0",
      };
      start(name, [{ name: "agent", command: bun("agents/main.ts"), env }]);
    }

    await until(async () => {
      const answers = await Promise.all(gateways.map((url) => fetch(`${url}/health/ready`)));
      return answers.every(({ ok }) => ok);
    }, STARTING);
    const client = await connectStack({
      url: gateways[0] as string,
      databaseUrl,
      databaseUrls,
      natsUrl,
      signingKeyFile,
      logs: folder,
    });
    ends.push(() => client.stop());
    await until(async () => {
      const { leases } = await readCluster(client.db);
      const owners = new Set(leases.map(({ owner, expired }) => (expired ? null : owner)));
      return owners.size === 3 && !owners.has(null);
    }, STARTING);

    return {
      client,
      gateways,
      folder,
      /** By name: `nats-1`, `postgres-2`, `gateway-1`, `actors-3`, `agent-node-1`. */
      machines: machines as ReadonlyMap<string, Machine>,
      /** The name of the machine with the primary; undefined while there is none. */
      async primary(): Promise<string | undefined> {
        for (const [i, name] of postgres.entries()) {
          const answer = await fetch(`http://${postgresAt[i]}:8008/primary`, {
            signal: AbortSignal.timeout(1_000),
          }).catch(() => undefined);
          if (answer?.ok) return name;
        }
        return undefined;
      },
      /** Whether every machine does its work, and the standby has all that the primary acknowledges. */
      async isWhole(): Promise<boolean> {
        const [answers, standby, { leases }] = await Promise.all([
          Promise.all(
            gateways.map((url) => fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(2_000) })),
          ),
          client.db`SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'`,
          readCluster(client.db),
        ]);
        const owners = new Set(leases.map(({ owner, expired }) => (expired ? null : owner)));
        return (
          answers.every(({ ok }) => ok) && standby.length === 1 && owners.size === 3 && !owners.has(null)
        );
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function systemUser(name: string): Promise<{ uid: number; gid: number }> {
  const idOf = async (flag: string) => Number(await Bun.$`id ${flag} ${name}`.text());
  return { uid: await idOf("-u"), gid: await idOf("-g") };
}
