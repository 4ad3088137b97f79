import { afterAll, beforeAll, expect, test } from "bun:test";
import { type SharedStack, sharedStack } from "../../../../harness/shared-stack.ts";

let stack: SharedStack;
beforeAll(async () => {
  stack = await sharedStack();
});
afterAll(() => stack.stop());

const transfer = (token: string, body: object) =>
  stack.call("POST", "/api/v1/wallet/transfers", { token, body });

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

test("AI credit adds up over transfers, and the last cent can be moved", async () => {
  const { token } = await stack.user({ balance: "10.03" });
  expect((await transfer(token, { amount: "10" })).body.data.ai_balance).toBe("9.50");
  const { body } = await transfer(token, { amount: "0.03", expected_fee_bps: 500 });
  expect(body.data).toMatchObject({
    gross_transferred: "0.03",
    net_ai_credit: "0.03",
    fee: "0.00",
    general_balance: "0.00",
    ai_balance: "9.53",
  });
});

test.each([
  ["1", "1.00", "0.05"],
  ["1.5", "1.50", "0.08"],
  ["1.50", "1.50", "0.08"],
  ["0.1", "0.10", "0.01"],
  ["0.09", "0.09", "0.00"],
  ["0.29", "0.29", "0.01"],
  ["0.3", "0.30", "0.02"],
])("%s is taken as %s, of which the fee is %s, half a cent rounded up", async (amount, gross, fee) => {
  const { token } = await rich();
  const { body } = await transfer(token, { amount });
  expect(body.data).toMatchObject({ gross_transferred: gross, fee });
});

test("a transfer leaves one transaction with its gross, and postings for the net and the fee", async () => {
  const { id, token } = await stack.user({ balance: "30" });
  await transfer(token, { amount: "25" });
  const [transaction, ...others] = await stack.db`
    SELECT * FROM transactions WHERE user_id = ${id} AND transaction_type <> 'credit'`;
  expect(others).toEqual([]);
  expect(transaction).toMatchObject({
    transaction_type: "ai_credit_transfer",
    status: "completed",
    amount_cents: 2_500n,
    currency: "USD",
  });
  const postings = await stack.db`
    SELECT account, sum(amount_micros)::bigint AS micros FROM postings
    WHERE transaction_id = ${transaction?.id} GROUP BY account ORDER BY account`;
  expect([...postings]).toEqual([
    { account: `ai:${id}`, micros: 23_750_000n },
    { account: `general:${id}`, micros: -25_000_000n },
    { account: "platform:fees", micros: 1_250_000n },
  ]);
});

let someoneRich: Promise<{ token: string }> | undefined;
const rich = () => {
  someoneRich ??= stack.user({ balance: "1000" });
  return someoneRich;
};
