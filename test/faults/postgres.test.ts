import { afterEach, expect, test } from "bun:test";
import { type Stack, startStack, type TestUser } from "../harness/stack.ts";
import { until } from "../harness/until.ts";
import { check } from "./checker.ts";
import { flows } from "./cluster.ts";
import { type FailingPostgres, startFailingPostgres } from "./failover.ts";
import { startLoad } from "./load.ts";

const USERS = 6;
const CLIENTS = 12;

let database: FailingPostgres;
let stack: Stack;
afterEach(async () => {
  await stack.stop();
  await database.stop();
});

async function begin() {
  database = await startFailingPostgres();
  stack = await startStack({ databaseUrl: database.url, actorHosts: 2, env: { BERTH_LEASE_TTL_MS: "5000" } });
  const users = await Promise.all(Array.from({ length: USERS }, () => stack.user({ balance: "10000" })));
  return { users, load: () => startLoad(stack, users, CLIENTS) };
}

/** Asks again until the answer is clear: right after a failure it may take a slow machine longer than a request lasts. */
const transfer = (user: TestUser, amount: string, key: string) =>
  until(async () => {
    const { status, body } = await stack.call("POST", "/api/v1/wallet/transfers", {
      token: user.token,
      body: { amount, idempotency_key: key },
    });
    return status !== 503 && { status, code: body.code, balance: body.data?.general_balance };
  });
const cents = async (user: TestUser) => {
  const [row] = await stack.db<{ cents: number }[]>`
    SELECT general_cents::int AS cents FROM wallets WHERE user_id = ${user.id}`;
  return row?.cents;
};

test("a crash of a connection's process, and then of the whole server, cost nothing that was acknowledged", async () => {
  const { users, load } = await begin();
  const running = load();
  await flows(running, users);
  // The server ends all connections when one of its processes was killed, and recovers.
  const [backend] = await stack.db<{ pid: number }[]>`
    SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'berth-lane-%' LIMIT 1`;
  process.kill(backend?.pid as number, "SIGKILL");
  await flows(running, users);
  await database.crash();
  await flows(running, users);
  expect(await check(stack, users, await running.stop())).toEqual([]);
});

test("after a failover that lost the last commits, actors go on from what the database holds", async () => {
  const { users, load } = await begin();
  const running = load();
  const richer = await stack.user({ balance: "10" });
  const poorer = await stack.user({ balance: "10" });
  const credit = (user: TestUser, key: string) =>
    stack.actors
      .wallet(user.id)
      .credit({ amount: "100", reason: "test", idempotency_key: key }, { key, hasClientKey: true });
  await transfer(richer, "1", "kept");
  await flows(running, users);
  await database.keepCopy();
  const fromMs = performance.now();
  await flows(running, users);

  // Memory says 109 and 0 from here on, the database will say 9 and 10.
  await until(() => credit(richer, "lost"));
  expect(await transfer(poorer, "10", "lost")).toMatchObject({
    status: 200,
    balance: "0.00",
  });
  await flows(running, users);
  await database.failOver();
  const untilMs = performance.now();

  const asked = await Promise.all([
    transfer(richer, "50", "after"),
    transfer(richer, "1", "kept"),
    transfer(poorer, "10", "lost"),
  ]);
  expect(asked).toMatchObject([
    { status: 400, code: "INSUFFICIENT_BALANCE" },
    { status: 200, balance: "9.00" },
    { status: 200, balance: "0.00" },
  ]);
  expect([await cents(richer), await cents(poorer)]).toEqual([900, 0]);
  await flows(running, users);
  const history = await running.stop();
  expect(await check(stack, users, history, { lost: { fromMs, untilMs } })).toEqual([]);
  for (const user of users) {
    const { body } = await stack.call("GET", "/api/v1/wallet/balances", { token: user.token });
    expect(Math.round(Number(body.data.general_balance) * 100)).toBe((await cents(user)) as number);
  }
});
