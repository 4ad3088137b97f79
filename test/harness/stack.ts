import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../actors/platform/clock.ts";
import type { ByRole } from "../../actors/platform/db/roles.ts";
import { openSql, type Sql } from "../../actors/platform/db/sql.ts";
import { newId, randomIds } from "../../actors/platform/ids.ts";
import type { Definitions } from "../../actors/registry.ts";
import { type ActorsOf, connectClient } from "../../actors/runtime/client.ts";
import { readCluster } from "../../actors/runtime/store/queries.ts";
import { natsBus } from "../../actors/runtime/transport/nats-bus.ts";
import { REQUEST_BUCKETS } from "../../gateway/auth/request-limits.ts";
import type { Running } from "../../scripts/restart-supervisor.ts";
import { role } from "../../scripts/role.ts";
import {
  freePort,
  HOLDS_LOCKS,
  migratedDatabase,
  nats,
  rolesOf,
  sharedWatchdog,
  type TestNats,
  temporaryFolder,
} from "./servers.ts";
import { until } from "./until.ts";

/** An answer of the API, read. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every form
  readonly body: any;
}

export interface CallOptions {
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestUser {
  readonly id: string;
  readonly username: string;
  readonly password: string;
  readonly token: string;
  readonly refreshToken: string;
}

/** A whole control plane of real processes: a database and NATS of its own, actor hosts and a gateway. */
export interface Stack {
  readonly url: string;
  /** The superuser's, for what tests look at and change behind its back. */
  readonly databaseUrl: string;
  /** What its processes connect with: the roles of production. */
  readonly databaseUrls: ByRole;
  readonly db: Sql;
  readonly nats: TestNats;
  /** The actors themselves, for what has no endpoint yet. */
  readonly actors: ActorsOf<Definitions>;
  readonly hosts: readonly { readonly name: string; readonly pid: number }[];
  readonly signingKeyFile: string;
  /** The folder with the logs of its processes. */
  readonly logs: string;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** A new user, signed up over HTTP; with money and role when asked. */
  user(options?: { role?: "admin"; balance?: string }): Promise<TestUser>;
  /** Starts one more actor host; `within` is the command line that it is started by, such as one that changes namespaces. */
  startHost(
    name: string,
    env?: Readonly<Record<string, string>>,
    within?: readonly string[],
  ): Promise<Running>;
  stop(): Promise<void>;
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
        PATH: process.env.PATH ?? "",
        NATS_URL: natsServer.url,
        ...UNLIMITED_REQUESTS,
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

  const db = openSql(databaseUrl, { max: 4, name: "test", session: HOLDS_LOCKS });
  const bus = await natsBus(natsServer.url, "test");
  const client = connectClient<Definitions>({
    caller: crypto.randomUUID(),
    bus,
    clock: systemClock,
    ids: randomIds,
    leases: async () => (await readCluster(db)).leases,
  });
  const url = `http://127.0.0.1:${port}`;

  const call: Stack["call"] = async (method, path, { token, body, headers } = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  };

  if ((options.actorHosts ?? 1) > 1) {
    await until(async () => {
      const { leases } = await readCluster(db);
      return new Set(leases.map((lease) => lease.owner)).size === options.actorHosts;
    });
  }

  return {
    url,
    databaseUrl,
    databaseUrls,
    db,
    nats: natsServer,
    actors: client.actors,
    hosts,
    signingKeyFile,
    logs: folder,
    call,
    startHost,
    async user({ role: asked, balance } = {}) {
      const username = `user-${crypto.randomUUID().slice(0, 13)}`;
      const password = "correct horse battery";
      const email = `${username}@example.com`;
      if (asked === "admin") {
        // Nobody signs up as an administrator: an operator makes one, as the seed does.
        const password_hash = await Bun.password.hash(password);
        await client.actors.account(newId()).signup({ username, email, password_hash, role: "admin" });
      }
      const { body } =
        asked === "admin"
          ? await call("POST", "/api/v1/auth/login", { body: { username, password } })
          : await call("POST", "/api/v1/auth/signup", { body: { username, email, password } });
      const { user, access_token, refresh_token } = body.data;
      if (balance !== undefined) {
        await client.actors
          .wallet(user.id)
          .credit({ amount: balance, reason: "test", idempotency_key: "test" });
      }
      return { id: user.id, username, password, token: access_token, refreshToken: refresh_token };
    },
    async stop() {
      client.close();
      await bus.close();
      await db.end({ timeout: 5 });
      for (const process_ of running.reverse()) await process_.stop();
      await natsServer.stop();
      await database?.drop();
    },
  };
}
