import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect, type KV, KvWatchInclude, type NatsConnection } from "nats";
import { agentInboxPrefix, desiredBucket, statusBucket } from "../../schemas/subjects.ts";
import { agentUser } from "../../scripts/nats-users.ts";
import { nats, type TestNats } from "../harness/servers.ts";
import { until } from "../harness/until.ts";

/** What NATS itself lets a host's agent do, and what it refuses. */

let server: TestNats;
let control: NatsConnection;
let agent: NatsConnection;
/** Permission errors that the server reported to the agent's connection: the subjects, in order. */
const refused: string[] = [];

const options = (url: string) => {
  const { host, username, password } = new URL(url);
  return { servers: host, user: username, pass: password };
};
const bucketOf = (connection: NatsConnection, bucket: string): Promise<KV> =>
  connection.jetstream().views.kv(bucket, { bindOnly: true, allow_direct: true });

beforeAll(async () => {
  server = await nats({ servers: ["node-1", "node-2"] });
  control = await connect(options(server.url));
  for (const name of ["node-1", "node-2"]) {
    const desired = await control.jetstream().views.kv(desiredBucket(name));
    await desired.put("container.a", `for ${name}`);
    await control.jetstream().views.kv(statusBucket(name));
  }
  agent = await connect({
    ...options(server.agentUrl("node-1")),
    inboxPrefix: agentInboxPrefix("node-1"),
    // Refusals of requests come as errors of the connection; the request itself only times out.
    timeout: 500,
  });
  void (async () => {
    for await (const status of agent.status()) {
      if (status.permissionContext) refused.push(status.permissionContext.subject);
    }
  })();
});

afterAll(async () => {
  await agent?.close();
  await control?.close();
  await server?.stop();
});

/** Runs what the server should refuse, and returns the subject that it refused. */
async function refusal(attempt: () => unknown): Promise<string | undefined> {
  refused.length = 0;
  try {
    await attempt();
  } catch {
    // What the client makes of it differs between calls; the server's word is what counts.
  }
  await agent.flush();
  return until(() => refused[0]);
}

test("an agent reads its own desired state: get, keys, and a watch that sees the list and then the changes", async () => {
  const desired = await bucketOf(agent, desiredBucket("node-1"));
  expect((await desired.get("container.a"))?.string()).toBe("for node-1");
  expect(await Array.fromAsync(await desired.keys())).toEqual(["container.a"]);

  const seen: string[] = [];
  const watch = await desired.watch({ include: KvWatchInclude.LastValue });
  const reading = (async () => {
    for await (const entry of watch) seen.push(`${entry.key}=${entry.string()}`);
  })();
  await until(() => seen.length === 1);
  const writer = await control.jetstream().views.kv(desiredBucket("node-1"));
  await writer.put("container.b", "new");
  await until(() => seen.length === 2);
  watch.stop();
  await reading;
  expect(seen).toEqual(["container.a=for node-1", "container.b=new"]);
});

test("an agent may also open its desired bucket without bindOnly", async () => {
  const desired = await agent.jetstream().views.kv(desiredBucket("node-1"));
  expect((await desired.get("container.a"))?.string()).toBe("for node-1");
});

test("an agent writes its status, and the control plane reads it", async () => {
  const status = await bucketOf(agent, statusBucket("node-1"));
  expect(await status.put("container.a", "running")).toBeGreaterThan(0);
  const reader = await control.jetstream().views.kv(statusBucket("node-1"));
  expect((await reader.get("container.a"))?.string()).toBe("running");
});

test("an agent answers requests to its host", async () => {
  const requests = agent.subscribe("agent.node-1.>");
  void (async () => {
    for await (const request of requests) request.respond("pong");
  })();
  await agent.flush();
  const reply = await control.request("agent.node-1.ping", "", { timeout: 2_000 });
  requests.unsubscribe();
  expect(reply.string()).toBe("pong");
});

const jetstream = (call: string, body: unknown = {}) => [`$JS.API.${call}`, JSON.stringify(body)] as const;

test.each([
  [
    "read another host's desired state",
    jetstream("DIRECT.GET.KV_desired_node-2.$KV.desired_node-2.container.a"),
  ],
  ["fetch a message of another host's bucket", jetstream("STREAM.MSG.GET.KV_desired_node-2", { seq: 1 })],
  ["watch another host's desired state", jetstream("CONSUMER.CREATE.KV_desired_node-2")],
  ["make a consumer through the old API", jetstream("CONSUMER.DURABLE.CREATE.KV_desired_node-1.x")],
  ["write its own desired state", ["$KV.desired_node-1.container.a", "mine"]],
  ["write another host's desired state", ["$KV.desired_node-2.container.a", "mine"]],
  ["write another host's status", ["$KV.status_node-2.container.a", "mine"]],
  ["have its status delivered to another subject", jetstream("STREAM.MSG.GET.KV_status_node-1", { seq: 1 })],
  ["have its status delivered by direct get", jetstream("DIRECT.GET.KV_status_node-1")],
  ["have its status delivered by a consumer", jetstream("CONSUMER.CREATE.KV_status_node-1")],
  ["purge its desired state", jetstream("STREAM.PURGE.KV_desired_node-1")],
  ["purge its status", jetstream("STREAM.PURGE.KV_status_node-1")],
  ["delete a message", jetstream("STREAM.MSG.DELETE.KV_desired_node-1", { seq: 1 })],
  ["delete a stream", jetstream("STREAM.DELETE.KV_desired_node-1")],
  ["change a stream", jetstream("STREAM.UPDATE.KV_desired_node-1")],
  ["create a stream", jetstream("STREAM.CREATE.mine", { name: "mine", subjects: ["mine"] })],
  ["list the streams", jetstream("STREAM.NAMES")],
  ["send to an actor", ["act.0.1.wallet.x.credit", "{}"]],
  ["announce to the cluster", ["cluster.leases", ""]],
  ["write events", ["evt.0", "{}"]],
  ["ask another agent", ["agent.node-2.ping", ""]],
  ["write to the control plane's inboxes", ["_INBOX.someone", ""]],
] as const)("an agent may not %s", async (_, [subject, body]) => {
  expect(await refusal(() => agent.publish(subject, body))).toBe(subject);
});

test.each([
  ["_INBOX_node-2.>"],
  ["_INBOX.>"],
  ["agent.node-2.>"],
  ["agent.>"],
  ["act.>"],
  ["cluster.>"],
  ["$KV.desired_node-2.>"],
  ["$KV.desired_node-1.>"],
  [">"],
])("an agent may not listen to %s", async (subject) => {
  expect(await refusal(() => agent.subscribe(subject))).toBe(subject);
});

test("another host's state is unchanged by all that was refused", async () => {
  const desired = await control.jetstream().views.kv(desiredBucket("node-2"));
  expect((await desired.get("container.a"))?.string()).toBe("for node-2");
});

test("a name that would widen an agent's permissions is not given a user", () => {
  for (const name of ["*", ">", "a.b", "a b", ""])
    expect(() => agentUser(name, "x")).toThrow("not a server's name");
});
