import { afterAll, beforeAll, expect, test } from "bun:test";
import { type SharedStack, sharedStack, type TestUser } from "../../../harness/shared-stack.ts";

let stack: SharedStack;
let admin: TestUser;
beforeAll(async () => {
  stack = await sharedStack();
  admin = await stack.user({ role: "admin" });
});
afterAll(() => stack.stop());

const credit = (userId: string, body: object, token = admin.token) =>
  stack.call("POST", `/api/v1/admin/wallets/${userId}/credit`, { token, body });
const balanceOf = async (token: string): Promise<string> =>
  (await stack.call("GET", "/api/v1/wallet/balances", { token })).body.data.general_balance;
const gift = { amount: "12.5", reason: "sorry", idempotency_key: "k" };

test("an administrator's credit is on the balance at once, with the ledger and the user's log", async () => {
  const user = await stack.user();
  const { status, body } = await credit(user.id, gift);
  expect(status).toBe(200);
  expect(body.data).toEqual({
    transaction_id: expect.stringMatching(/^[0-9a-f]{24}$/),
    amount: "12.50",
    general_balance: "12.50",
    replayed: false,
  });
  expect(await balanceOf(user.token)).toBe("12.50");
  const movements = await stack.db`
    SELECT from_account, to_account, amount_micros FROM movements WHERE transaction_id = ${body.data.transaction_id}`;
  expect([...movements]).toEqual([
    { from_account: "platform:grants", to_account: `general:${user.id}`, amount_micros: 12_500_000n },
  ]);
  const events = await stack.call("GET", "/api/v1/events?event_type=user.balance_credited", {
    token: user.token,
  });
  expect(events.body.data.events).toMatchObject([
    {
      resource_id: user.id,
      data: { transaction_id: body.data.transaction_id, amount: "12.50", reason: "sorry" },
    },
  ]);
});

test("a replayed credit is given once, and answered with the first receipt", async () => {
  const user = await stack.user();
  const first = await credit(user.id, gift);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => credit(user.id, { ...gift, amount: "12.50" })),
  );
  for (const { body } of answers) expect(body.data).toEqual({ ...first.body.data, replayed: true });
  expect(await balanceOf(user.token)).toBe("12.50");
});

test("the key may come in the header alone; one in the body wins over it", async () => {
  const user = await stack.user();
  const { idempotency_key: _, ...keyless } = gift;
  const give = (body: object) =>
    stack.call("POST", `/api/v1/admin/wallets/${user.id}/credit`, {
      token: admin.token,
      body,
      headers: { "idempotency-key": "of-the-header" },
    });
  const first = await give(keyless);
  expect([first.status, first.body.data.replayed]).toEqual([200, false]);
  expect((await give(keyless)).body.data).toEqual({ ...first.body.data, replayed: true });
  expect((await give(gift)).body.data.replayed).toBe(false);
  expect((await credit(user.id, { ...gift, idempotency_key: "of-the-header" })).body.data.replayed).toBe(
    true,
  );
  expect(await balanceOf(user.token)).toBe("25.00");
});

test("a key that comes with another amount is refused, and nothing is given", async () => {
  const user = await stack.user();
  await credit(user.id, gift);
  const { status, body } = await credit(user.id, { ...gift, amount: "12.51" });
  expect({ status, code: body.code }).toEqual({ status: 409, code: "IDEMPOTENCY_KEY_REUSED" });
  expect(await balanceOf(user.token)).toBe("12.50");
});

test("nobody but an administrator gives credit, not even to himself", async () => {
  const user = await stack.user();
  const { status, body } = await credit(user.id, gift, user.token);
  expect({ status, code: body.code }).toEqual({ status: 403, code: "INSUFFICIENT_PERMISSIONS" });
  const invalid = await credit(user.id, { amount: "no amount" }, user.token);
  expect(invalid.status).toBe(403);
  const nobody = await stack.call("POST", `/api/v1/admin/wallets/${user.id}/credit`, { body: gift });
  expect({ status: nobody.status, code: nobody.body.code }).toEqual({ status: 401, code: "MISSING_TOKEN" });
  expect(await balanceOf(user.token)).toBe("0.00");
});

test("an unknown user gets nothing, and no wallet comes to be", async () => {
  const { status, body } = await credit("0".repeat(24), gift);
  expect({ status, code: body.code }).toEqual({ status: 404, code: "USER_NOT_FOUND" });
  expect(await stack.db`SELECT 1 FROM wallets WHERE user_id = ${"0".repeat(24)}`).toHaveLength(0);
  expect((await credit("nobody", gift)).body).toMatchObject({
    statusCode: 404,
    data: { field: "path.userId" },
  });
});

test("a wallet is filled to its limit and no further", async () => {
  const user = await stack.user();
  const most = { ...gift, amount: "999999999999.99" };
  expect((await credit(user.id, most)).status).toBe(200);
  expect((await credit(user.id, { ...gift, amount: "0.01", idempotency_key: "2" })).status).toBe(200);
  expect(await balanceOf(user.token)).toBe("1000000000000.00");
  const { status, body } = await credit(user.id, { ...gift, amount: "0.01", idempotency_key: "3" });
  expect({ status, code: body.code }).toEqual({ status: 409, code: "BALANCE_LIMIT" });
  expect(await balanceOf(user.token)).toBe("1000000000000.00");
  expect((await credit(user.id, most)).body.data.replayed).toBe(true);
});

test.each([
  ["amount", { ...gift, amount: "0" }],
  ["amount", { ...gift, amount: "-1" }],
  ["amount", { ...gift, amount: 5 }],
  ["reason", { ...gift, reason: " " }],
  ["reason", { ...gift, reason: "r".repeat(256) }],
  ["reason", { amount: "1", idempotency_key: "k" }],
  ["idempotency_key", { amount: "1", reason: "r" }],
  ["note", { ...gift, note: "?" }],
])("a wrong %s is named: %j", async (field, body) => {
  const answer = await credit(admin.id, body);
  expect(answer.status).toBe(400);
  expect(answer.body.data).toEqual({ field: `body.${field}` });
});
