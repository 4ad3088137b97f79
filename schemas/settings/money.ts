import { Decimal, List, type Setting, Text, Url, Whole, Word } from "./setting.ts";

/** Top-ups, invoices, AI credit. */
export const money: readonly Setting[] = [
  {
    name: "BERTH_AI_CREDIT_FEE_BPS",
    roles: ["gateway", "actors"],
    type: Whole(0, 9_999),
    standard: "500",
    meaning:
      "the platform's fee on a transfer, in basis points; rounded half-up to the cent, so that at 500 an amount below 0.10 costs nothing; give both the same",
  },
  {
    name: "BERTH_CARDPAY_PROVIDER",
    roles: ["gateway"],
    type: Word("none", "sandbox", "stripe"),
    standard: "none",
    meaning: "the processor of top-ups by card: `stripe` or `sandbox`. See [Top-ups](operations.md#top-ups)",
  },
  {
    name: "BERTH_CARDPAY_WEBHOOK_SECRETS",
    roles: ["gateway"],
    type: List,
    meaning: "the secrets that its callbacks are signed with; during a rotation several, the newest first",
    isSecret: true,
  },
  {
    name: "BERTH_CARDPAY_MIN_USD",
    roles: ["gateway"],
    type: Decimal(0.5, 999_999.99),
    standard: "5",
    meaning: "the least of one top-up",
  },
  {
    name: "BERTH_CARDPAY_MAX_USD",
    roles: ["gateway"],
    type: Decimal(0.5, 999_999.99),
    standard: "10000",
    meaning: "the most of one top-up",
  },
  {
    name: "BERTH_CRYPTOPAY_PROVIDER",
    roles: ["gateway"],
    type: Word("none", "sandbox", "btcpay"),
    standard: "none",
    meaning:
      "the processor of top-ups by crypto: `btcpay` or `sandbox`. See [Top-ups](operations.md#top-ups)",
  },
  {
    name: "BERTH_CRYPTOPAY_WEBHOOK_SECRETS",
    roles: ["gateway"],
    type: List,
    meaning: "the secrets that its callbacks are signed with; during a rotation several, the newest first",
    isSecret: true,
  },
  {
    name: "BERTH_CRYPTOPAY_MIN_USD",
    roles: ["gateway"],
    type: Decimal(0.5, 999_999.99),
    standard: "5",
    meaning: "the least of one top-up",
  },
  {
    name: "BERTH_CRYPTOPAY_MAX_USD",
    roles: ["gateway"],
    type: Decimal(0.5, 999_999.99),
    standard: "10000",
    meaning: "the most of one top-up",
  },
  {
    name: "BERTH_STRIPE_SECRET_KEY",
    roles: ["gateway"],
    type: Text,
    meaning: "the secret or restricted key of the Stripe account",
    isSecret: true,
  },
  {
    name: "BERTH_STRIPE_URL",
    roles: ["gateway"],
    type: Url,
    standard: "https://api.stripe.com",
    meaning: "the API of Stripe",
  },
  {
    name: "BERTH_BTCPAY_URL",
    roles: ["gateway"],
    type: Url,
    meaning: "your BTCPay Server",
  },
  {
    name: "BERTH_BTCPAY_API_KEY",
    roles: ["gateway"],
    type: Text,
    meaning: "a key with `btcpay.store.cancreateinvoice` and `btcpay.store.canviewinvoices`",
    isSecret: true,
  },
  {
    name: "BERTH_BTCPAY_STORE_ID",
    roles: ["gateway"],
    type: Text,
    meaning: "the id of the store there",
  },
  {
    name: "BERTH_TOP_UP_LIFETIME_SECONDS",
    roles: ["gateway"],
    type: Whole(1, 82_800),
    standard: "3600",
    meaning: "how long an intent waits for its payment",
  },
  {
    name: "BERTH_TOP_UP_RETURN_URL",
    roles: ["gateway"],
    type: Url,
    standardIs: "`<BERTH_PUBLIC_URL>/payments/return`",
    meaning:
      "where processors send users afterwards; `?outcome=` is the result as far as the browser knows, and `payment=` the mark by which the standard page shows the payment",
  },
  {
    name: "BERTH_SELLER_NAME",
    roles: ["actors"],
    type: Text,
    standard: "Berth",
    meaning:
      "the seller on invoices, up to 80 characters. Give all actor hosts the same; issued invoices do not change",
  },
  {
    name: "BERTH_SELLER_DETAILS",
    roles: ["actors"],
    type: Text,
    meaning: "up to 8 lines of 60 characters below the seller (address, tax number), separated by `;`",
  },
  {
    name: "BERTH_AI_PROVIDER",
    roles: ["gateway", "actors"],
    type: Word("none", "sandbox", "openrouter"),
    standard: "none",
    meaning:
      "the provider at which users spend AI credit: `none`, `sandbox` (rows in the database, for demos) or `openrouter`; the same for both",
  },
  {
    name: "BERTH_AI_PROVIDER",
    roles: ["start"],
    type: Word("none", "sandbox", "openrouter"),
    standard: "sandbox",
    meaning: "the same",
  },
  {
    name: "BERTH_AI_SANDBOX_CENTS_PER_HOUR",
    roles: ["gateway", "actors"],
    type: Whole(0, 100_000),
    standard: "0",
    meaning: "what each user of the provider `sandbox` spends, up to the user's limit",
  },
  {
    name: "BERTH_OPENROUTER_PROVISIONING_KEY",
    roles: ["gateway", "actors"],
    type: Text,
    meaning: "a provisioning (management) key; needed by `openrouter`",
    isSecret: true,
  },
  {
    name: "BERTH_OPENROUTER_URL",
    roles: ["gateway", "actors"],
    type: Url,
    standard: "https://openrouter.ai/api/v1",
    meaning: "the API of OpenRouter",
  },
];
