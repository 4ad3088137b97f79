import { generateKeyPairSync, randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PASSWORD_MEMORY_MB_MIN } from "../../gateway/auth/passwords.ts";
import { REQUEST_BUCKETS } from "../../gateway/auth/request-limits.ts";
import { freePort, migratedDatabase, nats, rolesOf, type TestNats, temporaryFolder } from "./servers.ts";
import type { StackAddress } from "./stack-client.ts";

export interface StackServersOptions {
  readonly databaseUrl?: string;
  /** Who migrates that database; this version unless told. */
  readonly migrateBy?: (ownerUrl: string) => Promise<unknown>;
  /** Where NATS keeps its data and listens, for a test that stops it and starts it again. */
  readonly natsAt?: { readonly dir: string; readonly port: number };
  /** Servers whose agents may connect. */
  readonly servers?: readonly string[];
  /** Whether hosts get their accounts at NATS by joining; else they are kept by hand. */
  readonly joining?: boolean;
  /** Environment of the actor hosts and the gateway. */
  readonly env?: Readonly<Record<string, string>>;
}

/** What a control plane runs on. */
export interface StackServers {
  readonly address: StackAddress;
  readonly nats: TestNats;
  /** Environment of an actor host, without what only some tests set. */
  hostEnv(name: string): Record<string, string>;
  readonly gatewayEnv: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Tests and benchmarks ask faster than the limits of requests allow. */
const UNLIMITED_REQUESTS = Object.fromEntries(
  REQUEST_BUCKETS.map((bucket) => [`BERTH_RATE_LIMIT_${bucket.toUpperCase()}`, "1000000000"]),
);

/** Sign-ups and sign-ins by HTTP take a third of the time that they take in production. */
const QUICK_PASSWORDS = { BERTH_PASSWORD_MEMORY_MB: String(PASSWORD_MEMORY_MB_MIN) };

/** Starts the servers below a control plane: a database and NATS of its own, a signing key and a port. */
export async function startStackServers(options: StackServersOptions): Promise<StackServers> {
  const folder = temporaryFolder();
  const database = options.databaseUrl === undefined ? await migratedDatabase() : undefined;
  const databaseUrl = options.databaseUrl ?? (database?.url as string);
  const databaseUrls = database?.urls ?? (await rolesOf(databaseUrl, options.migrateBy));
  const natsServer = await nats({
    servers: options.servers ?? [],
    operator: options.joining ?? false,
    ...options.natsAt,
  });
  const signingKeyFile = join(folder, "key.pem");
  const { privateKey } = generateKeyPairSync("ed25519");
  writeFileSync(signingKeyFile, privateKey.export({ format: "pem", type: "pkcs8" }), { mode: 0o600 });
  const secretsKeyFile = join(folder, "secrets.key");
  writeFileSync(secretsKeyFile, randomBytes(32).toString("base64"), { mode: 0o600 });
  const port = await freePort();
  const common = {
    NATS_URL: natsServer.url,
    BERTH_SECRETS_KEY_FILE: secretsKeyFile,
    ...UNLIMITED_REQUESTS,
    ...QUICK_PASSWORDS,
    ...options.env,
  };
  return {
    address: {
      url: `http://127.0.0.1:${port}`,
      databaseUrl,
      databaseUrls,
      natsUrl: natsServer.url,
      signingKeyFile,
      logs: folder,
    },
    nats: natsServer,
    hostEnv: (name) => ({ ...common, DATABASE_URL: databaseUrls.actors, BERTH_HOST_ID: name }),
    gatewayEnv: {
      ...common,
      DATABASE_URL: databaseUrls.gateway,
      BERTH_PORT: String(port),
      BERTH_LISTEN: "127.0.0.1",
      // Few gateways of the tests show it.
      BERTH_CONSOLE_BUILD: "first-visit",
      BERTH_SIGNING_KEY_FILE: signingKeyFile,
      ...(natsServer.keysFile === undefined ? {} : { BERTH_NATS_KEYS_FILE: natsServer.keysFile }),
    },
    async stop() {
      await natsServer.stop();
      await database?.drop();
    },
  };
}
