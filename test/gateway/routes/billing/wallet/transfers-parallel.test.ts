import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Answer, type SharedStack, sharedStack } from "../../../../harness/shared-stack.ts";

let stack: SharedStack;
beforeAll(async () => {
  stack = await sharedStack();
});
afterAll(() => stack.stop());

const parallel = (times: number, send: (i: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: times }, (_, i) => send(i)));
const transfer = (token: string, body: object) =>
  stack.call("POST", "/api/v1/wallet/transfers", { token, body });
const balances = async (token: string) =>
  (await stack.call("GET", "/api/v1/wallet/balances", { token })).body.data;

test("fifty transfers at once with one key move the money once", async () => {
  const { id, token } = await stack.user({ balance: "100" });
  const answers = await parallel(50, (i) =>
    transfer(token, { amount: i % 2 === 0 ? "10" : "10.00", idempotency_key: "k" }),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(answers.filter(({ body }) => !body.data.replayed)).toHaveLength(1);
  const receipts = answers.map(({ body: { data } }) => JSON.stringify({ ...data, replayed: null }));
  expect(new Set(receipts).size).toBe(1);
  expect(await balances(token)).toMatchObject({ general_balance: "90.00", ai_limit: "9.50" });
  const rows =
    await stack.db`SELECT 1 FROM transactions WHERE user_id = ${id} AND transaction_type <> 'credit'`;
  expect(rows).toHaveLength(1);
});

test("of a hundred debits at once exactly those pass that there is money for", async () => {
  const { token } = await stack.user({ balance: "37.99" });
  const answers = await parallel(100, () => transfer(token, { amount: "1" }));
  const passed = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(
    ({ status, body }) => status === 400 && body.code === "INSUFFICIENT_BALANCE",
  );
  expect([passed.length, refused.length]).toEqual([37, 63]);
  const left = passed.map(({ body }) => Number(body.data.general_balance)).sort((a, b) => b - a);
  expect(left).toEqual(Array.from({ length: 37 }, (_, i) => Number((36.99 - i).toFixed(2))));
  expect(await balances(token)).toMatchObject({ general_balance: "0.99", ai_limit: "35.15" });
});

test("one key for many amounts at once: one amount wins, and all the others are refused", async () => {
  const { token } = await stack.user({ balance: "100" });
  const answers = await parallel(40, (i) =>
    transfer(token, { amount: String(1 + (i % 4)), idempotency_key: "k" }),
  );
  const passed = answers.filter(({ status }) => status === 200);
  const gross = new Set(passed.map(({ body }) => body.data.gross_transferred));
  expect(gross.size).toBe(1);
  expect(passed).toHaveLength(10);
  const refused = answers.filter(({ body }) => body.code === "TRANSFER_IDEMPOTENCY_KEY_REUSED");
  expect(refused).toHaveLength(30);
  expect((await balances(token)).general_balance).toBe((100 - Number([...gross][0])).toFixed(2));
});

test("credits and debits of many wallets at once all add up in the ledger", async () => {
  const users = await Promise.all(Array.from({ length: 5 }, () => stack.user({ balance: "3" })));
  const answers = await parallel(100, (i) => {
    const user = users[i % users.length];
    return i % 4 === 3
      ? stack.actors
          .wallet(user?.id ?? "")
          .credit({ amount: "0.13", reason: "test", idempotency_key: `k${i}` })
          .then(() => ({ status: 200, headers: new Headers(), body: {} }))
      : transfer(user?.token ?? "", { amount: "0.37" });
  });
  expect(answers.every(({ status }) => status === 200 || status === 400)).toBe(true);
  expect(answers.filter(({ status }) => status === 400).length).toBeGreaterThan(0);
  const wrong = await stack.db`
    SELECT w.* FROM wallets w
    WHERE w.general_cents * 10000 <> (SELECT coalesce(sum(amount_micros), 0) FROM postings WHERE account = 'general:' || w.user_id)
       OR w.ai_limit_micros <> (SELECT coalesce(sum(amount_micros), 0) FROM postings WHERE account = 'ai:' || w.user_id)
       OR w.general_cents < 0`;
  expect([...wrong]).toEqual([]);
  const [total] = await stack.db`SELECT sum(amount_micros)::text AS micros FROM postings`;
  expect(total).toEqual({ micros: "0" });
});
