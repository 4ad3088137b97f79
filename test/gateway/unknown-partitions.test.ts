import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import pino from "pino";
import { natsBus } from "../../actors/runtime/transport/nats-bus.ts";
import { type Gateway, startGateway } from "../../gateway/gateway.ts";
import { readGatewaySettings } from "../../gateway/settings.ts";
import { LEASES_CHANGED } from "../../schemas/subjects.ts";
import { CLEAN_ENVIRONMENT } from "../harness/environment.ts";
import { connectStack, type StackClient } from "../harness/stack-client.ts";
import { type StackServers, startStackServers } from "../harness/stack-servers.ts";
import { until } from "../harness/until.ts";

/** Processes beside a cluster that spreads its actors in a way that only later versions know. */

const WHY =
  "this program is of an earlier version than its cluster, and does not know the cluster's partitions";
const ROOT = join(import.meta.dir, "../..");

let servers: StackServers;
let client: StackClient;
let gateway: Gateway;
beforeAll(async () => {
  servers = await startStackServers({});
  client = await connectStack(servers.address);
  gateway = await startGateway(readGatewaySettings(servers.gatewayEnv), pino({ level: "silent" }));
});
afterAll(async () => {
  await gateway.stop();
  await client.stop();
  await servers.stop();
});

const readiness = async () => (await client.call("GET", "/health/ready")).status;

test("a gateway that runs says that it is not ready, and that it has to be replaced", async () => {
  expect(await readiness()).toBe(200);
  await client.db`UPDATE partition_counts SET scheme = 2`;
  const bus = await natsBus(servers.address.natsUrl, "test");
  bus.publish(LEASES_CHANGED, "");
  expect((await gateway.failed).message).toStartWith(WHY);
  await until(async () => (await readiness()) === 503);
  await bus.close();
});

test.each(["gateway", "actors"])("a new process of %s ends with a line for the operator", async (role) => {
  const { exited, stdout } = Bun.spawn([process.execPath, join(ROOT, role, "main.ts")], {
    env: { ...CLEAN_ENVIRONMENT, ...servers.gatewayEnv, ...servers.hostEnv("actors-1") },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = (await stdout.text()).trim().split("\n");
  expect(await exited).toBe(1);
  expect(JSON.parse(lines.at(-1) ?? "").msg).toStartWith(WHY);
  expect(await client.db`SELECT FROM hosts`).toHaveLength(0);
});
