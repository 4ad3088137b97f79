import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { type EmbeddedStack, startEmbeddedStack, type TestUser } from "../../harness/embedded-stack.ts";
import { until } from "../../harness/until.ts";
import { startOpenRouter } from "./openrouter-server.ts";

const provider = startOpenRouter();
let stack: EmbeddedStack;
beforeAll(async () => {
  stack = await startEmbeddedStack({ env: provider.env });
});
afterEach(() => provider.be("up"));
afterAll(async () => {
  await stack.stop();
  await provider.stop();
});

/** A provider that was away is asked again after a while, by whoever looks after the user. */
const BACK = { everyMs: 100 };

const transfer = async ({ token }: TestUser, amount: string, idempotency_key?: string) =>
  (
    await stack.call("POST", "/api/v1/wallet/transfers", {
      token,
      body: { amount, ...(idempotency_key === undefined ? {} : { idempotency_key }) },
    })
  ).body.data;
const balances = async ({ token }: TestUser) =>
  (await stack.call("GET", "/api/v1/wallet/balances", { token })).body.data;
const live = (user: TestUser) => until(async () => (await balances(user)).ai_usage_status === "live", BACK);
const limited = (user: TestUser, limit: number) =>
  until(() => provider.keyOf(user.id)?.limit === limit, BACK);
const keysOf = (user: TestUser) => provider.keys.filter(({ name }) => name.endsWith(user.id));

/** What the user has used by now, dollars. */
function spend(user: TestUser, usage: number): void {
  const key = provider.keyOf(user.id);
  if (key === undefined) throw new Error("the user has no key");
  key.usage = usage;
}

/** A transfer whose credit arrived in time says so; on a machine that is slow it may arrive later. */
async function moved(user: TestUser, amount: string, limit: number) {
  const receipt = await transfer(user, amount, crypto.randomUUID());
  await limited(user, limit);
  return receipt;
}

test("the first transfer makes the user's key with the net amount as its limit, and says so", async () => {
  const user = await stack.user({ balance: "100" });
  const body = { amount: "25", idempotency_key: "first" };
  const first = await transfer(user, body.amount, body.idempotency_key);
  await limited(user, 23.75);
  await live(user);
  // Had it not arrived in time, the replay knows by now.
  const replay = await transfer(user, body.amount, body.idempotency_key);
  expect(replay).toEqual({ ...first, key_created: true, limit_sync_pending: false, replayed: true });
  expect(first.limit_sync_pending).toBe(!first.key_created);
});

test("a later transfer raises the limit of the same key, and makes none", async () => {
  const user = await stack.user({ balance: "100" });
  await moved(user, "10", 9.5);
  const receipt = await transfer(user, "10.01", "second");
  expect(receipt.key_created).toBe(false);
  await limited(user, 19.01);
  expect(
    await until(async () => {
      const replay = await transfer(user, "10.01", "second");
      return replay.limit_sync_pending === false && replay;
    }),
  ).toMatchObject({ key_created: false, replayed: true });
  expect(keysOf(user)).toHaveLength(1);
});

test("balances show the provider's own reading, and what remains of the credit", async () => {
  const user = await stack.user({ balance: "100" });
  await moved(user, "20", 19);
  await live(user);
  spend(user, 1.234567);
  expect(await balances(user)).toEqual({
    general_balance: "80.00",
    ai_limit: "19.00",
    ai_usage: "1.234567",
    ai_remaining: "17.765433",
    ai_usage_status: "live",
  });
  spend(user, 19.5);
  expect(await balances(user)).toMatchObject({ ai_usage: "19.50", ai_remaining: "0.00" });
  const { body } = await stack.call("GET", "/api/v1/wallet/balances/ai", { token: user.token });
  expect(body.data).toEqual({ ai_limit: "19.00", ai_usage: "19.50", ai_remaining: "0.00" });
});

test("twenty first transfers at once make one key, which one of them is told of", async () => {
  const user = await stack.user({ balance: "100" });
  const keys = Array.from({ length: 20 }, (_, number) => `parallel-${number}`);
  await Promise.all(keys.map((key) => transfer(user, "1", key)));
  await limited(user, 19);
  await until(async () => {
    const replays = await Promise.all(keys.map((key) => transfer(user, "1", key)));
    return (
      replays.every((replay) => !replay.limit_sync_pending) &&
      replays.filter((replay) => replay.key_created).length === 1
    );
  }, BACK);
  expect(keysOf(user)).toHaveLength(1);
});

test.each(["failing", "silent"] as const)(
  "while the provider is %s money moves, the limit is pending, and no usage is called live; then it catches up",
  async (mode) => {
    const [known, fresh] = [await stack.user({ balance: "100" }), await stack.user({ balance: "100" })];
    await moved(known, "20", 19);
    await live(known);
    provider.be(mode);
    for (const user of [known, fresh]) {
      expect(await transfer(user, "10", "out")).toMatchObject({
        general_balance: user === known ? "70.00" : "90.00",
        key_created: false,
        limit_sync_pending: true,
      });
    }
    expect(await balances(known)).toMatchObject({
      ai_limit: "28.50",
      ai_usage: "0.00",
      ai_remaining: "0.00",
      ai_usage_status: "unavailable",
    });
    expect(await balances(fresh)).toMatchObject({
      ai_limit: "9.50",
      ai_remaining: "0.00",
      ai_usage_status: "pending",
    });
    provider.be("up");
    await limited(known, 28.5);
    await limited(fresh, 9.5);
    for (const user of [known, fresh]) {
      await live(user);
      await until(async () => !(await transfer(user, "10", "out")).limit_sync_pending, BACK);
      expect(keysOf(user)).toHaveLength(1);
    }
  },
  150_000,
);

test("a key whose making was never answered is found again, and not made twice", async () => {
  const user = await stack.user({ balance: "100" });
  provider.be("mute");
  expect(await transfer(user, "10", "unheard")).toMatchObject({ limit_sync_pending: true });
  await until(() => keysOf(user).length === 1);
  // While nobody knows whether there is one, nobody says that credit may be spent.
  expect((await balances(user)).ai_usage_status).toBe("pending");
  provider.be("up");
  await live(user);
  expect(keysOf(user)).toHaveLength(1);
  expect(await transfer(user, "10", "unheard")).toMatchObject({ limit_sync_pending: false, replayed: true });
});

test("a provider that is away is left alone: readings past the first few ask it nothing", async () => {
  const user = await stack.user({ balance: "100" });
  await moved(user, "20", 19);
  await live(user);
  provider.be("silent");
  const asked = () => provider.requests.filter((request) => request.startsWith("GET /api/v1/keys/")).length;
  const before = asked();
  for (let i = 0; i < 40; i++) expect((await balances(user)).ai_usage_status).toBe("unavailable");
  expect(asked() - before).toBeLessThan(20);
  provider.be("up");
  await live(user);
});

test("a user without AI credit has no key, and none is made", async () => {
  const user = await stack.user({ balance: "100" });
  expect(await balances(user)).toMatchObject({ ai_limit: "0.00", ai_usage_status: "no_key" });
  expect(keysOf(user)).toEqual([]);
});

test("a key that was deleted at the provider is not made again: what was used of it would be given again", async () => {
  const user = await stack.user({ balance: "100" });
  await moved(user, "20", 19);
  const keys = provider.keys as { name: string }[];
  keys.splice(
    keys.findIndex(({ name }) => name.endsWith(user.id)),
    1,
  );
  expect(await transfer(user, "10", "more")).toMatchObject({ key_created: false, limit_sync_pending: true });
  expect(await balances(user)).toMatchObject({ ai_usage_status: "unavailable", ai_remaining: "0.00" });
  const patched = () => provider.requests.filter((request) => request.startsWith("PATCH")).length;
  const before = patched();
  await until(() => patched() > before + 1, BACK);
  expect(keysOf(user)).toEqual([]);
});

test("the key's value is written nowhere: not in the database, not in what a user is shown", async () => {
  const user = await stack.user({ balance: "100" });
  await moved(user, "20", 19);
  await live(user);
  const rows = await stack.db`SELECT * FROM ai_credits WHERE user_id = ${user.id}`;
  expect(
    JSON.stringify(rows, (_key, value) => (typeof value === "bigint" ? `${value}` : value)),
  ).not.toContain("sk-or");
});
