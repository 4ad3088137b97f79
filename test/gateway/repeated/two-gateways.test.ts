import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type NatsBus, natsBus } from "../../../actors/runtime/transport/nats-bus.ts";
import { type RunningRequests, runningRequests } from "../../../gateway/http/running-requests.ts";
import { actorHostInProcess, gatewayInProcess, type InProcess } from "../../harness/in-process.ts";
import { freePort } from "../../harness/servers.ts";
import { type Answer, connectStack, type StackClient } from "../../harness/stack-client.ts";
import { type StackServers, startStackServers } from "../../harness/stack-servers.ts";
import type { TestUser } from "../../harness/users.ts";

/** Requests under one key that reach two gateways at the same moment: one change, and one reply. */

const LEASE_TTL_MS = 5_000;
const ROUNDS = 25;
const FOLLOWING = 10;

let servers: StackServers;
const running: InProcess[] = [];
const gateways: StackClient[] = [];
beforeAll(async () => {
  servers = await startStackServers({});
  running.push(await actorHostInProcess(servers, "actors-1", LEASE_TTL_MS));
  const { address, gatewayEnv } = servers;
  for (const port of [new URL(address.url).port, String(await freePort())]) {
    const at = { ...address, url: `http://127.0.0.1:${port}` };
    running.push(
      await gatewayInProcess({ ...servers, address: at, gatewayEnv: { ...gatewayEnv, BERTH_PORT: port } }),
    );
    gateways.push(await connectStack(at));
  }
});
afterAll(async () => {
  for (const client of gateways) await client.stop();
  for (const one of running.reverse()) await one.stop();
  await servers.stop();
});

/** The same request under one key, twice through each gateway at once. */
const everywhere = (user: TestUser, method: string, path: string, body?: object) => {
  const headers = { "idempotency-key": crypto.randomUUID() };
  const request = { token: user.token, headers, ...(body === undefined ? {} : { body }) };
  return Promise.all(
    [...gateways, ...gateways].map((gateway) => gateway.call(method, `/api/v1${path}`, request)),
  );
};

test("a creation makes one thing, and each reply has it", async () => {
  const user = await (gateways[0] as StackClient).user();
  for (let round = 1; round <= ROUNDS; round++) {
    const replies = await everywhere(user, "POST", "/projects", { name: `p${round}` });
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(replies.map(({ body }) => body.data.id)).size).toBe(1);
    const { body } = await (gateways[1] as StackClient).call("GET", "/api/v1/projects", {
      token: user.token,
    });
    expect(body.data.count ?? body.data.length).toBe(1);
    await everywhere(user, "DELETE", `/projects/${replies[0]?.body.data.id}`);
  }
});

test("a deletion that is done while the next request looks for the thing is not refused there", async () => {
  const user = await (gateways[0] as StackClient).user();
  for (let round = 1; round <= ROUNDS; round++) {
    const [first] = await everywhere(user, "POST", "/projects", { name: `d${round}` });
    const headers = { "idempotency-key": crypto.randomUUID() };
    const replies: Promise<Answer>[] = [];
    for (let n = 0; n < FOLLOWING; n++) {
      const gateway = gateways[n % gateways.length] as StackClient;
      replies.push(
        gateway.call("DELETE", `/api/v1/projects/${first?.body.data.id}`, { token: user.token, headers }),
      );
      // The next one is a round trip later, so that some of them come between the commit and the reply.
      await gateway.call("GET", "/health/live");
    }
    expect((await Promise.all(replies)).map(({ status }) => status)).toEqual(Array(FOLLOWING).fill(200));
  }
});

test("a transfer moves its money once, and one gateway says that it was replayed", async () => {
  const user = await (gateways[0] as StackClient).user({ balance: "100" });
  for (let round = 0; round < ROUNDS; round++) {
    const replies = await everywhere(user, "POST", "/wallet/transfers", { amount: "1" });
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(replies.filter(({ body }) => body.data.replayed === true)).toHaveLength(3);
  }
  const { body } = await (gateways[1] as StackClient).call("GET", "/api/v1/wallet/balances", {
    token: user.token,
  });
  expect(body.data.general_balance).toBe(`${100 - ROUNDS}.00`);
});

describe("what is in progress", () => {
  const buses: NatsBus[] = [];
  const at: RunningRequests[] = [];
  beforeAll(async () => {
    for (const name of ["one", "two"]) {
      const bus = await natsBus(servers.address.natsUrl, name);
      buses.push(bus);
      at.push(runningRequests(bus));
    }
  });
  afterAll(async () => {
    for (const bus of buses) await bus.close();
  });

  test("at another gateway is waited for, until the last of them has ended", async () => {
    const [one, two] = at as [RunningRequests, RunningRequests];
    const ends = [one.begin("a"), one.begin("a")];
    await buses[0]?.ping(1_000);
    let isOver = false;
    const waited = two.othersEnd("a").then(() => {
      isOver = true;
    });
    ends[0]?.();
    ends[0]?.();
    await buses[1]?.ping(1_000);
    await buses[0]?.ping(1_000);
    expect(isOver).toBe(false);
    ends[1]?.();
    await waited;
    // Nobody has it any more, and one's own counts no longer once it has ended.
    two.begin("a")();
    await two.othersEnd("a");
  });
});
