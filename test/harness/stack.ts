import { generateKeyPairSync, randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readCluster } from "../../actors/runtime/store/cluster/queries.ts";
import { PASSWORD_MEMORY_MB_MIN } from "../../gateway/auth/passwords.ts";
import { REQUEST_BUCKETS } from "../../gateway/auth/request-limits.ts";
import type { Running } from "../../scripts/restart-supervisor.ts";
import { role } from "../../scripts/role.ts";
import { CLEAN_ENVIRONMENT } from "./environment.ts";
import {
  freePort,
  migratedDatabase,
  nats,
  rolesOf,
  sharedWatchdog,
  type TestNats,
  temporaryFolder,
} from "./servers.ts";
import { type Answer, connectStack, type StackClient } from "./stack-client.ts";
import { until } from "./until.ts";
import type { TestUser } from "./users.ts";

export type { Answer, TestUser };

/** A whole control plane of real processes: a database and NATS of its own, actor hosts and a gateway. */
export interface Stack extends StackClient {
  readonly nats: TestNats;
  readonly hosts: readonly { readonly name: string; readonly pid: number }[];
  /** Starts one more actor host; `within` is the command line that it is started by, such as one that changes namespaces. */
  startHost(
    name: string,
    env?: Readonly<Record<string, string>>,
    within?: readonly string[],
  ): Promise<Running>;
}

export interface StackOptions {
  readonly actorHosts?: number;
  readonly databaseUrl?: string;
  /** Where NATS keeps its data and listens, for a test that stops it and starts it again. */
  readonly natsAt?: { readonly dir: string; readonly port: number };
  /** Servers whose agents may connect. */
  readonly servers?: readonly string[];
  /** Environment of every process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Tests and benchmarks ask faster than the limits of requests allow. */
const UNLIMITED_REQUESTS = Object.fromEntries(
  REQUEST_BUCKETS.map((bucket) => [`BERTH_RATE_LIMIT_${bucket.toUpperCase()}`, "1000000000"]),
);

/** Sign-ups and sign-ins by HTTP take a third of the time that they take in production. */
const QUICK_PASSWORDS = { BERTH_PASSWORD_MEMORY_MB: String(PASSWORD_MEMORY_MB_MIN) };

const ROOT = join(import.meta.dir, "../..");

export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const folder = temporaryFolder();
  const database = options.databaseUrl === undefined ? await migratedDatabase() : undefined;
  const databaseUrl = options.databaseUrl ?? (database?.url as string);
  const databaseUrls = await rolesOf(databaseUrl);
  const natsServer = await nats({ servers: options.servers ?? [], ...options.natsAt });
  const signingKeyFile = join(folder, "key.pem");
  const { privateKey } = generateKeyPairSync("ed25519");
  writeFileSync(signingKeyFile, privateKey.export({ format: "pem", type: "pkcs8" }), { mode: 0o600 });
  const secretsKeyFile = join(folder, "secrets.key");
  writeFileSync(secretsKeyFile, randomBytes(32).toString("base64"), { mode: 0o600 });
  const port = await freePort();
  const running: Running[] = [];

  const start = async (
    name: string,
    program: string,
    env: Readonly<Record<string, string>>,
    within: readonly string[] = [],
  ) => {
    const process_ = await role({
      name,
      command: [...within, process.execPath, join(ROOT, program)],
      cwd: ROOT,
      env: {
        ...CLEAN_ENVIRONMENT,
        NATS_URL: natsServer.url,
        BERTH_SECRETS_KEY_FILE: secretsKeyFile,
        ...UNLIMITED_REQUESTS,
        ...QUICK_PASSWORDS,
        ...options.env,
        ...env,
      },
      log: join(folder, `${name}.log`),
      watchdog: sharedWatchdog(),
    }).start(new AbortController().signal);
    running.push(process_);
    return process_;
  };
  const startHost: Stack["startHost"] = (name, env = {}, within = []) =>
    start(
      name,
      "actors/main.ts",
      {
        DATABASE_URL: databaseUrls.actors,
        BERTH_HOST_ID: name,
        BERTH_LEASE_TTL_MS: "1500",
        ...options.env,
        ...env,
      },
      within,
    );

  const hosts = [];
  for (let i = 1; i <= (options.actorHosts ?? 1); i++) {
    const name = `actors-${i}`;
    hosts.push({ name, pid: (await startHost(name)).pid });
  }
  await start("gateway", "gateway/main.ts", {
    DATABASE_URL: databaseUrls.gateway,
    BERTH_PORT: String(port),
    BERTH_LISTEN: "127.0.0.1",
    BERTH_SIGNING_KEY_FILE: signingKeyFile,
  });

  const client = await connectStack({
    url: `http://127.0.0.1:${port}`,
    databaseUrl,
    databaseUrls,
    natsUrl: natsServer.url,
    signingKeyFile,
    logs: folder,
  });

  if ((options.actorHosts ?? 1) > 1) {
    await until(async () => {
      const { leases } = await readCluster(client.db);
      return new Set(leases.map((lease) => lease.owner)).size === options.actorHosts;
    });
  }

  return {
    ...client,
    nats: natsServer,
    hosts,
    startHost,
    async stop() {
      await client.stop();
      for (const process_ of running.reverse()) await process_.stop();
      await natsServer.stop();
      await database?.drop();
    },
  };
}
