import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Receiver, startReceiver } from "../gateway/routes/activity/webhook/receiver.ts";
import { tenant } from "../gateway/routes/hosting/container/hosting.ts";
import { type Stack, startStack } from "../harness/stack.ts";
import { until } from "../harness/until.ts";

let stack: Stack;
let receiver: Receiver;
beforeAll(async () => {
  const env = {
    BERTH_WEBHOOK_NETWORKS: "127.0.0.0/8",
    BERTH_WEBHOOK_FIRST_RETRY_MS: "100",
    BERTH_WEBHOOK_TIMEOUT_MS: "1000",
  };
  stack = await startStack({ actorHosts: 2, env, servers: ["node-1"] });
  receiver = startReceiver();
});
afterAll(async () => {
  await receiver.stop();
  await stack.stop();
});

const KILLS = 2;
const CONTAINERS = 3;

test("whichever actor host is killed at any moment, every event arrives, those of each thing in their order", async () => {
  const ours = await tenant(stack, "node-1");
  const ids = await Promise.all(Array.from({ length: CONTAINERS }, (_, i) => ours.container(`app-${i}`)));
  const { status } = await stack.call("POST", "/api/v1/webhooks", {
    token: ours.token,
    body: { url: receiver.url, event_types: ["firewall.rule_added"] },
  });
  expect(status).toBe(201);
  // Attempts take a while, so that a host dies in the middle of some.
  receiver.answer = async () => {
    await Bun.sleep(20);
    return new Response("ok");
  };

  let isDone = false;
  const added: string[][] = ids.map(() => []);
  const adding = ids.map(async (id, i) => {
    for (let port = 1; !isDone && port < 90; port++) {
      // The same key until it is answered: a request whose answer was lost with a host is sent again.
      const key = { "idempotency-key": `${i}-${port}` };
      const rule = { action: "drop", protocol: "tcp", description: "", destination_port: String(port) };
      await until(async () => (await ours.call("POST", `/${id}/firewall/egress`, rule, key)).status === 200);
      added[i]?.push(String(port));
    }
  });

  const hosts = [...stack.hosts].map(({ pid }) => pid);
  for (let kill = 1; kill <= KILLS; kill++) {
    const arrivedBefore = receiver.received.length;
    await until(() => receiver.received.length > arrivedBefore + 5);
    const victim = hosts.shift();
    if (victim !== undefined) process.kill(victim, "SIGKILL");
    hosts.push((await stack.startHost(`actors-again-${kill}`)).pid);
  }
  isDone = true;
  await Promise.all(adding);

  const arrivedOf = (id: string) => {
    const ports = receiver.received
      .filter(({ payload }) => payload.data.container_id === id)
      .map(({ payload }) => payload.data.data.rule.destination_port as string);
    return [...new Set(ports)];
  };
  await until(() => ids.every((id, i) => arrivedOf(id).length === added[i]?.length));
  expect(ids.map(arrivedOf)).toEqual(added);
}, 180_000);
