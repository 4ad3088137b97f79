import { afterAll, beforeAll, expect, test } from "bun:test";
import { type SharedStack, sharedStack, type TestUser } from "../../../harness/shared-stack.ts";
import { inStock, rent } from "./stock.ts";

let stack: SharedStack;
beforeAll(async () => {
  stack = await sharedStack();
});
afterAll(() => stack.stop());

test("twenty who race for the last server make one rental and one charge, a hundred times over", async () => {
  const users: TestUser[] = [];
  while (users.length < 20) users.push(await stack.user({ balance: "5000.00" }));
  for (let round = 0; round < 100; round++) {
    const server = await inStock(stack, `race-${round}`);
    const answers = await Promise.all(
      users.map((user) => rent(stack, user, server, { rental_days: 7, max_charge_cents: 700 })),
    );
    const won = answers.filter(({ status }) => status === 201);
    const lost = answers.filter(({ body }) => body.code === "SERVER_NOT_AVAILABLE");
    expect([won.length, lost.length]).toEqual([1, 19]);
  }
  const [paid] = await stack.db<{ count: number; cents: bigint }[]>`
    SELECT count(*)::int AS count, sum(amount_cents)::bigint AS cents FROM transactions
    WHERE transaction_type = 'rental' AND user_id = ANY (${users.map(({ id }) => id)}::text[])`;
  expect(paid).toEqual({ count: 100, cents: 70_000n });
  const [rentals] = await stack.db<{ count: number; servers: number }[]>`
    SELECT count(*)::int AS count, count(DISTINCT server_id)::int AS servers FROM rentals
    WHERE user_id = ANY (${users.map(({ id }) => id)}::text[])`;
  expect(rentals).toEqual({ count: 100, servers: 100 });
});
