import { expect, test } from "bun:test";
import { readPayments } from "../../gateway/payments/settings.ts";
import { paymentEnvironment } from "../../scripts/payments.ts";

const sandboxSecret = "a generated secret of some length";

test("with the demo both providers run as sandbox, by what the gateway takes; without it they are off", () => {
  const { providers } = readPayments(paymentEnvironment({}, { isDemo: true, sandboxSecret }), 3000);
  expect([providers.cardpay?.provider.adapter, providers.cryptopay?.provider.adapter]).toEqual([
    "sandbox",
    "sandbox",
  ]);
  const off = readPayments(paymentEnvironment({}, { isDemo: false, sandboxSecret }), 3000);
  expect(off.providers).toEqual({ cardpay: undefined, cryptopay: undefined });
});

test("a provider that was set up is left as it is", () => {
  const env = {
    BERTH_CARDPAY_PROVIDER: "stripe",
    BERTH_STRIPE_SECRET_KEY: "sk_test_1",
    BERTH_CARDPAY_WEBHOOK_SECRETS: "whsec_mine",
    BERTH_CRYPTOPAY_PROVIDER: "none",
    BERTH_OTHER: "x",
  };
  const { BERTH_OTHER: _, ...payments } = env;
  expect(paymentEnvironment(env, { isDemo: true, sandboxSecret })).toEqual(payments);
});
