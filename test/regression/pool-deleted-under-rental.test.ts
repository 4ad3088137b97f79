import { afterAll, beforeAll, expect, test } from "bun:test";
import { makePool } from "../gateway/routes/accounts/pool/team.ts";
import { inStock, rent } from "../gateway/routes/market/stock.ts";
import { type SharedStack, sharedStack } from "../harness/shared-stack.ts";
import { until } from "../harness/until.ts";

let stack: SharedStack;
beforeAll(async () => {
  stack = await sharedStack();
});
afterAll(() => stack.stop());

test("a rental whose pool was deleted as it began comes into its owner's default pool", async () => {
  const user = await stack.user({ balance: "100.00" });
  const call = (method: string, path: string) => stack.call(method, `/api/v1${path}`, { token: user.token });
  const [home] = (await call("GET", "/pools")).body.data;
  const pool = await makePool(stack, user, "short-lived");
  const server = await inStock(stack, "orphan-1");
  const rented = await rent(stack, user, server, { rental_days: 7, max_charge_cents: 700, pool_id: pool });
  expect(rented.body.data.pool_id).toBe(pool);
  // As if the pool had been deleted between the gateway's look and the rental's beginning.
  await stack.actors.pool(pool).delete({ by: user.id });
  await until(async () => {
    const { body } = await call("GET", `/rentals/${rented.body.data.id}`);
    return body.data.pool_id === home.id;
  });
});
