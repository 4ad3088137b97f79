import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Stack, startStack } from "../../harness/stack.ts";
import { until } from "../../harness/until.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ env: { BERTH_AI_PROVIDER: "sandbox", BERTH_AI_SANDBOX_CENTS_PER_HOUR: "60" } });
});
afterAll(() => stack.stop());

test("the sandbox keeps a key for each user, and its usage is read live", async () => {
  const { id, token } = await stack.user({ balance: "100" });
  const balances = async () => (await stack.call("GET", "/api/v1/wallet/balances", { token })).body.data;
  expect(await balances()).toMatchObject({ ai_usage_status: "no_key" });
  for (const amount of ["10", "5"])
    await stack.call("POST", "/api/v1/wallet/transfers", { token, body: { amount } });
  await until(async () => (await balances()).ai_remaining === "14.25");
  await stack.db`UPDATE sandbox_ai_keys SET usage_micros = 250000 WHERE name LIKE ${`%${id}`}`;
  expect(await balances()).toMatchObject({
    ai_limit: "14.25",
    ai_usage: "0.25",
    ai_remaining: "14.00",
    ai_usage_status: "live",
  });
});

test("the key of a deleted account has nothing left to spend", async () => {
  const { id, token, password } = await stack.user({ balance: "10" });
  await stack.call("POST", "/api/v1/wallet/transfers", { token, body: { amount: "10" } });
  const limit = async () => {
    const [key] = await stack.db<{ limit_micros: bigint }[]>`
      SELECT limit_micros FROM sandbox_ai_keys WHERE name LIKE ${`%${id}`}`;
    return key?.limit_micros;
  };
  await until(async () => ((await limit()) ?? 0n) > 0n);
  const body = { current_password: password };
  expect((await stack.call("DELETE", "/api/v1/auth/account", { token, body })).status).toBe(200);
  // All wallets are compared with the provider every 15 seconds.
  await until(async () => (await limit()) === 0n, { timeoutMs: 60_000 });
}, 90_000);

test("usage in the sandbox moves by itself, a cent a minute here, and never past the limit", async () => {
  const { id, token } = await stack.user({ balance: "100" });
  const balances = async () => (await stack.call("GET", "/api/v1/wallet/balances", { token })).body.data;
  await stack.call("POST", "/api/v1/wallet/transfers", { token, body: { amount: "10" } });
  await until(async () => (await balances()).ai_remaining === "9.50");
  const age = (minutes: number) => stack.db`
    UPDATE sandbox_ai_keys SET created_at = now() - make_interval(mins => ${minutes}) WHERE name LIKE ${`%${id}`}`;
  await age(30);
  expect(await balances()).toMatchObject({ ai_usage: "0.30", ai_remaining: "9.20", ai_usage_status: "live" });
  await age(1_000_000);
  expect(await balances()).toMatchObject({ ai_usage: "9.50", ai_remaining: "0.00" });
});

test("a transfer of which the fee leaves nothing makes no key", async () => {
  const { id, token } = await stack.user({ balance: "100" });
  const host = await stack.startHost("all-is-fee", { BERTH_AI_CREDIT_FEE_BPS: "9999" });
  process.kill((stack.hosts[0] as { pid: number }).pid, "SIGTERM");
  const { body } = await until(async () => {
    const answer = await stack.call("POST", "/api/v1/wallet/transfers", {
      token,
      body: { amount: "0.01", expected_fee_bps: 9999 },
    });
    return answer.status === 200 && answer;
  });
  expect(body.data).toMatchObject({
    gross_transferred: "0.01",
    fee: "0.01",
    net_ai_credit: "0.00",
    key_created: false,
    limit_sync_pending: false,
  });
  expect(await stack.db`SELECT 1 FROM sandbox_ai_keys WHERE name LIKE ${`%${id}`}`).toHaveLength(0);
  await host.stop();
});
