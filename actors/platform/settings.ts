import { availableParallelism } from "node:os";
import { QUOTA_NAMES, QUOTAS, type QuotaName, type Quotas } from "../../schemas/accounts/quota.ts";
import type { Seller } from "../../schemas/billing/invoice.ts";
import { isAliasLabel } from "../../schemas/hosting/alias.ts";
import { type MetricsAddress, readMetricsAddress } from "../../system/metrics-server.ts";
import { type Networks, parseNetworks } from "../../system/networks.ts";
import { readSecretBox, type SecretBox } from "../../system/secret-box.ts";
import { type AcmeSettings, readAcme } from "./acme-settings.ts";
import { domain, type Environment, integer, name, oneOf, required, secureUrl } from "./environment.ts";
import { type MailSettings, readMail } from "./mail-settings.ts";
import { type KeepDays, type KeepHours, readKeepDays, readKeepHours } from "./retention-settings.ts";

/**
 * A lane keeps about two cores busy, here and in the database. More lanes than that make smaller commits, which cost
 * more for each change: on two cores a second lane cost a fifth of the throughput.
 */
const LANES = Math.min(Math.max(1, Math.floor(availableParallelism() / 2)), 4);

export interface FirewallLimits {
  /** Rules of a container, both directions together. */
  readonly maxRules: number;
  /** Bytes of its rules as they are stored; see `byteCount`. */
  readonly maxBytes: number;
}

/** The settings of an actor host, from environment variables. */
export interface Settings {
  readonly databaseUrl: string;
  readonly natsUrl: string;
  /** The servers of a NATS cluster that keep each stream and bucket. */
  readonly natsReplicas: number;
  /** The name of this actor host in logs and in the lease table. */
  readonly hostName: string;
  /** Lanes, each with one commit in progress at a time. */
  readonly lanes: number;
  readonly leaseTtlMs: number;
  /** Above this memory use, idle actors are evicted. */
  readonly memoryMaxMb: number;
  readonly aiCreditFeeBps: number;
  /** How long a server keeps its contents after the end of its rental. */
  readonly graceMs: number;
  /** What happens to the containers of users whom an administrator has suspended. */
  readonly suspendedContainers: "keep" | "stop";
  readonly aiProvider: AiProviderSettings;
  readonly codehostBonus: CodehostBonus | undefined;
  readonly firewall: FirewallLimits;
  readonly quotas: Quotas;
  /** Names that no alias may have. */
  readonly reservedAliases: ReadonlySet<string>;
  /** The seller named on invoices. */
  readonly seller: Seller;
  readonly webhooks: WebhookSettings;
  /** The mail server; undefined: no mail is sent. */
  readonly mail: MailSettings | undefined;
  /** A file with the keys of secrets, the same as the gateways'; undefined: there are no secrets. */
  readonly secretsKeyFile: string | undefined;
  /** The domain of the addresses of containers and aliases. */
  readonly containerDomain: string;
  /** Name servers at which proofs of users' own domains are looked for; none: the system's. */
  readonly domainNameServers: readonly string[];
  /** The authority of certificates; undefined: none are ordered. */
  readonly acme: AcmeSettings | undefined;
  /** The address of `/health` and `/metrics`, if they are served. */
  readonly metrics: MetricsAddress | undefined;
  /** How long rows are kept that nobody needs any more, in hours. */
  readonly keepHours: KeepHours;
  /** How long records are kept that somebody may still ask for, in days. */
  readonly keepDays: KeepDays;
  /** Where events are written before they are deleted for their age; undefined: nowhere. */
  readonly archiveFolder: string | undefined;
}

/** @throws Error with one line that names the variable and its allowed values */
export function readSettings(env: Environment): Settings {
  return {
    databaseUrl: required(
      env,
      "DATABASE_URL",
      "the PostgreSQL of the cluster, postgres://user:password@host/database",
    ),
    natsUrl: required(env, "NATS_URL", "the NATS of the cluster, nats://user:password@host:4222"),
    natsReplicas: readNatsReplicas(env),
    hostName: name(env, "BERTH_HOST_ID", "actors"),
    lanes: integer(env, "BERTH_LANES", LANES, 1, 16),
    memoryMaxMb: integer(env, "BERTH_ACTORS_MEMORY_MB", 1_024, 64, 1_048_576),
    leaseTtlMs: integer(env, "BERTH_LEASE_TTL_MS", 5_000, 500, 60_000),
    aiCreditFeeBps: readAiCreditFeeBps(env),
    graceMs: integer(env, "BERTH_GRACE_MINUTES", 3 * 24 * 60, 0, 90 * 24 * 60) * 60_000,
    suspendedContainers: oneOf(env, "BERTH_SUSPENDED_CONTAINERS", "keep", ["keep", "stop"]),
    aiProvider: readAiProvider(env),
    codehostBonus: readCodehostBonus(env),
    firewall: readFirewallLimits(env),
    quotas: readQuotas(env),
    reservedAliases: readReservedAliases(env),
    seller: readSeller(env),
    webhooks: readWebhooks(env),
    mail: readMail(env),
    secretsKeyFile: readSecretsKeyFile(env),
    containerDomain: domain(env, "BERTH_CONTAINER_DOMAIN", "berth.localhost"),
    domainNameServers: readNameServers(env),
    acme: readAcme(env),
    metrics: readMetricsAddress(env),
    keepHours: readKeepHours(env),
    keepDays: readKeepDays(env),
    archiveFolder: env.BERTH_ARCHIVE_FOLDER || undefined,
  };
}

/** Gateways and actor hosts keep streams and buckets on so many servers of a NATS cluster. */
export const readNatsReplicas = (env: Environment): number =>
  Number(oneOf(env, "BERTH_NATS_REPLICAS", "1", ["1", "3", "5"]));

/** An address with or without a port: `10.0.0.53`, `[::1]:5353`. */
const NAME_SERVER = /^([0-9.]+|[0-9a-f:]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?$/i;
/** Resolvers ask at most three. */
const NAME_SERVERS_MAX = 3;

function readNameServers(env: Environment): readonly string[] {
  const servers = (env.BERTH_DOMAIN_NAME_SERVERS ?? "").split(",").filter((one) => one !== "");
  if (servers.length <= NAME_SERVERS_MAX && servers.every((one) => NAME_SERVER.test(one))) return servers;
  throw new Error(
    `BERTH_DOMAIN_NAME_SERVERS: give up to ${NAME_SERVERS_MAX} addresses of name servers, such as 10.0.0.53, separated by commas`,
  );
}

/** Gateways encrypt secrets, and actor hosts decrypt them for the hosts that need them. */
export const readSecretsKeyFile = (env: Environment): string | undefined =>
  env.BERTH_SECRETS_KEY_FILE || undefined;

/** @throws Error with one line that names the variable */
export function readSecrets(file: string | undefined): SecretBox | null {
  if (file === undefined) return null;
  try {
    return readSecretBox(file);
  } catch (error) {
    throw new Error(`BERTH_SECRETS_KEY_FILE: ${(error as Error).message}`);
  }
}

/** The fee on transfers: the gateway shows it, the actors charge it. */
export const readAiCreditFeeBps = (env: Environment): number =>
  integer(env, "BERTH_AI_CREDIT_FEE_BPS", 500, 0, 9_999);

/**
 * The gateway shows these limits, the actors enforce them. All rules of a container must fit into one message of a
 * megabyte: to its host, and in the reply to their removal.
 */
export const readFirewallLimits = (env: Environment): FirewallLimits => ({
  maxRules: readQuota(env, "firewall_rules_per_container"),
  maxBytes: integer(env, "BERTH_FIREWALL_MAX_BYTES", 65_536, 256, 524_288),
});

/** The variable of a quota: `BERTH_QUOTA_CONTAINERS_PER_USER`. */
const readQuota = (env: Environment, quota: QuotaName): number =>
  integer(env, `BERTH_QUOTA_${quota.toUpperCase()}`, QUOTAS[quota].standard, 0, QUOTAS[quota].max);

/** The gateway shows quotas, the actors and the database enforce them. */
export const readQuotas = (env: Environment): Quotas =>
  Object.fromEntries(QUOTA_NAMES.map((quota) => [quota, readQuota(env, quota)])) as Quotas;

export interface WebhookSettings {
  /** Private networks that webhooks may reach, also without TLS. */
  readonly networks: Networks;
  /** A receiver is to answer at once, and to work afterwards. */
  readonly timeoutMs: number;
  readonly firstRetryMs: number;
  readonly giveUpMs: number;
}

export const readWebhooks = (env: Environment): WebhookSettings => ({
  networks: readWebhookNetworks(env),
  timeoutMs: integer(env, "BERTH_WEBHOOK_TIMEOUT_MS", 15_000, 100, 60_000),
  firstRetryMs: integer(env, "BERTH_WEBHOOK_FIRST_RETRY_MS", 5_000, 10, 3_600_000),
  giveUpMs: integer(env, "BERTH_WEBHOOK_GIVE_UP_SECONDS", 24 * 60 * 60, 1, 7 * 24 * 60 * 60) * 1_000,
});

/** Gateways refuse an address that actor hosts would not call. */
export function readWebhookNetworks(env: Environment): Networks {
  try {
    return parseNetworks(env.BERTH_WEBHOOK_NETWORKS ?? "");
  } catch (error) {
    throw new Error(`BERTH_WEBHOOK_NETWORKS: ${(error as Error).message}`);
  }
}

/** Names under which people and programs expect a host's own services, or which would make an alias look official. */
const RESERVED_ALIASES =
  "admin administrator api assets auth autoconfig autodiscover berth billing cdn console dashboard edge gateway help imap " +
  "localhost login mail metrics mta-sts ns1 ns2 pop postmaster proxy root security signin signup smtp static status support " +
  "system webmail wpad www";

function readReservedAliases(env: Environment): ReadonlySet<string> {
  const names = (env.BERTH_RESERVED_ALIASES || RESERVED_ALIASES)
    .split(/[\s,]+/)
    .filter((label) => label !== "");
  const wrong = names.find((label) => !isAliasLabel(label));
  if (wrong === undefined) return new Set(names);
  throw new Error(
    `BERTH_RESERVED_ALIASES names "${wrong}": it lists aliases of 3 to 61 of a-z, 0-9 and hyphen, such as www,api`,
  );
}

/** Fits on the first page of an invoice, however wide its letters are. */
const SELLER_NAME_LENGTH_MAX = 80;
const SELLER_LINE_LENGTH_MAX = 60;
const SELLER_LINES_MAX = 8;

function readSeller(env: Environment): Seller {
  const name = env.BERTH_SELLER_NAME || "Berth";
  const details = (env.BERTH_SELLER_DETAILS || "").split(";").map((line) => line.trim());
  const lines = details.filter((line) => line !== "");
  if ([...name].length > SELLER_NAME_LENGTH_MAX) {
    throw new Error(`BERTH_SELLER_NAME: give at most ${SELLER_NAME_LENGTH_MAX} characters`);
  }
  const areLong = lines.some((line) => [...line].length > SELLER_LINE_LENGTH_MAX);
  if (lines.length > SELLER_LINES_MAX || areLong) {
    throw new Error(
      `BERTH_SELLER_DETAILS: give at most ${SELLER_LINES_MAX} lines, of ${SELLER_LINE_LENGTH_MAX} characters each, with ";" between them`,
    );
  }
  return { name, details: lines };
}

const MICROS_PER_CENT = 10_000;

export type AiProviderSettings =
  | { readonly provider: "none" }
  /** `microsPerMinute`: what each user of the sandbox spends. */
  | { readonly provider: "sandbox"; readonly microsPerMinute: number }
  | { readonly provider: "openrouter"; readonly url: string; readonly provisioningKey: string };

/** Actor hosts create keys and set their limits, gateways read the usage. */
export function readAiProvider(env: Environment): AiProviderSettings {
  const provider = oneOf(env, "BERTH_AI_PROVIDER", "none", ["none", "sandbox", "openrouter"]);
  if (provider === "none") return { provider };
  if (provider === "sandbox") {
    const centsPerHour = integer(env, "BERTH_AI_SANDBOX_CENTS_PER_HOUR", 0, 0, 100_000);
    return { provider, microsPerMinute: Math.round((centsPerHour * MICROS_PER_CENT) / 60) };
  }
  return {
    provider,
    url: secureUrl(env, "BERTH_OPENROUTER_URL", "https://openrouter.ai/api/v1"),
    provisioningKey: required(
      env,
      "BERTH_OPENROUTER_PROVISIONING_KEY",
      "a provisioning (management) key of OpenRouter, which BERTH_AI_PROVIDER=openrouter needs",
    ),
  };
}

/** The bonus for users who link an identity at the code host. */
export interface CodehostBonus {
  /** The repository for which the bonus is offered. */
  readonly repo: string;
  readonly amountCents: bigint;
}

/** The bonus is offered while its repository is set and it is not switched off. Gateways show it, actors grant it. */
export function readCodehostBonus(env: Environment): CodehostBonus | undefined {
  const isOn = oneOf(env, "BERTH_CODEHOST_BONUS", "on", ["on", "off"]) === "on";
  const repo = env.BERTH_CODEHOST_BONUS_REPO ?? "";
  if (repo !== "" && !/^[A-Za-z0-9_.-]{1,100}\/[A-Za-z0-9_.-]{1,100}$/.test(repo))
    throw new Error(`BERTH_CODEHOST_BONUS_REPO is "${repo}": it may be a repository such as owner/name`);
  const amountCents = BigInt(integer(env, "BERTH_CODEHOST_BONUS_CENTS", 500, 1, 100_000_000));
  return isOn && repo !== "" ? { repo, amountCents } : undefined;
}
