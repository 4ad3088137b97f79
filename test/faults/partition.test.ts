import { afterEach, describe, expect, test } from "bun:test";
import { lacks } from "../agents/requirements.ts";
import { type Stack, startStack, type TestUser } from "../harness/stack.ts";
import { until } from "../harness/until.ts";
import { check } from "./checker.ts";
import { flows, ownerOf, shareOf } from "./cluster.ts";
import { startLoad } from "./load.ts";
import { type PartitionedNetwork, startPartitionedNetwork } from "./partitioned-network.ts";

const CUT_OFF = "actors-2";
const USERS = 6;
const CLIENTS = 12;

describe.skipIf(lacks("root", "nft", "ip", "unshare", "nsenter"))("a network that parts", () => {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  /** Two actor hosts under load, one of them behind a link that can be cut, and owner of some of the wallets. */
  async function begin() {
    const stack = await startStack();
    const partitioned = await startPartitionedNetwork({
      postgres: stack.databaseUrls.actors,
      nats: stack.nats.url,
    });
    ends.push(partitioned.end, stack.stop);
    const env = { DATABASE_URL: partitioned.url("postgres"), NATS_URL: partitioned.url("nats") };
    await stack.startHost(CUT_OFF, env, partitioned.within);
    await until(async () => (await shareOf(stack, CUT_OFF)) > 8);
    const users: TestUser[] = [];
    while (users.length < USERS || (await ownedBy(stack, users)).length === 0) {
      users.push(await stack.user({ balance: "10000" }));
    }
    const load = startLoad(stack, users, CLIENTS);
    await flows(load, users);
    return { stack, partitioned, users, load };
  }

  async function ownedBy(stack: Stack, users: readonly TestUser[]): Promise<TestUser[]> {
    const owned: TestUser[] = [];
    for (const user of users) if ((await ownerOf(stack, user)).name === CUT_OFF) owned.push(user);
    return owned;
  }

  async function survives(...parts: ("postgres" | "nats")[]) {
    const { stack, partitioned, users, load } = await begin();
    await cutUntilTakenOver(stack, partitioned, parts);
    await flows(load, users);
    await partitioned.mend();
    await until(async () => (await shareOf(stack, CUT_OFF)) > 8);
    await flows(load, users);
    expect(await check(stack, users, await load.stop())).toEqual([]);
  }

  async function cutUntilTakenOver(
    stack: Stack,
    partitioned: PartitionedNetwork<"postgres" | "nats">,
    parts: ("postgres" | "nats")[],
  ) {
    await partitioned.cut(...parts);
    await until(async () => (await shareOf(stack, "actors-1")) === 64);
  }

  test("an owner that is cut off from PostgreSQL and NATS loses its partitions to others, nothing is lost or doubled, and it comes back", () =>
    survives("postgres", "nats"));

  test("an owner that only NATS does not reach gives way to others, and comes back", () => survives("nats"));

  test("an owner that only PostgreSQL does not reach gives way to others, and comes back", () =>
    survives("postgres"));
});
