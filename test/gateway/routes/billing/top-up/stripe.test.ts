import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { returnAddress } from "../../../../../gateway/payments/return-address.ts";
import { type EmbeddedStack, startEmbeddedStack, type TestUser } from "../../../../harness/embedded-stack.ts";
import { balanceOf, has, intentOf, topUp } from "./processors.ts";
import { STRIPE_KEY, startStripe } from "./stripe-server.ts";

const SECRETS = ["whsec_new", "whsec_old"] as const;

const stripe = startStripe();
let stack: EmbeddedStack;
let user: TestUser;
beforeAll(async () => {
  stack = await startEmbeddedStack({
    env: {
      BERTH_CARDPAY_PROVIDER: "stripe",
      BERTH_CARDPAY_WEBHOOK_SECRETS: SECRETS.join(","),
      BERTH_STRIPE_SECRET_KEY: STRIPE_KEY,
      BERTH_STRIPE_URL: stripe.url,
      BERTH_TOP_UP_RETURN_URL: "https://app.example.com/paid",
    },
  });
});
beforeEach(async () => {
  stripe.state.mode = "up";
  user = await stack.user();
});
afterAll(async () => {
  await stack.stop();
  await stripe.stop();
});

const checkout = (key: string, amount = "25") => topUp(stack, user, { amount, idempotency_key: key });
const sessionOf = (url: string) => {
  const session = stripe.sessions.find((one) => one.url === url);
  if (session === undefined) throw new Error(`no session at ${url}`);
  return session;
};
async function opened() {
  const { intent, checkout_url } = (await checkout("k")).body.data;
  return { id: intent.id as string, intent, session: sessionOf(checkout_url) };
}
const tell = ({ body, headers }: { body: string; headers: Record<string, string> }) =>
  stack.call("POST", "/api/v1/callbacks/cardpay", { body, headers });

test("a checkout is a session at Stripe that names the intent, the amount and where to return", async () => {
  const { status, body } = await checkout("k", "25.5");
  expect(status).toBe(201);
  const { params } = sessionOf(body.data.checkout_url);
  const { intent } = body.data;
  expect(Object.fromEntries(params)).toEqual({
    mode: "payment",
    client_reference_id: intent.id,
    "metadata[berth_intent]": intent.id,
    "line_items[0][quantity]": "1",
    "line_items[0][price_data][currency]": "usd",
    "line_items[0][price_data][unit_amount]": "2550",
    "line_items[0][price_data][product_data][name]": "Wallet top-up",
    "adaptive_pricing[enabled]": "false",
    expires_at: String(Math.floor(Date.parse(intent.expires_at) / 1000) + 35 * 60),
    success_url: returnAddress("https://app.example.com/paid", SECRETS, intent.id, "paid"),
    cancel_url: returnAddress("https://app.example.com/paid", SECRETS, intent.id, "canceled"),
  });
  expect(stripe.requests.at(-1)?.key).toBe(intent.id);
});

test("a session that is paid credits the wallet, by the secret in use and by the one before it", async () => {
  for (const [i, secret] of SECRETS.entries()) {
    const { body } = await checkout(`k${i}`);
    const session = sessionOf(body.data.checkout_url);
    const event = await stripe.event(secret, "checkout.session.completed", session);
    expect((await tell(event)).status).toBe(200);
    expect((await tell(event)).status).toBe(200);
    await has(stack, user, body.data.intent.id, "completed");
  }
  expect(await balanceOf(stack, user)).toBe("50.00");
});

test("a session that is completed and unpaid waits for the money, which may come or fail", async () => {
  const { id, session } = await opened();
  const completed = await stripe.event(SECRETS[0], "checkout.session.completed", session, {
    payment_status: "unpaid",
  });
  expect((await tell(completed)).status).toBe(200);
  expect((await intentOf(stack, user, id)).status).toBe("pending");
  const failed = "checkout.session.async_payment_failed";
  await tell(await stripe.event(SECRETS[0], failed, session, { payment_status: "unpaid" }));
  expect((await intentOf(stack, user, id)).status).toBe("failed");
  await tell(await stripe.event(SECRETS[0], "checkout.session.async_payment_succeeded", session));
  await has(stack, user, id, "completed");
  expect(await balanceOf(stack, user)).toBe("25.00");
});

test("a session that Stripe expires ends the intent", async () => {
  const { id, session } = await opened();
  await tell(
    await stripe.event(SECRETS[0], "checkout.session.expired", session, { payment_status: "unpaid" }),
  );
  expect((await intentOf(stack, user, id)).status).toBe("expired");
});

test("another amount or currency than was asked for credits nothing", async () => {
  const { id, session } = await opened();
  for (const change of [{ amount_total: 2400 }, { currency: "eur" }]) {
    expect(
      (await tell(await stripe.event(SECRETS[0], "checkout.session.completed", session, change))).status,
    ).toBe(200);
  }
  expect((await intentOf(stack, user, id)).status).toBe("pending");
  expect(await balanceOf(stack, user)).toBe("0.00");
  const rows = await stack.db`SELECT reason, reported FROM payment_reviews WHERE intent_id = ${id}`;
  expect([...rows]).toEqual([{ reason: "currency_mismatch", reported: "2500 EUR in minor units" }]);
});

test("an event that is stale, changed, or signed by another secret is refused", async () => {
  const { id, session } = await opened();
  const type = "checkout.session.completed";
  const old = Math.floor(Date.now() / 1000) - 400;
  const good = await stripe.event(SECRETS[0], type, session);
  for (const event of [
    await stripe.event("whsec_other", type, session),
    await stripe.event(SECRETS[0], type, session, {}, old),
    { ...good, body: good.body.replace("2500", "9500") },
    { ...good, body: `${good.body}\n` },
    { ...good, headers: { "stripe-signature": "" } },
    { ...good, headers: { "stripe-signature": "t=1,v1=00" } },
  ]) {
    const { status, body } = await tell(event);
    expect({ status, code: body.code, message: body.message }).toEqual({
      status: 400,
      code: "INVALID_SIGNATURE",
      message: "invalid signature",
    });
  }
  expect((await intentOf(stack, user, id)).status).toBe("pending");
});

test("a signed event with text that is none of a name is refused by its field", async () => {
  const { id, session } = await opened();
  const type = "checkout.session.completed";
  for (const [field, change] of [
    ["id", { id: "cs_\u0000" }],
    ["id", { id: "c".repeat(256) }],
    ["currency", { currency: "us\u0000" }],
    ["currency", { currency: "ß".repeat(16) }],
  ] as const) {
    const { status, body } = await tell(await stripe.event(SECRETS[0], type, session, change));
    expect({ status, code: body.code, data: body.data }).toEqual({
      status: 400,
      code: "VALIDATION_ERROR",
      data: { field: `body.data.object.${field}` },
    });
  }
  expect((await intentOf(stack, user, id)).status).toBe("pending");
});

test("what else happens on the account is not ours, and is answered as received", async () => {
  const { session } = await opened();
  const others = [
    await stripe.event(SECRETS[0], "charge.refunded", session),
    await stripe.event(SECRETS[0], "checkout.session.completed", session, { metadata: {} }),
    await stripe.event(SECRETS[0], "checkout.session.completed", session, { mode: "subscription" }),
  ];
  for (const event of others) expect((await tell(event)).status).toBe(200);
  expect(await balanceOf(stack, user)).toBe("0.00");
});

test.each(["down", "refuse"] as const)(
  "while Stripe is of no use (%s) a checkout says so and stays open to be resumed",
  async (mode) => {
    stripe.state.mode = mode;
    const { status, body, headers } = await checkout("k");
    expect({ status, code: body.code }).toEqual({ status: 503, code: "PAYMENT_PROVIDER_UNAVAILABLE" });
    expect(headers.get("retry-after")).not.toBeNull();
    expect(JSON.stringify(body)).not.toContain(STRIPE_KEY);
    const listed = await stack.call("GET", "/api/v1/wallet/payments/cardpay/intents", { token: user.token });
    expect(listed.body.data.intents).toMatchObject([{ status: "pending", redirect_url: null }]);
    stripe.state.mode = "up";
    const resumed = await checkout("k");
    expect(resumed.status).toBe(201);
    expect(resumed.body.data.intent.id).toBe(listed.body.data.intents[0].id);
  },
);

test("a session that was made while its answer was lost is the one that a retry gets", async () => {
  stripe.state.mode = "loses-answers";
  const before = stripe.sessions.length;
  expect((await checkout("k")).status).toBe(503);
  expect(stripe.sessions.length).toBe(before + 1);
  stripe.state.mode = "up";
  const { body } = await checkout("k");
  expect(stripe.sessions.length).toBe(before + 1);
  expect(body.data.checkout_url).toBe(stripe.sessions.at(-1)?.url);
});

test("money for a session that the gateway never learned of is credited", async () => {
  stripe.state.mode = "loses-answers";
  expect((await checkout("k")).status).toBe(503);
  const session = stripe.sessions.at(-1);
  if (session === undefined) throw new Error("no session");
  const id = session.params.get("client_reference_id") ?? "";
  await tell(await stripe.event(SECRETS[0], "checkout.session.completed", session));
  await has(stack, user, id, "completed");
  expect(await balanceOf(stack, user)).toBe("25.00");
});

test("a Stripe that never answers is not waited for without end", async () => {
  stripe.state.mode = "silent";
  const { status, body } = await checkout("k");
  expect({ status, code: body.code }).toEqual({ status: 503, code: "PAYMENT_PROVIDER_UNAVAILABLE" });
  stripe.state.mode = "up";
  expect((await checkout("k")).status).toBe(201);
});

test("ten requests at once under one key ask Stripe for one session", async () => {
  const before = stripe.requests.length;
  const answers = await Promise.all(Array.from({ length: 10 }, () => checkout("k")));
  expect(new Set(answers.map(({ body }) => body.data.checkout_url)).size).toBe(1);
  expect(stripe.requests.length).toBe(before + 1);
});

test("the provider that is not set up is not enabled, and takes neither invoices nor callbacks", async () => {
  const { token } = user;
  const { body } = await stack.call("GET", "/api/v1/wallet/payment-availability", { token });
  expect(body.data).toMatchObject({ cardpay: { enabled: true }, cryptopay: { enabled: false } });
  const invoice = await topUp(stack, user, { amount: "25", idempotency_key: "k" }, "cryptopay");
  expect({ status: invoice.status, code: invoice.body.code }).toEqual({
    status: 409,
    code: "PAYMENT_PROVIDER_DISABLED",
  });
  const callback = await stack.call("POST", "/api/v1/callbacks/cryptopay", { body: "{}" });
  expect(callback.body.code).toBe("PAYMENT_PROVIDER_DISABLED");
});

test("no sandbox page is there for a session of a real processor", async () => {
  const { session } = await opened();
  for (const name of [session.id, `sbx_${"0".repeat(40)}`]) {
    for (const method of ["GET", "POST"]) {
      const { status } = await fetch(`${stack.url}/sandbox/cardpay/${name}`, { method, body: null });
      expect([400, 404]).toContain(status);
    }
  }
});
