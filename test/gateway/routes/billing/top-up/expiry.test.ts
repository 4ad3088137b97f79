import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Stack, startStack } from "../../../../harness/stack.ts";
import { standStill } from "../../../../harness/stand-still.ts";
import { until } from "../../../../harness/until.ts";
import { balanceOf, callback, has, intentOf, opened, SANDBOX_ENV, topUp } from "./processors.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ env: { ...SANDBOX_ENV, BERTH_TOP_UP_LIFETIME_SECONDS: "3" } });
});
afterAll(() => stack.stop());

test("an intent that nobody pays expires by its timer; money that comes later is credited once", async () => {
  const user = await stack.user();
  const { id, session } = await opened(stack, user, "25", "k");
  await until(
    async () =>
      (await stack.db`SELECT 1 FROM payment_intents WHERE id = ${id} AND status = 'expired'`).length === 1,
  );
  expect(await intentOf(stack, user, id)).toMatchObject({ status: "expired", credited_at: null });
  const again = await topUp(stack, user, { amount: "25", idempotency_key: "k" });
  expect(again.status).toBe(201);
  expect(again.body.data.intent).toMatchObject({ id, status: "expired" });
  expect(await balanceOf(stack, user)).toBe("0.00");

  await Promise.all([1, 2, 3].map(() => callback(stack, { intent: id, session })));
  await has(stack, user, id, "completed");
  expect(await balanceOf(stack, user)).toBe("25.00");
  expect(await stack.db`SELECT 1 FROM tasks WHERE kind = 'top_up'`).toHaveLength(0);
});

test("an intent past its time reads expired in every read before its timer has run", async () => {
  const user = await stack.user();
  const { id, intent } = await opened(stack, user, "25");
  const host = stack.hosts[0];
  if (host === undefined) throw new Error("no actor host");
  // While the only host stands still, no timer runs.
  await standStill(host.pid);
  try {
    await until(() => Date.now() > Date.parse(intent.expires_at));
    const [row] = await stack.db`SELECT status FROM payment_intents WHERE id = ${id}`;
    expect((await intentOf(stack, user, id)).status).toBe("expired");
    const listed = await stack.call("GET", "/api/v1/wallet/payments/cardpay/intents", { token: user.token });
    expect(listed.body.data.intents[0].status).toBe("expired");
    expect(row).toEqual({ status: "pending" });
  } finally {
    process.kill(host.pid, "SIGCONT");
  }
});
