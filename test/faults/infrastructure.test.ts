import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { freePort, nats, startOwnPostgres, temporaryFolder } from "../harness/servers.ts";
import { type Stack, startStack, type TestUser } from "../harness/stack.ts";
import { until } from "../harness/until.ts";

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const transfer = (stack: Stack, user: TestUser, key: string) =>
  stack.call("POST", "/api/v1/wallet/transfers", {
    token: user.token,
    body: { amount: "1", idempotency_key: key },
  });
const balance = async (stack: Stack, user: TestUser) =>
  (await stack.call("GET", "/api/v1/wallet/balances", { token: user.token })).body.data?.general_balance;
const readiness = async (stack: Stack) => (await stack.call("GET", "/health/ready")).status;

test("while NATS is away changes answer 503 with Retry-After, reads go on, and everything comes back by itself", async () => {
  const natsAt = { dir: join(temporaryFolder(), "nats"), port: await freePort() };
  const stack = await startStack({ natsAt });
  ends.push(() => stack.stop());
  const user = await stack.user({ balance: "100" });
  expect((await transfer(stack, user, "before")).status).toBe(200);

  await stack.nats.stop();
  const during = await transfer(stack, user, "during");
  expect(during.status).toBe(503);
  expect(during.headers.get("retry-after")).toMatch(/^[0-9]+$/);
  expect(during.body).toMatchObject({ statusCode: 503, code: "UNAVAILABLE" });
  expect(await balance(stack, user)).toBe("99.00");
  expect(await readiness(stack)).toBe(503);

  const again = await nats(natsAt);
  ends.push(() => again.stop());
  await until(async () => (await transfer(stack, user, "during")).status === 200);
  expect((await transfer(stack, user, "after")).status).toBe(200);
  expect(await balance(stack, user)).toBe("97.00");
  await until(async () => (await readiness(stack)) === 200);
});

test("while PostgreSQL is away everything answers 503 with Retry-After, and comes back by itself", async () => {
  const dir = join(temporaryFolder(), "postgres");
  const at = { dir, port: await freePort(), password: "of-this-test" };
  const database = await startOwnPostgres(at);
  const stack = await startStack({ databaseUrl: database.url });
  ends.push(() => stack.stop());
  const user = await stack.user({ balance: "100" });
  expect((await transfer(stack, user, "before")).status).toBe(200);

  await database.stop();
  const during = await Promise.all([
    transfer(stack, user, "during"),
    stack.call("GET", "/api/v1/wallet/balances", { token: user.token }),
    stack.call("GET", "/api/v1/events", { token: user.token }),
    stack.call("POST", "/api/v1/auth/login", { body: { username: user.username, password: user.password } }),
  ]);
  for (const answer of during) {
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toMatch(/^[0-9]+$/);
    expect(answer.body.code).toBe("UNAVAILABLE");
  }
  expect(await readiness(stack)).toBe(503);

  const again = await startOwnPostgres(at);
  ends.push(() => again.stop());
  await until(async () => (await transfer(stack, user, "during")).status === 200);
  expect((await transfer(stack, user, "before")).body.data.replayed).toBe(true);
  expect(await balance(stack, user)).toBe("98.00");
});

test("a read that the database leaves hanging answers 503, and the next one is served", async () => {
  const stack = await startStack();
  ends.push(() => stack.stop());
  const user = await stack.user({ balance: "100" });
  const locked = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const transaction = stack.db.begin(async (tx) => {
    await tx`LOCK TABLE wallets IN ACCESS EXCLUSIVE MODE`;
    locked.resolve();
    await release.promise;
  });
  await locked.promise;
  const hanging = await stack.call("GET", "/api/v1/wallet/balances", { token: user.token });
  release.resolve();
  await transaction;
  expect(hanging.status).toBe(503);
  expect(hanging.headers.get("retry-after")).toMatch(/^[0-9]+$/);
  expect(await balance(stack, user)).toBe("100.00");
});

test("connections that are killed under load cost no acknowledged change and fail no request", async () => {
  const stack = await startStack();
  ends.push(() => stack.stop());
  const user = await stack.user({ balance: "1000" });
  let acknowledged = 0;
  const failures: unknown[] = [];
  let going = true;
  const load = Promise.all(
    Array.from({ length: 8 }, async (_, client) => {
      for (let i = 0; going; i++) {
        const { status, body } = await transfer(stack, user, `${client}-${i}`);
        if (status === 200) acknowledged += 1;
        else failures.push(body);
      }
    }),
  );
  for (let kill = 0; kill < 5; kill++) {
    const before = acknowledged;
    await until(() => acknowledged > before + 10);
    await stack.db`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE 'berth-lane-%'`;
  }
  const before = acknowledged;
  await until(() => acknowledged > before + 10);
  going = false;
  await load;
  expect(failures).toEqual([]);
  expect(await balance(stack, user)).toBe(`${1000 - acknowledged}.00`);
});
