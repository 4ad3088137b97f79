import { afterAll, beforeAll, expect, test } from "bun:test";
import { type SharedStack, sharedStack, type TestUser } from "../../../harness/shared-stack.ts";
import { until } from "../../../harness/until.ts";

let stack: SharedStack;
let admin: TestUser;
beforeAll(async () => {
  stack = await sharedStack();
  admin = await stack.user({ role: "admin" });
});
afterAll(() => stack.stop());

const charged = async (cents = 1_000): Promise<{ user: TestUser; chargeId: string }> => {
  const user = await stack.user({ balance: "100" });
  const charge = { amount_cents: cents, transaction_type: "rental", reason: "A month of node-9" } as const;
  const { value } = await stack.actors.wallet(user.id).charge(charge);
  return { user, chargeId: value.transaction_id };
};
const refund = (id: string, body: object, token = admin.token) =>
  stack.call("POST", `/api/v1/admin/transactions/${id}/refund`, { token, body });
const asAdmin = (path: string) => stack.call("GET", `/api/v1/admin${path}`, { token: admin.token });
const asUser = (user: TestUser, path: string) => stack.call("GET", `/api/v1${path}`, { token: user.token });
const balanceOf = async (user: TestUser): Promise<string> =>
  (await asUser(user, "/wallet/balances")).body.data.general_balance;
const key = () => ({ idempotency_key: crypto.randomUUID() });

test("a part and then the rest of a charge return to the user, who reads of it everywhere", async () => {
  const { user, chargeId } = await charged();
  const part = await refund(chargeId, { amount: "2.5", reason: "An hour down", ...key() });
  expect(part.status).toBe(200);
  expect(part.body.data).toEqual({
    transaction_id: expect.stringMatching(/^[0-9a-f]{24}$/),
    amount: "2.50",
    general_balance: "92.50",
    refund_of: chargeId,
    refundable: "7.50",
    replayed: false,
  });
  expect((await asAdmin(`/transactions/${chargeId}`)).body.data).toMatchObject({
    user_id: user.id,
    transaction_type: "rental",
    amount: 10,
    refunded: 2.5,
    refundable: 7.5,
  });
  const rest = await refund(chargeId, { reason: "The machine is gone", ...key() });
  expect(rest.body.data).toMatchObject({ amount: "7.50", general_balance: "100.00", refundable: "0.00" });

  const { data: own } = (await asUser(user, "/wallet/transactions?sort_by=amount")).body;
  const refunds = own.filter(({ refund_of }: { refund_of: string | null }) => refund_of !== null);
  const of = { refund_of: chargeId, refund_of_reason: "A month of node-9" };
  expect(refunds).toMatchObject([
    { transaction_type: "refund", amount: 7.5, reason: "The machine is gone", ...of },
    { transaction_type: "refund", amount: 2.5, reason: "An hour down", ...of },
  ]);
  const events = (await asUser(user, "/events?event_type=user.balance_credited")).body.data.events;
  expect(events[0].data).toMatchObject({ amount: "7.50", refund_of: chargeId });
  await until(async () => {
    const { notifications } = (await asUser(user, "/notifications")).body.data;
    return notifications.some(
      ({ title, body }: { title: string; body: string }) =>
        title === "$2.50 was refunded to your balance" &&
        body === "Refund of A month of node-9. An hour down",
    );
  });
  const audit = (await asAdmin(`/audit?act=charge_refunded&resource_id=${chargeId}`)).body.data.entries;
  expect(audit).toMatchObject([
    { by_id: admin.id, user_id: user.id, data: { amount: "7.50", reason: "The machine is gone" } },
    { by_id: admin.id, user_id: user.id, data: { amount: "2.50", reason: "An hour down" } },
  ]);
  expect((await asUser(user, "/auth/audit?act=charge_refunded")).body.data.count).toBe(2);
});

test("parallel refunds never return more than the charge, and a repeated one returns nothing more", async () => {
  const { user, chargeId } = await charged();
  const parts = await Promise.all(
    Array.from({ length: 12 }, () => refund(chargeId, { amount: "3", reason: "race", ...key() })),
  );
  expect(parts.map(({ status }) => status).sort()).toEqual([...Array(3).fill(200), ...Array(9).fill(409)]);
  const refused = parts.find(({ status }) => status === 409);
  expect(refused?.body).toMatchObject({ code: "REFUND_EXCEEDS_CHARGE" });
  expect(await balanceOf(user)).toBe("99.00");

  const last = { amount: "1", reason: "rest", ...key() };
  const replies = await Promise.all(Array.from({ length: 8 }, () => refund(chargeId, last)));
  expect(new Set(replies.map(({ body }) => body.data.transaction_id)).size).toBe(1);
  expect(replies.filter(({ body }) => body.data.replayed === false)).toHaveLength(1);
  expect(await balanceOf(user)).toBe("100.00");
  expect((await refund(chargeId, { ...last, amount: "0.99" })).body.code).toBe("IDEMPOTENCY_KEY_REUSED");
  expect((await refund(chargeId, { reason: "none left", ...key() })).body).toMatchObject({
    code: "REFUND_EXCEEDS_CHARGE",
    data: { refundable: "0.00" },
  });
});

test("a sale that is undone after a refund of a part returns only what is left", async () => {
  const { user, chargeId } = await charged();
  await refund(chargeId, { amount: "4", reason: "late", ...key() });
  const undo = () =>
    stack.actors.wallet(user.id).refund({
      amount_cents: 1_000,
      charge_transaction_id: chargeId,
      reason: "Reservation cancelled",
    });
  expect((await undo()).value.amount).toBe("6.00");
  await expect(undo()).rejects.toMatchObject({ code: "REFUND_EXCEEDS_CHARGE" });
  expect(await balanceOf(user)).toBe("100.00");
});

test("the invoice of a refund is a credit note that names the sale and its invoice", async () => {
  const { user, chargeId } = await charged();
  const invoice = async (id: string) => {
    const path = `/api/v1/wallet/invoices/generate/${id}`;
    const { body } = await stack.call("POST", path, { token: user.token });
    return (await asUser(user, `/wallet/invoices/${body.data.invoice_id}`)).body.data;
  };
  const sale = await invoice(chargeId);
  const { body } = await refund(chargeId, { amount: "1", reason: "Sorry", ...key() });
  const note = await invoice(body.data.transaction_id);
  expect(sale.invoice_number).toMatch(/^INV-\d{4}-\d{6}$/);
  expect(note).toMatchObject({
    invoice_number: expect.stringMatching(/^CN-\d{4}-\d{6}$/),
    amount: 1,
    items: [{ description: `Sorry (refund of ${sale.invoice_number}, A month of node-9)`, amount: 1 }],
    transaction: { transaction_type: "refund" },
    credit_note_for: { reason: "A month of node-9", invoice_number: sale.invoice_number },
  });
  expect(sale.credit_note_for).toBeNull();
  const { invoices } = (await asUser(user, "/wallet/invoices")).body.data;
  expect(invoices.map((one: { credit_note_for: object | null }) => one.credit_note_for)).toEqual([
    note.credit_note_for,
    null,
  ]);
});

test("a user's transactions are listed for administrators, by type, and no one else's", async () => {
  const { user, chargeId } = await charged();
  const { data } = (await asAdmin(`/users/${user.id}/transactions?transaction_type=rental`)).body;
  expect(data).toMatchObject({ total: 1, transactions: [{ id: chargeId, refunded: 0, refundable: 10 }] });
  const all = (await asAdmin(`/users/${user.id}/transactions`)).body.data.transactions;
  expect(all.map((row: { refundable: number }) => row.refundable)).toEqual([10, 0]);
  expect((await asAdmin(`/users/${"0".repeat(24)}/transactions`)).body.code).toBe("USER_NOT_FOUND");
});

test("what is no charge, is unknown, or is asked for by somebody else is not refunded", async () => {
  const { user, chargeId } = await charged();
  const [credit] =
    await stack.db`SELECT id FROM transactions WHERE user_id = ${user.id} AND id <> ${chargeId}`;
  const why = { reason: "why", ...key() };
  expect((await refund(credit?.id, why)).body.code).toBe("NOT_REFUNDABLE");
  expect((await refund("0".repeat(24), why)).body.code).toBe("TRANSACTION_NOT_FOUND");
  expect((await refund(chargeId, why, user.token)).body.code).toBe("INSUFFICIENT_PERMISSIONS");
  expect(await balanceOf(user)).toBe("90.00");
});

test.each([
  ["amount", { amount: "0", reason: "r", idempotency_key: "k" }],
  ["amount", { amount: 5, reason: "r", idempotency_key: "k" }],
  ["reason", { amount: "1", reason: " ", idempotency_key: "k" }],
  ["reason", { amount: "1", idempotency_key: "k" }],
  ["idempotency_key", { amount: "1", reason: "r" }],
  ["charge", { reason: "r", idempotency_key: "k", charge: {} }],
])("a wrong %s is named: %j", async (field, body) => {
  const { chargeId } = await charged();
  const answer = await refund(chargeId, body);
  expect(answer.status).toBe(400);
  expect(answer.body.data).toMatchObject({ field: `body.${field}` });
});
