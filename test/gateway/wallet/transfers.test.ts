import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Stack, startStack } from "../../harness/stack.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

const transfer = (token: string, body: object) => stack.call("POST", "/api/v1/wallet/transfers", { token, body });

test("a transfer debits the gross and credits the net after the fee", async () => {
  const { token } = await stack.user({ balance: "500" });
  const { status, body } = await transfer(token, { amount: "25" });
  expect(status).toBe(200);
  expect(body.data).toEqual({
    gross_transferred: "25.00",
    net_ai_credit: "23.75",
    fee: "1.25",
    general_balance: "475.00",
    ai_balance: "23.75",
    key_created: false,
    limit_sync_pending: false,
    replayed: false,
  });
  const balances = await stack.call("GET", "/api/v1/wallet/balances", { token });
  expect(balances.body.data).toMatchObject({ general_balance: "475.00", ai_limit: "23.75" });
});

test("a replayed transfer moves no money and returns the first receipt", async () => {
  const { token } = await stack.user({ balance: "100" });
  const first = await transfer(token, { amount: "10", idempotency_key: "k" });
  const second = await transfer(token, { amount: "10.00", idempotency_key: "k" });
  expect(second.status).toBe(200);
  expect(second.body.data).toEqual({ ...first.body.data, replayed: true });
});
