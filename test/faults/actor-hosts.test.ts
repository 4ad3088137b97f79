import { afterEach, expect, test } from "bun:test";
import { partitionOf } from "../../actors/runtime/partition.ts";
import { readCluster } from "../../actors/runtime/queries.ts";
import { type Stack, startStack, type TestUser } from "../harness/stack.ts";
import { until } from "../harness/until.ts";
import { audit, storm } from "./storm.ts";

let stack: Stack;
afterEach(() => stack.stop());

const USERS = 6;
const CLIENTS = 12;

async function begin() {
  stack = await startStack({ actorHosts: 2 });
  const users = await Promise.all(Array.from({ length: USERS }, () => stack.user({ balance: "1000" })));
  const load = storm(stack, users, CLIENTS);
  await until(() => load.acknowledged() > 300);
  return { users, load };
}

/** The actor host that owns a user's wallet, and its process. */
async function ownerOf(user: TestUser) {
  const { leases } = await readCluster(stack.db);
  const lease = leases.find(({ partition }) => partition === partitionOf("wallet", user.id));
  const host = stack.hosts.find(({ name }) => lease?.owner?.startsWith(`${name}-`));
  if (lease === undefined || host === undefined) throw new Error("the wallet has no owner");
  return { pid: host.pid, name: host.name, epoch: lease.epoch };
}

async function expectEachOnce(
  users: readonly TestUser[],
  acknowledged: ReadonlyMap<string, readonly string[]>,
) {
  const found = await audit(stack, users);
  for (const user of users) {
    const keys = [...new Set(acknowledged.get(user.id) ?? [])].sort();
    expect(found.keys.get(user.id)).toEqual(keys);
    expect(found.transactions.get(user.id)).toBe(keys.length);
    expect(found.events.get(user.id)).toBe(keys.length);
  }
  expect(found.unbalanced).toBe(0);
}

test("kill -9 of an owner in a storm of transfers loses nothing acknowledged and does nothing twice", async () => {
  const { users, load } = await begin();
  const owner = await ownerOf(users[0] as TestUser);
  process.kill(owner.pid, "SIGKILL");
  await until(async () => (await ownerOf(users[0] as TestUser)).epoch > owner.epoch, { timeoutMs: 20_000 });
  const before = load.acknowledged();
  await until(() => load.acknowledged() > before + 300);
  const { acknowledged, refused } = await load.stop();
  expect(refused).toEqual([]);
  await expectEachOnce(users, acknowledged);
}, 60_000);

test("an owner that is stopped past its lease and then goes on writes nothing of what it had begun", async () => {
  const { users, load } = await begin();
  const owner = await ownerOf(users[0] as TestUser);
  process.kill(owner.pid, "SIGSTOP");
  try {
    await until(async () => (await ownerOf(users[0] as TestUser)).name !== owner.name, { timeoutMs: 20_000 });
    const during = load.acknowledged();
    await until(() => load.acknowledged() > during + 300);
  } finally {
    process.kill(owner.pid, "SIGCONT");
  }
  // It is back when it owns a share again.
  await until(
    async () =>
      (await readCluster(stack.db)).leases.filter((lease) => lease.owner?.startsWith(`${owner.name}-`))
        .length > 8,
    { timeoutMs: 20_000 },
  );
  const after = load.acknowledged();
  await until(() => load.acknowledged() > after + 300);
  const { acknowledged, refused } = await load.stop();
  expect(refused).toEqual([]);
  await expectEachOnce(users, acknowledged);
}, 90_000);

test("an owner that is stopped with SIGTERM in a storm fails no request", async () => {
  const { users, load } = await begin();
  const owner = await ownerOf(users[0] as TestUser);
  process.kill(owner.pid, "SIGTERM");
  await until(async () => {
    const { leases } = await readCluster(stack.db);
    return leases.every((lease) => lease.owner !== null && !lease.owner.startsWith(`${owner.name}-`));
  });
  const after = load.acknowledged();
  await until(() => load.acknowledged() > after + 300);
  const { acknowledged, refused, askedAgain } = await load.stop();
  expect(refused).toEqual([]);
  expect(askedAgain).toBe(0);
  await expectEachOnce(users, acknowledged);
}, 60_000);
