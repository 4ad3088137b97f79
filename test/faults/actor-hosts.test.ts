import { afterEach, expect, test } from "bun:test";
import { type Stack, startStack, type TestUser } from "../harness/stack.ts";
import { standStill } from "../harness/stand-still.ts";
import { until } from "../harness/until.ts";
import { check } from "./checker.ts";
import { flows, ownerOf, shareOf } from "./cluster.ts";
import { startLoad } from "./load.ts";

let stack: Stack;
afterEach(() => stack.stop());

const USERS = 6;
const CLIENTS = 12;

async function begin() {
  stack = await startStack({ actorHosts: 2 });
  const users = await Promise.all(Array.from({ length: USERS }, () => stack.user({ balance: "10000" })));
  const load = startLoad(stack, users, CLIENTS);
  await flows(load, users);
  const first = users[0] as TestUser;
  const { name, epoch } = await ownerOf(stack, first);
  const owner = stack.hosts.find((host) => host.name === name);
  if (owner === undefined) throw new Error(`${name} is none of ours`);
  return { users, load, first, epoch, owner };
}

test("kill -9 of an owner under load loses nothing acknowledged and does nothing twice", async () => {
  const { users, load, first, epoch, owner } = await begin();
  process.kill(owner.pid, "SIGKILL");
  await until(async () => (await ownerOf(stack, first)).epoch > epoch);
  await flows(load, users);
  expect(await check(stack, users, await load.stop())).toEqual([]);
});

test("an owner that is stopped past its lease and then goes on writes nothing of what it had begun", async () => {
  const { users, load, first, owner } = await begin();
  await standStill(owner.pid);
  try {
    await until(async () => (await ownerOf(stack, first)).name !== owner.name);
    await flows(load, users);
  } finally {
    process.kill(owner.pid, "SIGCONT");
  }
  // It is back when it owns a share again.
  await until(async () => (await shareOf(stack, owner.name)) > 8);
  await flows(load, users);
  expect(await check(stack, users, await load.stop())).toEqual([]);
});

test("an owner that is stopped with SIGTERM under load fails no request", async () => {
  const { users, load, owner } = await begin();
  process.kill(owner.pid, "SIGTERM");
  await until(async () => (await shareOf(stack, owner.name)) === 0);
  await flows(load, users);
  const history = await load.stop();
  expect(load.unclear()).toBe(0);
  expect(await check(stack, users, history)).toEqual([]);
});
