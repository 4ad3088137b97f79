import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect } from "nats";
import { desiredBucket, statusBucket } from "../../../../../schemas/subjects.ts";
import { type SharedStack, sharedStack } from "../../../../harness/shared-stack.ts";
import { until } from "../../../../harness/until.ts";
import { type Host, startHost, tenant } from "./hosting.ts";

/** What users see of containers on a host whose agent hangs, or is gone. */

/** The reconciler probes hosts every 15 s, and two missed probes make a host unreachable. */
const NOTICE = { everyMs: 200 };
let stack: SharedStack;
let server: string;
let oldServer: string;
let ours: Awaited<ReturnType<typeof tenant>>;
let host: Host;
beforeAll(async () => {
  stack = await sharedStack();
  server = await stack.serverName();
  oldServer = await stack.serverName();
  ours = await tenant(stack, server);
  host = await startHost(stack, server);
});
afterAll(async () => {
  await host.close();
  await stack.stop();
});

const record = async (id: string) => (await ours.call("GET", `/${id}`)).body.data;

test("a container says that its host is silent, and what the host last said; and no more once it is heard again", async () => {
  const id = await ours.container("lonely");
  await host.reportContainer(id, { address: "10.77.0.9" });
  await until(async () => (await record(id)).state === "running");
  expect((await record(id)).error).toBeNull();

  await host.close();
  await until(async () => (await record(id)).error !== null, NOTICE);
  expect(await record(id)).toMatchObject({
    state: "running",
    address: "10.77.0.9",
    error: "its host does not respond; the state is what it last reported",
  });
  const events = await stack.db`SELECT event_type FROM events WHERE resource_id = ${id}`;
  expect(events.map(({ event_type }) => event_type).toSorted()).toEqual([
    "container.created",
    "container.running",
  ]);

  // It reports nothing new: what it reported before counts again.
  host = await startHost(stack, server);
  await until(async () => (await record(id)).error === null, NOTICE);
  expect(await record(id)).toMatchObject({ state: "running", address: "10.77.0.9" });
});

test("the buckets of a host are bounded, also those from before they were", async () => {
  const { host: address, username, password } = new URL(stack.natsUrl);
  const connection = await connect({ servers: address, user: username, pass: decodeURIComponent(password) });
  const manager = await connection.jetstreamManager();
  const jetstream = connection.jetstream();
  await jetstream.views.kv(desiredBucket(oldServer));
  await jetstream.views.kv(statusBucket(oldServer));
  const theirs = await tenant(stack, oldServer);
  await theirs.container("late");
  for (const name of [server, oldServer].flatMap((one) => [desiredBucket(one), statusBucket(one)])) {
    const { max_bytes, max_msg_size } = await until(async () => {
      const { config } = await manager.streams.info(`KV_${name}`);
      return config.max_bytes > 0 && config;
    });
    expect(max_bytes).toBeLessThanOrEqual(64 * 1024 * 1024);
    expect(max_msg_size).toBeGreaterThan(0);
    expect(max_msg_size).toBeLessThan(max_bytes);
  }
  const publish = jetstream.publish(`$KV.${statusBucket(server)}.container.x`, "x".repeat(20_000));
  expect(await publish.then(() => "taken", String)).toContain("message size exceeds maximum");
  await connection.close();
});
