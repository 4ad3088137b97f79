import { join } from "node:path";
import { PAYMENT_SECRETS } from "../payments.ts";

/** Variables of the user's environment that processes get only as `roles.ts` says. */
const WITHHELD = [
  "DATABASE_URL",
  "BERTH_GATEWAY_DATABASE_URL",
  "BERTH_OWNER_DATABASE_URL",
  "NATS_URL",
  "BERTH_ADMIN_PASSWORD",
  "BERTH_DEMO_PASSWORD",
  ...PAYMENT_SECRETS,
  "BERTH_OPENROUTER_PROVISIONING_KEY",
  "BERTH_CODEHOST_CLIENT_SECRET",
  "BERTH_SMTP_URL",
];

/** The authority that this machine's agent makes, unless it is given other certificates. */
export function edgeAuthority(env: NodeJS.ProcessEnv, data: string): Record<string, string> {
  const hasOthers = [env.BERTH_EDGE_AUTHORITY, env.BERTH_EDGE_CERT, env.BERTH_ACME_URL].some(Boolean);
  return hasOthers ? {} : { BERTH_EDGE_AUTHORITY: join(data, "agent/edge/tls/ca.pem") };
}

/** A withheld variable for a process that needs it, if it is set. */
export function secret(name: string): Record<string, string> {
  const value = process.env[name];
  return value === undefined ? {} : { [name]: value };
}

/** The user's environment, without secrets. */
export function inherited(): Record<string, string> {
  const entries = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !WITHHELD.includes(entry[0]),
  );
  return Object.fromEntries(entries);
}
