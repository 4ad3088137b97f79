import { expect, test } from "bun:test";
import { readPayments } from "../../../../../gateway/payments/settings.ts";
import { webhookSecret } from "./processors.ts";

const sandbox = { BERTH_CARDPAY_PROVIDER: "sandbox", BERTH_CARDPAY_WEBHOOK_SECRETS: webhookSecret() };
const stripe = {
  BERTH_CARDPAY_PROVIDER: "stripe",
  BERTH_CARDPAY_WEBHOOK_SECRETS: "whsec_a",
  BERTH_STRIPE_SECRET_KEY: "sk_test_1",
};
const btcpay = {
  BERTH_CRYPTOPAY_PROVIDER: "btcpay",
  BERTH_CRYPTOPAY_WEBHOOK_SECRETS: "a",
  BERTH_BTCPAY_URL: "https://btcpay.example.com",
  BERTH_BTCPAY_API_KEY: "key",
  BERTH_BTCPAY_STORE_ID: "store",
};

test("no provider is on unless it is named, and what is right is taken", () => {
  expect(readPayments({}, 3000).providers).toEqual({ cardpay: undefined, cryptopay: undefined });
  const { providers, returnUrl, lifetimeMs } = readPayments({ ...stripe, ...btcpay }, 3000);
  expect(providers.cardpay?.provider.adapter).toBe("stripe");
  expect(providers.cryptopay?.provider.adapter).toBe("btcpay");
  expect([returnUrl, lifetimeMs]).toEqual(["http://127.0.0.1:3000/payments/return", 3_600_000]);
});

test.each([
  [
    { BERTH_CARDPAY_PROVIDER: "btcpay" },
    'BERTH_CARDPAY_PROVIDER is "btcpay": it may be none, sandbox, stripe',
  ],
  [{ ...sandbox, BERTH_CARDPAY_WEBHOOK_SECRETS: "" }, "BERTH_CARDPAY_WEBHOOK_SECRETS is not set"],
  [
    { ...sandbox, BERTH_CARDPAY_WEBHOOK_SECRETS: "short" },
    "BERTH_CARDPAY_WEBHOOK_SECRETS: a secret is whsec_",
  ],
  [{ ...stripe, BERTH_CARDPAY_WEBHOOK_SECRETS: "a,,b" }, "BERTH_CARDPAY_WEBHOOK_SECRETS has an empty secret"],
  [{ ...stripe, BERTH_STRIPE_SECRET_KEY: "" }, "BERTH_STRIPE_SECRET_KEY is not set"],
  [{ ...stripe, BERTH_STRIPE_URL: "api.stripe.com" }, "BERTH_STRIPE_URL is no such address"],
  [{ ...btcpay, BERTH_BTCPAY_URL: "" }, "BERTH_BTCPAY_URL is not set"],
  [{ ...btcpay, BERTH_BTCPAY_STORE_ID: "" }, "BERTH_BTCPAY_STORE_ID is not set"],
  [{ BERTH_CARDPAY_MIN_USD: "0.10" }, 'BERTH_CARDPAY_MIN_USD is "0.10"'],
  [{ BERTH_CARDPAY_MAX_USD: "1e6" }, 'BERTH_CARDPAY_MAX_USD is "1e6"'],
  [{ BERTH_CARDPAY_MIN_USD: "20", BERTH_CARDPAY_MAX_USD: "10" }, "BERTH_CARDPAY_MIN_USD is above"],
  [{ BERTH_TOP_UP_LIFETIME_SECONDS: "86400" }, 'BERTH_TOP_UP_LIFETIME_SECONDS is "86400"'],
  [{ BERTH_PUBLIC_URL: "https://a:b@example.com" }, "BERTH_PUBLIC_URL is no such address"],
])("a setting that is wrong is told in one line without its secrets: %j", (env, line) => {
  try {
    readPayments(env, 3000);
  } catch (error) {
    const { message } = error as Error;
    expect(message).toStartWith(line);
    expect(message).not.toContain("\n");
    return;
  }
  throw new Error("it was taken");
});
