import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { returnAddress } from "../../../../../gateway/payments/return-address.ts";
import { type EmbeddedStack, startEmbeddedStack, type TestUser } from "../../../../harness/embedded-stack.ts";
import { until } from "../../../../harness/until.ts";
import { BTCPAY, type FakeInvoice, startBtcpay } from "./btcpay-server.ts";
import { balanceOf, intentOf, topUp } from "./processors.ts";

const SECRETS = ["new secret", "old secret"] as const;

const btcpay = startBtcpay();
let stack: EmbeddedStack;
let user: TestUser;
beforeAll(async () => {
  stack = await startEmbeddedStack({
    env: {
      BERTH_CRYPTOPAY_PROVIDER: "btcpay",
      BERTH_CRYPTOPAY_WEBHOOK_SECRETS: SECRETS.join(","),
      BERTH_BTCPAY_URL: `${btcpay.url}/`,
      BERTH_BTCPAY_API_KEY: BTCPAY.key,
      BERTH_BTCPAY_STORE_ID: BTCPAY.store,
    },
  });
});
beforeEach(async () => {
  btcpay.state.mode = "up";
  user = await stack.user();
});
afterAll(async () => {
  await stack.stop();
  await btcpay.stop();
});

const invoice = (key = "k") => topUp(stack, user, { amount: "25", idempotency_key: key }, "cryptopay");
const status = async (id: string) => (await intentOf(stack, user, id, "cryptopay")).status;
const tell = ({ body, headers }: { body: string; headers: Record<string, string> }) =>
  stack.call("POST", "/api/v1/callbacks/cryptopay", { body, headers });
const reviewsOf = async (id: string) => [
  ...(await stack.db`SELECT reason, paid_cents, status FROM payment_reviews WHERE intent_id = ${id}`),
];

async function opened() {
  const { intent, invoice_url } = (await invoice()).body.data;
  const made = btcpay.invoices.find(({ checkoutLink }) => checkoutLink === invoice_url);
  if (made === undefined) throw new Error(`no invoice at ${invoice_url}`);
  return { id: intent.id as string, made };
}
/** Something happens to an invoice at BTCPay Server, which tells of it. */
async function happens(made: FakeInvoice, type: string, change: Partial<FakeInvoice>) {
  Object.assign(made, change);
  return tell(btcpay.event(SECRETS[0], type, made));
}

test("an invoice is one at BTCPay Server, with the intent as its order", async () => {
  const { id, made } = await opened();
  expect(made).toMatchObject({
    amount: "25.00",
    currency: "USD",
    metadata: { orderId: id, source: "berth" },
    checkout: {
      expirationMinutes: 60,
      redirectURL: returnAddress(`${stack.url}/payments/return`, SECRETS, id),
    },
  });
});

test("an invoice that is settled credits the wallet once, by either secret and however often it is told", async () => {
  const { id, made } = await opened();
  Object.assign(made, { status: "Settled", paidAmount: "25.00000012" });
  const event = btcpay.event(SECRETS[1], "InvoiceSettled", made);
  for (const one of [event, event, btcpay.event(SECRETS[0], "InvoiceSettled", made)]) {
    expect((await tell(one)).status).toBe(200);
  }
  await until(async () => (await status(id)) === "completed");
  expect(await balanceOf(stack, user)).toBe("25.00");
});

test("what a callback claims is not believed: the invoice at the server is", async () => {
  const { id, made } = await opened();
  expect((await happens(made, "InvoiceSettled", {})).status).toBe(200);
  expect(await status(id)).toBe("pending");
  expect(await balanceOf(stack, user)).toBe("0.00");
});

test.each([
  [
    "paid over",
    { status: "Settled", additionalStatus: "PaidOver", paidAmount: "30.5" },
    3050n,
    "amount_mismatch",
  ],
  [
    "paid in part",
    { status: "Expired", additionalStatus: "PaidPartial", paidAmount: "10" },
    1000n,
    "not_final",
  ],
  [
    "paid late and not settled",
    { status: "Expired", additionalStatus: "PaidLate", paidAmount: "25" },
    2500n,
    "not_final",
  ],
  [
    "marked by hand",
    { status: "Settled", additionalStatus: "Marked", paidAmount: "0" },
    0n,
    "amount_mismatch",
  ],
] as const)(
  "an invoice that is %s credits nothing and is put before the operator",
  async (_what, change, paid, reason) => {
    const { id, made } = await opened();
    expect((await happens(made, "InvoicePaymentSettled", change)).status).toBe(200);
    expect(await reviewsOf(id)).toEqual([{ reason, paid_cents: paid, status: "open" }]);
    expect(await balanceOf(stack, user)).toBe("0.00");
  },
);

test("an invoice that is open, or confirms, waits: neither credited nor put before the operator", async () => {
  const { id, made } = await opened();
  await happens(made, "InvoicePaymentSettled", { additionalStatus: "PaidPartial", paidAmount: "10" });
  await happens(made, "InvoicePaymentSettled", {
    status: "Processing",
    additionalStatus: "None",
    paidAmount: "25",
  });
  expect(await status(id)).toBe("pending");
  expect(await reviewsOf(id)).toEqual([]);
  expect(await balanceOf(stack, user)).toBe("0.00");
});

test("an invoice that was paid late is credited when BTCPay Server counts it as settled", async () => {
  const { id, made } = await opened();
  await happens(made, "InvoiceExpired", { status: "Expired" });
  expect(await status(id)).toBe("expired");
  await happens(made, "InvoicePaymentSettled", { additionalStatus: "PaidLate", paidAmount: "25" });
  await happens(made, "InvoiceSettled", { status: "Settled", additionalStatus: "Marked" });
  await until(async () => (await status(id)) === "completed");
  expect(await balanceOf(stack, user)).toBe("25.00");
  expect(await reviewsOf(id)).toEqual([{ reason: "not_final", paid_cents: 2500n, status: "dismissed" }]);
});

test("an invoice whose payment does not confirm fails", async () => {
  const { id, made } = await opened();
  await happens(made, "InvoiceInvalid", { status: "Invalid" });
  expect(await status(id)).toBe("failed");
});

test("a callback that is changed, unsigned or by another secret is refused", async () => {
  const { id, made } = await opened();
  Object.assign(made, { status: "Settled", paidAmount: "25" });
  const good = btcpay.event(SECRETS[0], "InvoiceSettled", made);
  for (const event of [
    btcpay.event("another", "InvoiceSettled", made),
    { ...good, body: `${good.body} ` },
    { ...good, headers: {} },
    { ...good, headers: { "btcpay-sig": "sha256=" } },
    { ...good, headers: { "btcpay-sig": good.headers["btcpay-sig"].replace("sha256=", "sha1=") } },
  ]) {
    const { status: answered, body } = await tell(event);
    expect({ answered, code: body.code }).toEqual({ answered: 400, code: "INVALID_SIGNATURE" });
  }
  expect(await status(id)).toBe("pending");
});

test("an invoice that was made while its answer was lost is found by its order, and no second one is made", async () => {
  btcpay.state.mode = "loses-answers";
  const before = btcpay.invoices.length;
  const lost = await invoice();
  expect({ status: lost.status, code: lost.body.code }).toEqual({
    status: 503,
    code: "PAYMENT_PROVIDER_UNAVAILABLE",
  });
  btcpay.state.mode = "up";
  const { body } = await invoice();
  expect(btcpay.invoices.length).toBe(before + 1);
  expect(body.data.invoice_url).toBe(btcpay.invoices.at(-1)?.checkoutLink);
});

test("ten requests at once under one key make one invoice at BTCPay Server", async () => {
  const before = btcpay.invoices.length;
  const answers = await Promise.all(Array.from({ length: 10 }, () => invoice()));
  expect(new Set(answers.map(({ status: answered }) => answered))).toEqual(new Set([201]));
  expect(btcpay.invoices.length).toBe(before + 1);
});

test("a callback while BTCPay Server cannot be asked is answered 503, and the next one credits", async () => {
  const { id, made } = await opened();
  btcpay.state.mode = "down";
  const refused = await happens(made, "InvoiceSettled", { status: "Settled", paidAmount: "25" });
  expect({ status: refused.status, code: refused.body.code }).toEqual({
    status: 503,
    code: "PAYMENT_PROVIDER_UNAVAILABLE",
  });
  btcpay.state.mode = "up";
  expect((await happens(made, "InvoiceSettled", {})).status).toBe(200);
  await until(async () => (await status(id)) === "completed");
});

test("an invoice of the same store that is not ours is answered as received", async () => {
  const { made } = await opened();
  const foreign = {
    ...made,
    id: "Foreign1",
    metadata: { orderId: made.metadata.orderId },
    status: "Settled",
  } as FakeInvoice;
  btcpay.invoices.push(foreign);
  expect((await tell(btcpay.event(SECRETS[0], "InvoiceSettled", foreign))).status).toBe(200);
  expect(await balanceOf(stack, user)).toBe("0.00");
});
