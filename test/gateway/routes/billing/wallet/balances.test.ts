import { afterAll, beforeAll, expect, test } from "bun:test";
import { type SharedStack, sharedStack } from "../../../../harness/shared-stack.ts";

let stack: SharedStack;
beforeAll(async () => {
  stack = await sharedStack();
});
afterAll(() => stack.stop());

const get = async (token: string, path: string) =>
  (await stack.call("GET", `/api/v1/wallet${path}`, { token })).body;

test("a new user has zeros everywhere", async () => {
  const { id, token } = await stack.user();
  expect(await get(token, "/balances")).toEqual({
    statusCode: 200,
    message: "Balances",
    data: {
      general_balance: "0.00",
      ai_limit: "0.00",
      ai_usage: "0.00",
      ai_remaining: "0.00",
      ai_usage_status: "no_provider",
    },
  });
  expect((await get(token, "/balances/ai")).data).toEqual({
    ai_limit: "0.00",
    ai_usage: "0.00",
    ai_remaining: "0.00",
  });
  const me = await stack.call("GET", "/api/v1/auth/me", { token });
  expect((await get(token, "/balances/general")).data).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{24}$/),
    user_id: id,
    general_balance: "0.00",
    created_at: me.body.data.created_at,
    updated_at: me.body.data.created_at,
  });
});

test("all three tell of one wallet, at once after it changed", async () => {
  const { token } = await stack.user({ balance: "500" });
  const before = (await get(token, "/balances/general")).data;
  await stack.call("POST", "/api/v1/wallet/transfers", { token, body: { amount: "25" } });
  // Without a provider nobody knows what was used, so nothing is shown as spendable.
  const ai = { ai_limit: "23.75", ai_usage: "0.00", ai_remaining: "0.00" };
  expect((await get(token, "/balances")).data).toMatchObject({ general_balance: "475.00", ...ai });
  expect((await get(token, "/balances/ai")).data).toEqual(ai);
  const after = (await get(token, "/balances/general")).data;
  expect(after).toMatchObject({ id: before.id, general_balance: "475.00", created_at: before.created_at });
  expect(Date.parse(after.updated_at)).toBeGreaterThan(Date.parse(before.created_at));
  expect(after.updated_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test("a wallet is the caller's own: nobody can ask for another's", async () => {
  const [rich, poor] = [await stack.user({ balance: "500" }), await stack.user()];
  for (const query of [`?user_id=${rich.id}`, "?x"]) {
    const { status, body } = await stack.call("GET", `/api/v1/wallet/balances${query}`, {
      token: poor.token,
    });
    expect({ status, code: body.code }).toEqual({ status: 400, code: "VALIDATION_ERROR" });
  }
  expect((await get(poor.token, "/balances")).data.general_balance).toBe("0.00");
});
