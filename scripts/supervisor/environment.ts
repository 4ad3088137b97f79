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
