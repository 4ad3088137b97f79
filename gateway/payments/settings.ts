import { type Environment, integer, required } from "../../actors/platform/environment.ts";
import type { PaymentProviderName } from "../../schemas/billing/top-up.ts";
import { keyOf } from "../../system/standard-webhooks.ts";
import { type BtcpaySettings, btcpayProvider } from "./btcpay.ts";
import type { PaymentProvider } from "./provider.ts";
import { sandboxProvider } from "./sandbox/provider.ts";
import { stripeProvider } from "./stripe.ts";

/** A configured processor, with the bounds of one top-up in cents. */
export interface ConfiguredProvider {
  readonly provider: PaymentProvider;
  /** The newest first. */
  readonly webhookSecrets: readonly string[];
}

export interface Bounds {
  readonly minCents: bigint;
  readonly maxCents: bigint;
}

export interface Payments {
  /** Undefined for a provider that is off. */
  readonly providers: Readonly<Record<PaymentProviderName, ConfiguredProvider | undefined>>;
  readonly bounds: Readonly<Record<PaymentProviderName, Bounds>>;
  /** How long an intent waits for its payment. */
  readonly lifetimeMs: number;
  /** The page to which processors send users back. */
  readonly returnUrl: string;
}

/** Stripe keeps a session for at most a day, and sessions outlive their intents a little. */
const LIFETIME_SECONDS_MAX = 23 * 3_600;
const LIFETIME_SECONDS = 3_600;
const MIN_USD = "5";
const MAX_USD = "10000";
/** The smallest and the largest single payment of card processors. */
const BOUNDS_CENTS = { min: 50n, max: 99_999_999n };

/**
 * Reads the configuration of the payment processors. @throws Error with one line that names the variable and its
 * allowed values
 */
export function readPayments(env: Environment, port: number): Payments {
  const publicUrl = address(env, "BERTH_PUBLIC_URL", `http://127.0.0.1:${port}`);
  const returnUrl = address(env, "BERTH_TOP_UP_RETURN_URL", `${publicUrl}/payments/return`);
  const configured = (name: PaymentProviderName) => configuredProvider(env, name, publicUrl, returnUrl);
  return {
    providers: { cardpay: configured("cardpay"), cryptopay: configured("cryptopay") },
    bounds: { cardpay: readBounds(env, "CARDPAY"), cryptopay: readBounds(env, "CRYPTOPAY") },
    lifetimeMs:
      integer(env, "BERTH_TOP_UP_LIFETIME_SECONDS", LIFETIME_SECONDS, 1, LIFETIME_SECONDS_MAX) * 1000,
    returnUrl,
  };
}

function configuredProvider(
  env: Environment,
  name: PaymentProviderName,
  publicUrl: string,
  returnUrl: string,
): ConfiguredProvider | undefined {
  const prefix = `BERTH_${name.toUpperCase()}`;
  const kinds = name === "cardpay" ? ["none", "sandbox", "stripe"] : ["none", "sandbox", "btcpay"];
  const kind = env[`${prefix}_PROVIDER`] || "none";
  if (!kinds.includes(kind)) {
    throw new Error(`${prefix}_PROVIDER is "${kind}": it may be ${kinds.join(", ")}`);
  }
  if (kind === "none") return undefined;
  const webhookSecrets = secrets(env, `${prefix}_WEBHOOK_SECRETS`, kind === "sandbox");
  const common = { webhookSecrets, returnUrl };
  const provider =
    kind === "sandbox"
      ? sandboxProvider({ provider: name, webhookSecrets, publicUrl })
      : kind === "stripe"
        ? stripeProvider({
            ...common,
            secretKey: required(
              env,
              "BERTH_STRIPE_SECRET_KEY",
              "the secret or restricted key of the Stripe account",
            ),
            url: address(env, "BERTH_STRIPE_URL", "https://api.stripe.com"),
          })
        : btcpayProvider({ ...common, ...readBtcpay(env) });
  return { provider, webhookSecrets };
}

const readBtcpay = (env: Environment): Pick<BtcpaySettings, "url" | "apiKey" | "storeId"> => ({
  url: address(env, "BERTH_BTCPAY_URL"),
  apiKey: required(env, "BERTH_BTCPAY_API_KEY", "a key that may create and view invoices of the store"),
  storeId: required(env, "BERTH_BTCPAY_STORE_ID", "the id of the store at BTCPay Server"),
});

/** Never printed. */
function secrets(env: Environment, variable: string, areStandard: boolean): readonly string[] {
  const text = required(
    env,
    variable,
    "the secrets that callbacks are signed with, the newest first, separated by commas",
  );
  const all = text.split(",").map((secret) => secret.trim());
  if (all.includes("")) throw new Error(`${variable} has an empty secret: separate secrets by single commas`);
  for (const secret of areStandard ? all : []) {
    try {
      keyOf(secret);
    } catch (error) {
      throw new Error(`${variable}: ${(error as Error).message}`);
    }
  }
  return all;
}

function readBounds(env: Environment, name: "CARDPAY" | "CRYPTOPAY"): Bounds {
  const min = `BERTH_${name}_MIN_USD`;
  const max = `BERTH_${name}_MAX_USD`;
  const bounds = { minCents: cents(env, min, MIN_USD), maxCents: cents(env, max, MAX_USD) };
  if (bounds.minCents > bounds.maxCents) throw new Error(`${min} is above ${max}`);
  return bounds;
}

function cents(env: Environment, variable: string, standard: string): bigint {
  const text = env[variable] || standard;
  const [, dollars, fraction = ""] = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  const value = dollars === undefined ? -1n : BigInt(dollars) * 100n + BigInt(fraction.padEnd(2, "0"));
  if (value >= BOUNDS_CENTS.min && value <= BOUNDS_CENTS.max) return value;
  throw new Error(`${variable} is "${text}": it may be US dollars from 0.50 to 999999.99, such as 5 or 5.00`);
}

/** An address of HTTP without query, fragment and trailing slash. */
export function address(env: Environment, variable: string, standard?: string): string {
  const text = env[variable] || standard;
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
  const isPlain =
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    url.username + url.password + url.search + url.hash === "";
  if (isPlain) return url.href.replace(/\/+$/, "");
  // The text is left out: an address may hold a password.
  throw new Error(
    `${variable} is ${text === undefined ? "not set" : "no such address"}: give one such as https://pay.example.com`,
  );
}
