import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type SharedStack, sharedStack, type TestUser } from "../../../../harness/shared-stack.ts";

let stack: SharedStack;
beforeAll(async () => {
  stack = await sharedStack();
});
afterAll(() => stack.stop());

const PATH = "/api/v1/wallet/billing-details";
const HARBOUR = {
  name: "Harbour Ltd",
  address_lines: ["Quay 1", "2nd floor"],
  postal_code: "20457",
  city: "Hamburg",
  country: "DE",
  vat_id: "DE123456789",
};

const call = (user: TestUser, method: string, path = PATH, body?: unknown) =>
  stack.call(method, path, { token: user.token, ...(body === undefined ? {} : { body }) });

/** The invoice of the user's newest transaction. */
async function issue(user: TestUser) {
  const [transaction] = (await call(user, "GET", "/api/v1/wallet/transactions")).body.data;
  const issued = await call(user, "POST", `/api/v1/wallet/invoices/generate/${transaction.id}`);
  return (await call(user, "GET", `/api/v1/wallet/invoices/${issued.body.data.invoice_id}`)).body.data;
}

describe("billing details", () => {
  test("are none at first, are set as a whole, and are removed", async () => {
    const user = await stack.user();
    expect((await call(user, "GET")).body.data).toEqual({ billing_details: null });
    const set = await call(user, "PUT", PATH, { ...HARBOUR, vat_id: "de 123.456-789" });
    expect(set.status).toBe(200);
    expect(set.body.data).toEqual({ billing_details: HARBOUR });
    const { postal_code, vat_id, ...least } = HARBOUR;
    const less = await call(user, "PUT", PATH, least);
    expect(less.body.data.billing_details).toEqual({ ...least, postal_code: null, vat_id: null });
    expect((await call(user, "DELETE")).body.data).toEqual({ billing_details: null });
  });

  test("stand on invoices from then on, and earlier invoices stay as they are", async () => {
    const user = await stack.user({ balance: "10.00" });
    const before = await issue(user);
    expect(before.billing_details).toEqual({ payment_method: "Credit", payment_method_type: "credit" });
    await call(user, "PUT", PATH, HARBOUR);
    await stack.actors.wallet(user.id).credit({ amount: "5.00", reason: "more", idempotency_key: "more" });
    const after = await issue(user);
    expect(after.billing_details).toEqual({
      payment_method: "Credit",
      payment_method_type: "credit",
      ...HARBOUR,
    });
    expect(after.buyer).toEqual({ username: user.username, email: `${user.username}@example.com` });
    await call(user, "PUT", PATH, { ...HARBOUR, name: "Another Ltd" });
    const read = (id: string) => call(user, "GET", `/api/v1/wallet/invoices/${id}`);
    expect((await read(before.id)).body.data).toEqual(before);
    expect((await read(after.id)).body.data).toEqual(after);
  });

  test("that cannot be right are refused by the field's name", async () => {
    const user = await stack.user();
    for (const [change, field] of [
      [{ name: " " }, "body.name"],
      [{ address_lines: [] }, "body.address_lines"],
      [{ address_lines: ["a", "b", "c", "d", "e"] }, "body.address_lines"],
      [{ country: "de" }, "body.country"],
      [{ country: "QQ" }, "body.country"],
      [{ vat_id: "DE12" }, "body.vat_id"],
      [{ vat_id: "ATU12345678" }, "body.vat_id"],
      [{ street: "Quay 1" }, "street"],
    ] as const) {
      const { status, body } = await call(user, "PUT", PATH, { ...HARBOUR, ...change });
      expect([change, status, body.code]).toEqual([change, 400, "VALIDATION_ERROR"]);
      expect(body.message).toContain(field);
    }
    expect((await call(user, "GET")).body.data).toEqual({ billing_details: null });
  });

  test("are forgotten with the account", async () => {
    const user = await stack.user();
    await call(user, "PUT", PATH, HARBOUR);
    await stack.actors.account(user.id).delete_by_operator({ reason: "test", forfeit_cents: 0 });
    const [row] = await stack.db`SELECT billing_details FROM accounts WHERE id = ${user.id}`;
    expect(row?.billing_details).toBeNull();
  });
});
