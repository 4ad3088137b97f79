import {
  domain,
  type Environment,
  integer,
  oneOf,
  required,
  secureUrl,
} from "../actors/platform/environment.ts";
import { readMailFrom } from "../actors/platform/mail-settings.ts";
import type { FirewallLimits } from "../actors/platform/settings.ts";
import {
  type AiProviderSettings,
  type CodehostBonus,
  readAiCreditFeeBps,
  readAiProvider,
  readCodehostBonus,
  readFirewallLimits,
  readNatsReplicas,
  readQuotas,
  readSecretsKeyFile,
  readWebhookNetworks,
} from "../actors/platform/settings.ts";
import type { Quotas } from "../schemas/accounts/quota.ts";
import type { EdgeAddress } from "../schemas/addresses.ts";
import { REQUEST_RATES } from "../schemas/settings/limits.ts";
import { requireDistinctPorts } from "../system/distinct-ports.ts";
import { urlHost } from "../system/listen-address.ts";
import { type MetricsAddress, readMetricsAddress } from "../system/metrics-server.ts";
import type { Networks } from "../system/networks.ts";
import { readTrustedProxies } from "../system/trusted-proxies.ts";
import { CODEHOST_CALLBACK, type CodehostSettings } from "./auth/codehost-client.ts";
import { PASSWORD_MEMORY_MB, PASSWORD_MEMORY_MB_MIN } from "./auth/passwords.ts";
import { REQUEST_BUCKETS, type RequestBucket, type RequestRates } from "./auth/request-limits.ts";
import { readTls, type TlsSettings } from "./certificates/settings.ts";
import { type AddressOf, clientAddresses } from "./http/client-address.ts";
import { address, type Payments, readPayments } from "./payments/settings.ts";

/** The settings of a gateway, from environment variables. */
export interface GatewaySettings {
  /** The URL of a database role that may only read. */
  readonly databaseUrl: string;
  readonly natsUrl: string;
  /** The servers of a NATS cluster that keep each bucket. */
  readonly natsReplicas: number;
  /** The file of the keys by which hosts get their credentials; undefined: the users of NATS are kept by hand. */
  readonly natsKeysFile: string | undefined;
  /** Where hosts reach NATS; by default where this gateway does. */
  readonly agentNatsUrl: string | undefined;
  readonly port: number;
  /** The address of `/metrics`, if it is served: never the API's port. */
  readonly metrics: MetricsAddress | undefined;
  /** The address to listen on; all addresses by default. */
  readonly hostname: string;
  /** An Ed25519 private key in PEM; the same for every gateway of a cluster. */
  readonly signingKeyFile: string;
  /** A file with the keys of secrets, the same as the actor hosts'; undefined: secrets are refused. */
  readonly secretsKeyFile: string | undefined;
  /** The URL of this API for users' browsers, without a slash at its end. */
  readonly publicUrl: string;
  readonly aiProvider: AiProviderSettings;
  readonly codehost: CodehostSettings | undefined;
  readonly codehostBonus: CodehostBonus | undefined;
  readonly firewall: FirewallLimits;
  /** How long the reply to a change of a firewall waits for the host. */
  readonly firewallAppliedWithinMs: number;
  readonly quotas: Quotas;
  /** Private networks that webhooks may reach. */
  readonly webhookNetworks: Networks;
  /** Whether actor hosts send mail. */
  readonly sendsMail: boolean;
  /** What hashing a password takes. */
  readonly passwordMemoryMb: number;
  /** Whether administrators without a second factor may do nothing but set one up. */
  readonly requireAdminSecondFactor: boolean;
  readonly requestRates: RequestRates;
  readonly addressOf: AddressOf;
  readonly payments: Payments;
  readonly aiCreditFeeBps: number;
  /** Where it listens for TLS; undefined: a proxy in front does. */
  readonly tls: TlsSettings | undefined;
  /** Whether certificates are ordered from an ACME authority. */
  readonly isAcmeOn: boolean;
  /** The domain and ports of the addresses of containers and aliases. */
  readonly edge: EdgeAddress;
  /** A file with the authorities of the certificates at these addresses, where those are not public ones. */
  readonly edgeAuthorityFile: string | undefined;
  /** Whether the console is built when the gateway starts, or when somebody first asks for it. */
  readonly consoleBuild: (typeof CONSOLE_BUILDS)[number];
  /** How long a gateway that was asked to stop serves on, not ready, so that load balancers send nothing to it any more. */
  readonly drainSeconds: number;
}

const CONSOLE_BUILDS = ["start", "first-visit"] as const;

/** @throws Error with one line that names the variable and its allowed values */
export function readGatewaySettings(env: Environment): GatewaySettings {
  const settings = readEach(env);
  requireDistinctPorts({
    BERTH_PORT: settings.port,
    BERTH_TLS_PORT: settings.tls?.port,
    BERTH_METRICS_PORT: settings.metrics?.port,
  });
  return settings;
}

const readEach = (env: Environment): GatewaySettings => ({
  databaseUrl:
    env.BERTH_GATEWAY_DATABASE_URL ||
    required(env, "DATABASE_URL", "the PostgreSQL of the cluster, postgres://user:password@host/database"),
  natsUrl: required(env, "NATS_URL", "the NATS of the cluster, nats://user:password@host:4222"),
  natsReplicas: readNatsReplicas(env),
  natsKeysFile: env.BERTH_NATS_KEYS_FILE || undefined,
  agentNatsUrl: env.BERTH_AGENT_NATS_URL || undefined,
  port: readPort(env),
  metrics: readMetricsAddress(env),
  hostname: readListen(env),
  signingKeyFile: required(env, "BERTH_SIGNING_KEY_FILE", "a file with an Ed25519 private key in PEM"),
  secretsKeyFile: readSecretsKeyFile(env),
  publicUrl: readPublicUrl(env),
  aiProvider: readAiProvider(env),
  codehost: readCodehost(env),
  codehostBonus: readCodehostBonus(env),
  firewall: readFirewallLimits(env),
  firewallAppliedWithinMs: integer(env, "BERTH_FIREWALL_APPLIED_WITHIN_MS", 1_000, 0, 60_000),
  quotas: readQuotas(env),
  webhookNetworks: readWebhookNetworks(env),
  sendsMail: readMailFrom(env) !== undefined,
  passwordMemoryMb: integer(
    env,
    "BERTH_PASSWORD_MEMORY_MB",
    PASSWORD_MEMORY_MB,
    PASSWORD_MEMORY_MB_MIN,
    1_024,
  ),
  requireAdminSecondFactor:
    oneOf(env, "BERTH_REQUIRE_ADMIN_SECOND_FACTOR", "off", ["on", "off"] as const) === "on",
  requestRates: readRequestRates(env),
  addressOf: clientAddresses(readTrustedProxies(env)),
  payments: readPayments(env, readPort(env)),
  aiCreditFeeBps: readAiCreditFeeBps(env),
  tls: readTls(env),
  isAcmeOn: Boolean(env.BERTH_ACME_URL),
  edge: {
    containerDomain: domain(env, "BERTH_CONTAINER_DOMAIN", "berth.localhost"),
    httpsPort: integer(env, "BERTH_EDGE_PORT", 443, 1, 65_535),
  },
  edgeAuthorityFile: env.BERTH_EDGE_AUTHORITY || undefined,
  consoleBuild: oneOf(env, "BERTH_CONSOLE_BUILD", "start", CONSOLE_BUILDS),
  drainSeconds: integer(env, "BERTH_DRAIN_SECONDS", 0, 0, 300),
});

const readListen = (env: Environment): string => env.BERTH_LISTEN || "0.0.0.0";

const readPort = (env: Environment): number => integer(env, "BERTH_PORT", 3_000, 1, 65_535);

const readRequestRates = (env: Environment): RequestRates =>
  Object.fromEntries(
    REQUEST_BUCKETS.map((bucket) => [
      bucket,
      integer(env, `BERTH_RATE_LIMIT_${bucket.toUpperCase()}`, REQUEST_RATES[bucket], 1, 1_000_000_000),
    ]),
  ) as Record<RequestBucket, number>;

const readPublicUrl = (env: Environment): string =>
  address(env, "BERTH_PUBLIC_URL", `http://${urlHost(readListen(env))}:${readPort(env)}`);

/** Undefined without a registered client. The addresses are GitHub's by default. */
function readCodehost(env: Environment): CodehostSettings | undefined {
  const clientId = env.BERTH_CODEHOST_CLIENT_ID ?? "";
  const kinds = ["none", "oauth", "sandbox"] as const;
  const kind = oneOf(env, "BERTH_CODEHOST_PROVIDER", clientId === "" ? "none" : "oauth", kinds);
  if (kind === "sandbox") return sandboxedCodehost(env);
  if (kind === "oauth")
    required(env, "BERTH_CODEHOST_CLIENT_ID", "the id of the OAuth client at the code host");
  else {
    if (readCodehostBonus(env) === undefined) return undefined;
    throw new Error(
      "BERTH_CODEHOST_CLIENT_ID is not set: the bonus of BERTH_CODEHOST_BONUS_REPO needs the OAuth client of a code host",
    );
  }
  return {
    clientId,
    clientSecret: required(env, "BERTH_CODEHOST_CLIENT_SECRET", "the secret of that OAuth client"),
    authorizeUrl: secureUrl(env, "BERTH_CODEHOST_AUTHORIZE_URL", "https://github.com/login/oauth/authorize"),
    tokenUrl: secureUrl(env, "BERTH_CODEHOST_TOKEN_URL", "https://github.com/login/oauth/access_token"),
    userUrl: secureUrl(env, "BERTH_CODEHOST_USER_URL", "https://api.github.com/user"),
    scope: env.BERTH_CODEHOST_SCOPE || "read:user",
    redirectUri: `${readPublicUrl(env)}${CODEHOST_CALLBACK}`,
  };
}

/** A code host of the gateway's own, where anybody is whoever they say: for demos and development. */
function sandboxedCodehost(env: Environment): CodehostSettings {
  const own = `http://${urlHost(readListen(env))}:${readPort(env)}`;
  return {
    clientId: "sandbox",
    clientSecret: required(
      env,
      "BERTH_CODEHOST_CLIENT_SECRET",
      "a secret that signs what the sandbox hands out, the same for every gateway",
    ),
    authorizeUrl: `${readPublicUrl(env)}/sandbox/codehost/authorize`,
    tokenUrl: `${own}/sandbox/codehost/token`,
    userUrl: `${own}/sandbox/codehost/user`,
    scope: "identity",
    redirectUri: `${readPublicUrl(env)}${CODEHOST_CALLBACK}`,
    isSandbox: true,
  };
}
