import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { natsServerPath } from "../../scripts/provision.ts";
import { agentEnvironment, MAIN } from "../agents/agent-process.ts";
import { testSubnet } from "../agents/containers/specs.ts";
import { freePort, temporaryFolder } from "../harness/servers.ts";
import { until } from "../harness/until.ts";

/** An agent that started with an ended credential went round the servers of a cluster, 150 times a second, and said nothing. */

/** Each server is tried once or twice. */
const TRIES_MAX = 20;
const servers: Bun.Subprocess[] = [];
const monitors: number[] = [];
let client = 0;

const connectionsOf = async (port: number): Promise<number> =>
  ((await (await fetch(`http://127.0.0.1:${port}/varz`)).json()) as { total_connections: number })
    .total_connections;
const routesOf = async (port: number): Promise<number> =>
  ((await (await fetch(`http://127.0.0.1:${port}/varz`)).json()) as { routes: number }).routes;

beforeAll(async () => {
  const program = await natsServerPath();
  const [one = 0, other = 0] = [await freePort(), await freePort()];
  for (const [mine, route] of [
    [one, other],
    [other, one],
  ] as const) {
    const [port, monitor] = [await freePort(), await freePort()];
    client = port;
    monitors.push(monitor);
    const cluster = ["--cluster_name", "c", "--cluster", `nats://127.0.0.1:${mine}`];
    servers.push(
      Bun.spawn(
        [
          ...[program, "-a", "127.0.0.1", "-p", `${port}`, "-m", `${monitor}`, "--user", "a", "--pass", "b"],
          ...[...cluster, "--routes", `nats://127.0.0.1:${route}`],
        ],
        { stdio: ["ignore", "ignore", "ignore"] },
      ),
    );
  }
  await until(async () => (await Promise.all(monitors.map(routesOf))).every((routes) => routes > 0));
});
afterAll(() => {
  for (const server of servers) server.kill();
});

test("an agent that a cluster refuses ends with one line, after a few tries", async () => {
  const natsUrl = `nats://agent-node-1:secret@127.0.0.1:${client}`;
  const options = { natsUrl, server: "node-1", data: join(temporaryFolder(), "a"), subnet: testSubnet(127) };
  const child = Bun.spawn([process.execPath, MAIN], {
    env: agentEnvironment({ ...options, driver: "process" }),
    stdio: ["ignore", "ignore", "pipe"],
  });
  expect(await child.stderr.text()).toMatch(/^agent: NATS at \S+ refuses the credentials in NATS_URL\n$/);
  expect(await child.exited).toBe(1);
  const tries = (await Promise.all(monitors.map(connectionsOf))).reduce((sum, count) => sum + count);
  expect(tries).toBeLessThan(TRIES_MAX);
});
