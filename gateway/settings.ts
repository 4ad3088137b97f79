import { domain, type Environment, integer, required } from "../actors/environment.ts";
import type { FirewallLimits } from "../actors/firewall/rules.ts";
import { readAiCreditFeeBps, readFirewallLimits } from "../actors/settings.ts";
import { type Payments, readPayments } from "./payments/settings.ts";
import { type AddressOf, clientAddresses } from "./plugins/client-address.ts";

/** What an operator sets for gateways, by environment. */
export interface GatewaySettings {
  readonly databaseUrl: string;
  readonly natsUrl: string;
  readonly port: number;
  /** Address to listen on; all of them unless told. */
  readonly hostname: string;
  /** An Ed25519 private key in PEM; the same for every gateway of a cluster. */
  readonly signingKeyFile: string;
  readonly firewall: FirewallLimits;
  /** Under which containers and aliases have their addresses. */
  readonly containerDomain: string;
  readonly addressOf: AddressOf;
  readonly payments: Payments;
  readonly aiCreditFeeBps: number;
}

/** @throws Error with one line that names the variable and what it may hold. */
export const readGatewaySettings = (env: Environment): GatewaySettings => ({
  databaseUrl: required(
    env,
    "DATABASE_URL",
    "the PostgreSQL of the cluster, postgres://user:password@host/database",
  ),
  natsUrl: required(env, "NATS_URL", "the NATS of the cluster, nats://user:password@host:4222"),
  port: integer(env, "BERTH_PORT", 3_000, 1, 65_535),
  hostname: env.BERTH_LISTEN || "0.0.0.0",
  signingKeyFile: required(env, "BERTH_SIGNING_KEY_FILE", "a file with an Ed25519 private key in PEM"),
  firewall: readFirewallLimits(env),
  containerDomain: domain(env, "BERTH_CONTAINER_DOMAIN", "berth.localhost"),
  addressOf: trustedProxies(env),
  payments: readPayments(env, integer(env, "BERTH_PORT", 3_000, 1, 65_535)),
  aiCreditFeeBps: readAiCreditFeeBps(env),
});

function trustedProxies(env: Environment): AddressOf {
  try {
    return clientAddresses(env.BERTH_TRUSTED_PROXIES ?? "");
  } catch (error) {
    throw new Error(
      `BERTH_TRUSTED_PROXIES: ${(error as Error).message}: it lists those of your proxies, such as 10.0.0.0/8,::1`,
    );
  }
}
