import { isIP } from "node:net";
import { resolve } from "node:path";
import { serverUrls } from "../actors/platform/db/primary.ts";
import { Password } from "../schemas/accounts/account.ts";
import { isText } from "../schemas/text.ts";
import { isNatsUrl } from "../system/nats-url.ts";
import { SetupError } from "./setup-error.ts";

/** Settings of `npm start` (design §5). */
export interface Settings {
  readonly port: number;
  /** The address that the gateway listens on, and that of the edge. */
  readonly listen: string;
  readonly edgeListen: string;
  /** The gateway's `/metrics`; those of the other processes are on the next ports that are free. */
  readonly metricsPort: number;
  readonly edgePort: number;
  readonly edgeHttpPort: number;
  /** An absolute path. */
  readonly data: string;
  readonly seed: "demo" | "none";
  readonly adminPassword: string | undefined;
  readonly demoPassword: string | undefined;
  /** External servers, instead of the embedded ones. */
  readonly databaseUrl: string | undefined;
  /** The same database for a role that only reads, and for the one that runs migrations. */
  readonly gatewayDatabaseUrl: string | undefined;
  readonly ownerDatabaseUrl: string | undefined;
  readonly natsUrl: string | undefined;
  readonly actorHosts: number;
  readonly containerDomain: string;
  readonly aiProvider: string;
}

/** Each holds a pool of about ten connections, and PostgreSQL allows 200. */
const ACTOR_HOSTS_MAX = 8;

export const LOOPBACK = "127.0.0.1";

const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Reads the settings of an environment. An empty variable counts as unset.
 *
 * @throws SetupError one line that names the variable and what it may hold
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const get = (name: string) => (env[name] === "" ? undefined : env[name]);
  // A local trial must not be open to everybody who can reach the machine.
  const listen = address("BERTH_LISTEN", get("BERTH_LISTEN") ?? LOOPBACK);
  const databaseUrl = (name: string) => readDatabaseUrl(name, get(name));
  return {
    port: integer("BERTH_PORT", get("BERTH_PORT"), 3000, 1, 65_535),
    listen,
    edgeListen: address("BERTH_EDGE_LISTEN", get("BERTH_EDGE_LISTEN") ?? listen),
    metricsPort: integer("BERTH_METRICS_PORT", get("BERTH_METRICS_PORT"), 9310, 1, 65_000),
    edgePort: integer("BERTH_EDGE_PORT", get("BERTH_EDGE_PORT"), 8443, 1, 65_535),
    edgeHttpPort: integer("BERTH_EDGE_HTTP_PORT", get("BERTH_EDGE_HTTP_PORT"), 8080, 1, 65_535),
    data: resolve(get("BERTH_DATA") ?? ".berth"),
    seed: oneOf("BERTH_SEED", get("BERTH_SEED") ?? "demo", ["demo", "none"]),
    adminPassword: password("BERTH_ADMIN_PASSWORD", get("BERTH_ADMIN_PASSWORD")),
    demoPassword: password("BERTH_DEMO_PASSWORD", get("BERTH_DEMO_PASSWORD")),
    databaseUrl: databaseUrl("DATABASE_URL"),
    gatewayDatabaseUrl: databaseUrl("BERTH_GATEWAY_DATABASE_URL"),
    ownerDatabaseUrl: databaseUrl("BERTH_OWNER_DATABASE_URL"),
    natsUrl: natsUrl("NATS_URL", get("NATS_URL")),
    actorHosts: integer("BERTH_ACTOR_HOSTS", get("BERTH_ACTOR_HOSTS"), 1, 1, ACTOR_HOSTS_MAX),
    aiProvider: oneOf("BERTH_AI_PROVIDER", get("BERTH_AI_PROVIDER") ?? "sandbox", [
      "none",
      "sandbox",
      "openrouter",
    ]),
    containerDomain: domain("BERTH_CONTAINER_DOMAIN", get("BERTH_CONTAINER_DOMAIN") ?? "berth.localhost"),
  };
}

function address(name: string, text: string): string {
  if (isIP(text) !== 0) return text;
  throw new SetupError(
    `${name}=${text}: give an IP address to listen on, such as 127.0.0.1, or 0.0.0.0 for all of them`,
  );
}

function integer(name: string, text: string | undefined, unset: number, min: number, max: number): number {
  if (text === undefined) return unset;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new SetupError(`${name}=${text}: give a whole number from ${min} to ${max}`);
}

function oneOf<T extends string>(name: string, text: string, allowed: readonly T[]): T {
  const found = allowed.find((value) => value === text);
  if (found !== undefined) return found;
  throw new SetupError(`${name}=${text}: give one of ${allowed.join(", ")}`);
}

/** The text itself is never printed. */
function password(name: string, text: string | undefined): string | undefined {
  if (text === undefined || isText(Password, text)) return text;
  throw new SetupError(`${name}: give a password of 10 to 256 characters`);
}

/** Of one server, or of several with commas between them. */
function readDatabaseUrl(name: string, text: string | undefined): string | undefined {
  if (text === undefined || isDatabaseUrl(text)) return text;
  // Without the text, which may hold a password.
  throw new SetupError(`${name}: give an address such as postgres://user:password@host/name`);
}

function isDatabaseUrl(text: string): boolean {
  try {
    return serverUrls(text).every((one) => ["postgres:", "postgresql:"].includes(new URL(one).protocol));
  } catch {
    return false;
  }
}

/** Of one server, or of several with commas between them. */
function natsUrl(name: string, text: string | undefined): string | undefined {
  if (text === undefined || isNatsUrl(text)) return text;
  throw new SetupError(`${name}: give an address such as nats://user:password@host:4222`);
}

function domain(name: string, text: string): string {
  if (text.length <= 120 && DOMAIN.test(text)) return text;
  throw new SetupError(`${name}=${text}: give a domain name in lower case, such as berth.localhost`);
}
