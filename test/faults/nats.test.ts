import { afterEach, expect, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { bucketsOf, startHost, tenant } from "../gateway/routes/hosting/container/hosting.ts";
import { freePort, nats, temporaryFolder } from "../harness/servers.ts";
import { startStack } from "../harness/stack.ts";
import { until } from "../harness/until.ts";
import { check } from "./checker.ts";
import { flows } from "./cluster.ts";
import { startLoad } from "./load.ts";

const USERS = 6;
const CLIENTS = 12;
const SERVER = "node-1";
/** Hosts and records are compared as a whole every 15 s. */
const SWEPT = { everyMs: 100 };

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function begin() {
  const at = { dir: join(temporaryFolder(), "nats"), port: await freePort(), servers: [SERVER] };
  const stack = await startStack({ natsAt: at, servers: [SERVER], actorHosts: 2 });
  ends.push(stack.stop);
  const users = await Promise.all(Array.from({ length: USERS }, () => stack.user({ balance: "10000" })));
  const start = async () => {
    const server = await nats(at);
    ends.push(server.stop);
  };
  return { stack, users, start, store: join(at.dir, "jetstream") };
}

test("kill -9 of NATS under load costs nothing that was acknowledged, and it goes on when NATS is back", async () => {
  const { stack, users, start } = await begin();
  const load = startLoad(stack, users, CLIENTS);
  await flows(load, users);
  process.kill(stack.nats.pid, "SIGKILL");
  await until(() => load.unclear() > 0);
  await start();
  await flows(load, users);
  expect(await check(stack, users, await load.stop())).toEqual([]);
});

test("when JetStream has lost everything the stream of events and the buckets of hosts are filled again", async () => {
  const { stack, users, start, store } = await begin();
  const { call, container } = await tenant(stack, SERVER);
  const id = await container("web");
  const before = await bucketsOf(stack, SERVER);
  await until(() => before.container(id));
  await before.close();
  const load = startLoad(stack, users, CLIENTS);
  await flows(load, users);

  await stack.nats.stop();
  expect(existsSync(store)).toBe(true);
  rmSync(store, { recursive: true });
  await start();
  await flows(load, users);
  expect(await check(stack, users, await load.stop(), { refilled: true })).toEqual([]);

  const buckets = await bucketsOf(stack, SERVER);
  const host = await startHost(stack, SERVER);
  ends.push(buckets.close, host.close);
  expect(await until(() => buckets.container(id), SWEPT)).toMatchObject({
    id,
    revision: 1,
    state: "running",
  });
  // The bucket of reports is there again too, and the control plane listens to it.
  await host.reportContainer(id, { address: "10.77.0.9" });
  await until(async () => (await call("GET", `/${id}`)).body.data.address === "10.77.0.9");
});
