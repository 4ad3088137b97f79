import { afterAll, beforeAll, expect, test } from "bun:test";
import { type EmbeddedStack, startEmbeddedStack, type TestUser } from "../../../../harness/embedded-stack.ts";

let stack: EmbeddedStack;
let user: TestUser;
beforeAll(async () => {
  stack = await startEmbeddedStack();
  user = await stack.user({ balance: "500" });
  for (const amount of ["25", "0.01", "33.33", "0.1"]) {
    await stack.call("POST", "/api/v1/wallet/transfers", { token: user.token, body: { amount } });
  }
});
afterAll(() => stack.stop());

test("every balance is the sum of its postings", async () => {
  const [wallet] = await stack.db`
    SELECT general_cents * 10000 AS general, ai_limit_micros AS ai FROM wallets WHERE user_id = ${user.id}`;
  const sums = await stack.db`
    SELECT account, sum(amount_micros)::bigint AS micros FROM postings GROUP BY account ORDER BY account`;
  expect([...sums]).toEqual([
    { account: `ai:${user.id}`, micros: wallet?.ai },
    { account: `general:${user.id}`, micros: wallet?.general },
    { account: "platform:fees", micros: 2_930_000n },
    { account: "platform:grants", micros: -500_000_000n },
  ]);
  expect(wallet?.general).toBe(441_560_000n);
});

test("the postings of every transaction sum to zero, and so do all of them", async () => {
  const uneven = await stack.db`
    SELECT transaction_id FROM postings GROUP BY transaction_id HAVING sum(amount_micros) <> 0`;
  expect([...uneven]).toEqual([]);
  const [all] =
    await stack.db`SELECT count(*)::int AS postings, sum(amount_micros)::int AS micros FROM postings`;
  // Two of a movement: one credit, four nets and three fees.
  expect(all).toEqual({ postings: 16, micros: 0 });
});

test("every movement belongs to a transaction of its user", async () => {
  const strays = await stack.db`
    SELECT m.id FROM movements m LEFT JOIN transactions t ON t.id = m.transaction_id AND t.user_id = m.user_id
    WHERE t.id IS NULL`;
  expect([...strays]).toEqual([]);
});

test("movements can be neither changed nor deleted, even by the database's owner", async () => {
  const before = await stack.db`SELECT * FROM movements ORDER BY id`;
  for (const statement of [
    "UPDATE movements SET amount_micros = amount_micros + 1",
    "UPDATE movements SET created_at = now() WHERE false",
    "DELETE FROM movements",
    "TRUNCATE movements",
    "TRUNCATE movements, transactions CASCADE",
  ]) {
    await expect(stack.db.unsafe(statement).execute()).rejects.toThrow("movements is append-only");
  }
  expect(await stack.db`SELECT * FROM movements ORDER BY id`).toEqual(before);
});

test("transactions can be neither changed nor deleted, even by the database's owner", async () => {
  const before = await stack.db`SELECT * FROM transactions ORDER BY id`;
  for (const statement of [
    "UPDATE transactions SET amount_cents = amount_cents + 1",
    "UPDATE transactions SET reason = 'x' WHERE false",
    "DELETE FROM transactions",
    "TRUNCATE transactions CASCADE",
  ]) {
    await expect(stack.db.unsafe(statement).execute()).rejects.toThrow("transactions is append-only");
  }
  expect(await stack.db`SELECT * FROM transactions ORDER BY id`).toEqual(before);
});

test("the database itself refuses a balance below zero and a movement of nothing", async () => {
  const negative = stack.db`UPDATE wallets SET general_cents = -1 WHERE user_id = ${user.id}`.execute();
  await expect(negative).rejects.toThrow("wallets_general_cents_check");
  const nothing = stack.db`
    INSERT INTO movements (id, transaction_id, user_id, from_account, to_account, amount_micros, created_at)
    VALUES ('x', 'x', ${user.id}, 'a', 'b', 0, now())`.execute();
  await expect(nothing).rejects.toThrow("movements_amount_micros_check");
});
