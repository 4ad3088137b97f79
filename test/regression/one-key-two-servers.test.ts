import { afterAll, beforeAll, expect, test } from "bun:test";
import { newId } from "../../actors/platform/ids.ts";
import { chargesOf, inStock, rent } from "../gateway/routes/market/stock.ts";
import { type SharedStack, sharedStack } from "../harness/shared-stack.ts";
import { until } from "../harness/until.ts";

let stack: SharedStack;
beforeAll(async () => {
  stack = await sharedStack();
});
afterAll(() => stack.stop());

const ONE_WEEK = { rental_days: 7, max_charge_cents: 700 };
const KEY = { "idempotency-key": "order-1" };
const statusOf = async (serverId: string) => {
  const [row] = await stack.db<{ status: string; rental_id: string | null }[]>`
    SELECT status, rental_id FROM servers WHERE id = ${serverId}`;
  return row;
};
const balanceOf = async (userId: string) => {
  const [row] = await stack.db<{ general_cents: bigint }[]>`
    SELECT general_cents FROM wallets WHERE user_id = ${userId}`;
  return row?.general_cents;
};

test("a key that rented one server rents no other, and costs nothing more", async () => {
  const user = await stack.user({ balance: "100.00" });
  const [first, second] = [await inStock(stack, "key-1"), await inStock(stack, "key-2")];
  expect((await rent(stack, user, first, ONE_WEEK, KEY)).status).toBe(201);
  const refused = await rent(stack, user, second, ONE_WEEK, KEY);
  expect([refused.status, refused.body.code]).toEqual([409, "IDEMPOTENCY_KEY_REUSED"]);
  expect(await chargesOf(stack, user)).toHaveLength(1);
  expect(await statusOf(second)).toEqual({ status: "in_stock", rental_id: null });
});

test("a key that is used for two servers at the same moment rents one of them, and what the other took goes back", async () => {
  for (let round = 0; round < 5; round++) {
    const user = await stack.user({ balance: "100.00" });
    const servers = [await inStock(stack, `both-${round}-1`), await inStock(stack, `both-${round}-2`)];
    const answers = await Promise.all(servers.map((server) => rent(stack, user, server, ONE_WEEK, KEY)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    await until(async () => (await balanceOf(user.id)) === 9_300n);
    const states = await Promise.all(servers.map(statusOf));
    expect(states.map((state) => state?.status).sort()).toEqual(["in_stock", "rented"]);
    const rentals = await stack.db`SELECT id FROM rentals WHERE user_id = ${user.id}`;
    expect(rentals).toHaveLength(1);
  }
});

test("two reservations that are delivered under one key are two rentals, each its own customer's", async () => {
  const operator = await stack.user({ role: "admin" });
  const offer = newId();
  await stack.actors
    .offer(offer)
    .create({ name: "batch", lead_time_hours: 1, pricing_rules: { "7": 100 }, specs: {} });
  const delivered = [];
  for (const name of ["batch-1", "batch-2"]) {
    const user = await stack.user({ balance: "1.00" });
    const server = await inStock(stack, name);
    const reserved = await stack.call("POST", `/api/v1/offers/${offer}/reserve`, {
      token: user.token,
      body: { days: 7, max_charge_cents: 100, idempotency_key: "mine" },
    });
    const { body } = await stack.call("POST", `/api/v1/admin/reservations/${reserved.body.data.id}/deliver`, {
      token: operator.token,
      body: { server_id: server },
      headers: { "idempotency-key": "the batch" },
    });
    const rental = await stack.call("GET", `/api/v1/rentals/${body.data.rental_id}`, { token: user.token });
    expect(rental.body.data).toMatchObject({ user_id: user.id, server_id: server });
    delivered.push(body.data.rental_id);
  }
  expect(new Set(delivered).size).toBe(2);
});
