import { afterAll, afterEach, beforeEach, expect, test } from "bun:test";
import { startOpenRouter } from "../gateway/ai-credit/openrouter-server.ts";
import { type Stack, startStack, type TestUser } from "../harness/stack.ts";
import { until } from "../harness/until.ts";
import { ownerOf } from "./cluster.ts";

const provider = startOpenRouter();
let stack: Stack;
beforeEach(async () => {
  stack = await startStack({ actorHosts: 2, env: provider.env });
});
afterEach(async () => {
  provider.be("up");
  await stack.stop();
});
afterAll(() => provider.stop());

const TAKEN_OVER = { everyMs: 100 };

const transfer = async ({ token }: TestUser, amount: string) =>
  (
    await stack.call("POST", "/api/v1/wallet/transfers", {
      token,
      body: { amount, idempotency_key: `of-${amount}` },
    })
  ).body.data;

async function killOwner(user: TestUser): Promise<void> {
  const { name } = await ownerOf(stack, user);
  const owner = stack.hosts.find((host) => host.name === name);
  if (owner === undefined) throw new Error(`${name} is none of ours`);
  process.kill(owner.pid, "SIGKILL");
}

test("a limit that was pending when its owner was killed is brought to the provider by the next one", async () => {
  const user = await stack.user({ balance: "100" });
  await transfer(user, "10");
  await until(() => provider.keyOf(user.id)?.limit === 9.5, TAKEN_OVER);
  provider.be("failing");
  expect(await transfer(user, "20")).toMatchObject({ limit_sync_pending: true });
  await killOwner(user);
  provider.be("up");
  await until(() => provider.keyOf(user.id)?.limit === 28.5, TAKEN_OVER);
  await until(async () => !(await transfer(user, "20")).limit_sync_pending, TAKEN_OVER);
});

test("an owner that is killed while a key is made leaves one key, whatever it had heard", async () => {
  const user = await stack.user({ balance: "100" });
  provider.be("mute");
  await transfer(user, "10");
  await until(() => provider.keyOf(user.id) !== undefined);
  await killOwner(user);
  provider.be("up");
  await until(async () => !(await transfer(user, "10")).limit_sync_pending, TAKEN_OVER);
  expect(provider.keys.filter(({ name }) => name.endsWith(user.id))).toHaveLength(1);
});
