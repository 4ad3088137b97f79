import { afterAll, beforeAll, expect, test } from "bun:test";
import { type EmbeddedStack, startEmbeddedStack, type TestUser } from "../../../../harness/embedded-stack.ts";
import { balanceOf, callback, has, intentOf, opened, SANDBOX_ENV, topUp } from "./processors.ts";

let stack: EmbeddedStack;
/** Who is refused: sign-ups are counted. */
let refused: TestUser;
beforeAll(async () => {
  stack = await startEmbeddedStack({
    env: { ...SANDBOX_ENV, BERTH_CRYPTOPAY_MIN_USD: "20", BERTH_CRYPTOPAY_MAX_USD: "99.50" },
  });
  refused = await stack.user();
});
afterAll(() => stack.stop());

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const list = (token: string, query = "", provider = "cardpay") =>
  stack.call("GET", `/api/v1/wallet/payments/${provider}/intents${query}`, { token });

test("availability tells bounds and fee of each provider, and no secret", async () => {
  const { token } = await stack.user();
  const { status, body } = await stack.call("GET", "/api/v1/wallet/payment-availability", { token });
  expect(status).toBe(200);
  expect(body.data).toEqual({
    cardpay: { enabled: true, min_usd: 5, max_usd: 10_000 },
    cryptopay: { enabled: true, min_usd: 20, max_usd: 99.5 },
    ai_credit_fee_bps: 500,
  });
});

test("a checkout answers a pending intent and where to pay, and credits nothing", async () => {
  const user = await stack.user();
  const { status, body } = await topUp(stack, user, { amount: "25", idempotency_key: "k" });
  expect(status).toBe(201);
  const { intent, checkout_url } = body.data;
  expect(intent).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{24}$/),
    provider: "cardpay",
    status: "pending",
    amount: 25,
    credited_amount: null,
    currency: "USD",
    redirect_url: checkout_url,
    credited_at: null,
    expires_at: expect.stringMatching(TIMESTAMP),
    created_at: expect.stringMatching(TIMESTAMP),
    updated_at: expect.stringMatching(TIMESTAMP),
  });
  expect(checkout_url).toStartWith(`${stack.url}/sandbox/cardpay/sbx_`);
  expect(Date.parse(intent.expires_at) - Date.parse(intent.created_at)).toBe(3_600_000);
  expect(await intentOf(stack, user, intent.id)).toEqual(intent);
  expect(await balanceOf(stack, user)).toBe("0.00");
});

test("an invoice answers the same of the other provider", async () => {
  const user = await stack.user();
  const { status, body } = await topUp(stack, user, { amount: "20.5", idempotency_key: "k" }, "cryptopay");
  expect(status).toBe(201);
  expect(body.data.intent).toMatchObject({ provider: "cryptopay", amount: 20.5, status: "pending" });
  expect(body.data.invoice_url).toStartWith(`${stack.url}/sandbox/cryptopay/`);
});

test("a payment that is confirmed is in the wallet, the ledger and the log, and the intent says when", async () => {
  const user = await stack.user();
  const { id, session } = await opened(stack, user, "25.00");
  expect((await callback(stack, { intent: id, session })).status).toBe(200);
  const intent = await has(stack, user, id, "completed");
  expect(intent.credited_at).toMatch(TIMESTAMP);
  expect(await balanceOf(stack, user)).toBe("25.00");
  const movements = await stack.db`
    SELECT m.from_account, m.to_account, m.amount_micros, t.transaction_type FROM movements m
    JOIN transactions t ON t.id = m.transaction_id WHERE m.user_id = ${user.id}`;
  expect([...movements]).toEqual([
    {
      from_account: "source:cardpay",
      to_account: `general:${user.id}`,
      amount_micros: 25_000_000n,
      transaction_type: "top_up",
    },
  ]);
  const events = (await stack.call("GET", "/api/v1/events", { token: user.token })).body.data.events;
  const types = events.map(({ event_type }: { event_type: string }) => event_type);
  expect(types).toContain("user.balance_credited");
  expect(types).toContain("activity_log.payment_settled");
});

test("the same key answers the same intent, before and after it was paid, whatever the amount", async () => {
  const user = await stack.user();
  const first = await topUp(stack, user, { amount: "25", idempotency_key: "k" });
  const again = await topUp(stack, user, { amount: "25.00", idempotency_key: "k" });
  expect(again.status).toBe(201);
  expect(again.body.data).toEqual(first.body.data);
  const other = await topUp(stack, user, { amount: "26", idempotency_key: "k" });
  expect([other.status, other.body.data]).toEqual([201, first.body.data]);
  const { intent, checkout_url } = first.body.data;
  await callback(stack, { intent: intent.id, session: checkout_url.split("/").at(-1) });
  await has(stack, user, intent.id, "completed");
  const paid = await topUp(stack, user, { amount: "25", idempotency_key: "k" });
  expect(paid.status).toBe(201);
  expect(paid.body.data.intent).toMatchObject({ id: intent.id, status: "completed" });
  expect((await list(user.token)).body.data.total).toBe(1);
});

test("ten requests at once under one key make one intent", async () => {
  const user = await stack.user();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => topUp(stack, user, { amount: "25", idempotency_key: "k" })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  expect(new Set(answers.map(({ body }) => body.data.checkout_url)).size).toBe(1);
  expect((await list(user.token)).body.data.total).toBe(1);
});

test("one key with both providers makes an intent with each, and so does one key of two users", async () => {
  const [one, two] = await Promise.all([stack.user(), stack.user()]);
  const asked = { amount: "25", idempotency_key: "k" };
  const answers = [
    await topUp(stack, one, asked),
    await topUp(stack, one, asked, "cryptopay"),
    await topUp(stack, two, asked),
  ];
  expect(new Set(answers.map(({ body }) => body.data.intent.id)).size).toBe(3);
});

test("the key may come in the header; one in the body wins over it; without one each request is a new intent", async () => {
  const { token } = await stack.user();
  const ask = (body: object, headers: Record<string, string> = {}) =>
    stack.call("POST", "/api/v1/wallet/payments/cardpay/checkout", { token, body, headers });
  const header = { "idempotency-key": "of-the-header" };
  const first = (await ask({ amount: "25" }, header)).body.data.intent.id;
  expect((await ask({ amount: "25", idempotency_key: "of-the-header" })).body.data.intent.id).toBe(first);
  expect((await ask({ amount: "25", idempotency_key: "other" }, header)).body.data.intent.id).not.toBe(first);
  const minted = [await ask({ amount: "25" }), await ask({ amount: "25" })];
  expect(minted.map(({ status }) => status)).toEqual([201, 201]);
  expect(minted[0]?.body.data.intent.id).not.toBe(minted[1]?.body.data.intent.id);
});

test.each([
  ["4.99", "must be from $5.00 to $10,000.00"],
  ["10000.01", "must be from $5.00 to $10,000.00"],
  ["0", "must be from $5.00 to $10,000.00"],
])("an amount of %s is refused with the bounds", async (amount, rule) => {
  const idempotency_key = `of ${amount}`;
  const { status, body } = await topUp(stack, refused, { amount, idempotency_key });
  expect({ status, data: body.data }).toEqual({ status: 400, data: { field: "body.amount" } });
  expect(body.message).toBe(`body.amount: ${rule}`);
  const { total } = (await list(refused.token)).body.data;
  // The key is not used up by a refusal.
  expect((await topUp(stack, refused, { amount: "5", idempotency_key })).status).toBe(201);
  expect((await list(refused.token)).body.data.total).toBe(total + 1);
});

test.each([
  ["amount", { amount: 25, idempotency_key: "k" }],
  ["amount", { amount: "1e3", idempotency_key: "k" }],
  ["amount", { amount: "-25", idempotency_key: "k" }],
  ["amount", { amount: "25.001", idempotency_key: "k" }],
  ["amount", { idempotency_key: "k" }],
  ["idempotency_key", { amount: "25", idempotency_key: " " }],
  ["idempotency_key", { amount: "25", idempotency_key: "k".repeat(129) }],
  ["user_id", { amount: "25", idempotency_key: "k", user_id: "0".repeat(24) }],
])("a wrong %s is named: %j", async (field, body) => {
  const answer = await topUp(stack, refused, body);
  expect({ status: answer.status, data: answer.body.data }).toEqual({
    status: 400,
    data: { field: `body.${field}` },
  });
});

test("intents are listed by provider, newest first and in pages", async () => {
  const user = await stack.user();
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) ids.unshift((await opened(stack, user, "25")).id);
  await topUp(stack, user, { amount: "25", idempotency_key: "k" }, "cryptopay");
  const shown = async (query: string) => {
    const { intents, total } = (await list(user.token, query)).body.data;
    return { ids: intents.map(({ id }: { id: string }) => id), total };
  };
  expect(await shown("")).toEqual({ ids, total: 3 });
  expect(await shown("?limit=2")).toEqual({ ids: ids.slice(0, 2), total: 3 });
  expect(await shown("?limit=2&offset=2")).toEqual({ ids: ids.slice(2), total: 3 });
  expect(await shown("?limit=1000")).toEqual({ ids, total: 3 });
  expect((await list(user.token, "", "cryptopay")).body.data.total).toBe(1);
  for (const query of ["limit=0", "limit=-1", "limit=x", "offset=-1"]) {
    const { status, body } = await list(user.token, `?${query}`);
    expect({ status, field: body.data.field }).toEqual({
      status: 400,
      field: `query.${query.split("=")[0]}`,
    });
  }
});

test("another user's intent, and one of the other provider, answer as one that is not there", async () => {
  const [owner, other] = await Promise.all([stack.user(), stack.user()]);
  const { id } = await opened(stack, owner, "25");
  const get = (token: string, provider: string, intent: string) =>
    stack.call("GET", `/api/v1/wallet/payments/${provider}/intents/${intent}`, { token });
  const missing = await get(other.token, "cardpay", "0".repeat(24));
  expect({ status: missing.status, code: missing.body.code }).toEqual({
    status: 404,
    code: "PAYMENT_INTENT_NOT_FOUND",
  });
  expect((await get(other.token, "cardpay", id)).body).toEqual(missing.body);
  expect((await get(owner.token, "cryptopay", id)).body).toEqual(missing.body);
  expect((await list(other.token)).body.data.total).toBe(0);
});
