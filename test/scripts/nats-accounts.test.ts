import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { connect, credsAuthenticator, headers, type KV, type NatsConnection } from "nats";
import { openDesiredBucket, openStatusBucket } from "../../actors/hosting/host/buckets.ts";
import { DesiredFeed, NoBucketError } from "../../agents/control-plane/desired-feed.ts";
import { controlUser, hostAccount } from "../../schemas/nats-users.ts";
import { DroppedMessages } from "../../schemas/received.ts";
import { accessKeysSubject, agentSubject, hostCredentialSubject } from "../../schemas/subjects.ts";
import { natsAccounts } from "../../scripts/servers/nats-config.ts";
import { serversOf } from "../../system/nats-url.ts";
import { nats, type TestNats } from "../harness/servers.ts";
import { until } from "../harness/until.ts";

/**
 * What NATS itself lets the credential of a host do, and what it refuses: the same where accounts are kept by hand, and where hosts join
 * by a token.
 */

describe.each([
  ["kept by hand", false],
  ["made by gateways", true],
])("accounts %s", (_form, operator) => {
  let server: TestNats;
  let control: NatsConnection;
  let agent: NatsConnection;
  let desired: KV;
  /** Permission errors that the server reported to the agent's connection: the subjects, in order. */
  const refused: string[] = [];
  /** Everything that the platform's account heard besides its own talk with JetStream: subjects. */
  const heard: string[] = [];

  const options = async (url: string) => {
    const { servers, user, pass, creds } = serversOf(url);
    return creds === undefined
      ? { servers, user: user ?? "", pass: pass ?? "" }
      : { servers, authenticator: credsAuthenticator(await readFile(creds)) };
  };
  const feedOf = (connection: NatsConnection, name = "node-1") =>
    new DesiredFeed(connection, new DroppedMessages(() => {}), name);

  beforeAll(async () => {
    server = await nats({ servers: ["node-1", "node-2", "node-3"], operator });
    control = await connect(await options(server.url));
    const jetstream = control.jetstream();
    for (const name of ["node-1", "node-2"]) {
      const bucket = await openDesiredBucket(jetstream, name);
      await bucket.put("container.a", `for ${name}`);
      await openStatusBucket(jetstream, name);
      if (name === "node-1") desired = bucket;
    }
    await (await control.jetstreamManager()).streams.add({ name: "EVENTS", subjects: ["evt.*"] });
    for (const subject of ["act.>", "cluster.>", "evt.>"]) {
      control.subscribe(subject, { callback: (_error, message) => void heard.push(message.subject) });
    }
    await control.flush();
    // Refusals of requests come as errors of the connection; the request itself only times out.
    agent = await connect({
      ...(await options(server.agentUrl("node-1"))),
      timeout: 500,
      // On a busy machine a connection takes longer than a refused request shall.
      waitOnFirstConnect: true,
      reconnectTimeWait: 100,
    });
    void (async () => {
      for await (const status of agent.status()) {
        if (status.permissionContext) refused.push(status.permissionContext.subject);
      }
    })();
  });
  beforeEach(() => {
    heard.length = 0;
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

  /** Runs what the server lets pass, and returns what the platform heard of it. */
  async function heardOf(attempt: () => unknown): Promise<string[]> {
    await attempt();
    await agent.flush();
    // Answers of JetStream to what is asked later come later.
    await feedOf(agent).created();
    await feedOf(agent).list();
    await control.flush();
    return [...heard];
  }

  test("an agent lists its desired state, and hears each change with its number", async () => {
    const feed = feedOf(agent);
    expect(await feed.list()).toEqual([{ key: "container.a", text: "for node-1", sequence: 1 }]);
    const changes: unknown[] = [];
    const end = feed.watch((entry) => changes.push(entry));
    await agent.flush();
    await desired.put("container.b", "new");
    await desired.delete("container.b");
    await until(() => changes.length === 2);
    end();
    expect(changes).toEqual([
      { key: "container.b", text: "new", sequence: 2 },
      { key: "container.b", text: null, sequence: 3 },
    ]);
    expect(await feed.list()).toEqual([
      { key: "container.a", text: "for node-1", sequence: 1 },
      { key: "container.b", text: null, sequence: 3 },
    ]);
  });

  test("an agent lists more than a batch, with large values", async () => {
    const bucket = await openDesiredBucket(control.jetstream(), "node-3");
    const connection = await connect(await options(server.agentUrl("node-3")));
    const large = "x".repeat(1_000_000);
    await Promise.all(Array.from({ length: 450 }, (_, n) => bucket.put(`container.${n}`, `value ${n}`)));
    for (let n = 0; n < 10; n++) await bucket.put(`firewall.${n}`, large);
    const entries = await feedOf(connection, "node-3").list();
    expect(entries).toHaveLength(460);
    expect(new Set(entries.map(({ key }) => key)).size).toBe(460);
    expect(entries.filter(({ text }) => text === large)).toHaveLength(10);
    await bucket.destroy();
    await expect(feedOf(connection, "node-3").created()).rejects.toThrow(NoBucketError);
    const empty = await openDesiredBucket(control.jetstream(), "node-3");
    expect(await feedOf(connection, "node-3").list()).toEqual([]);
    await empty.destroy();
    await connection.close();
  });

  test("an agent writes its status, and the control plane hears and reads it", async () => {
    const subjects: string[] = [];
    const own = control.subscribe("$KV.*.container.*", {
      callback: (_error, message) => void subjects.push(`${message.subject} ${message.string()}`),
    });
    await control.flush();
    const { seq } = await agent.jetstream().publish("$KV.status_node-1.container.a", "running");
    expect(seq).toBeGreaterThan(0);
    const reader = await openStatusBucket(control.jetstream(), "node-1");
    expect((await reader.get("container.a"))?.string()).toBe("running");
    await until(() => subjects.length === 1);
    expect(subjects).toEqual(["$KV.status_node-1.container.a running"]);
    own.unsubscribe();
  });

  test("a report that is larger than a report may be is refused with the reason", async () => {
    const attempt = agent.jetstream().publish("$KV.status_node-1.container.a", "x".repeat(10_000));
    await expect(attempt).rejects.toThrow("message size exceeds maximum allowed");
  });

  test("an agent answers requests to its host; where there is no agent the asker hears so at once", async () => {
    const requests = agent.subscribe(agentSubject("node-1", "ping"), {
      callback: (_error, message) => void message.respond("pong"),
    });
    await agent.flush();
    const reply = await control.request(agentSubject("node-1", "ping"), "", { timeout: 60_000 });
    expect(reply.string()).toBe("pong");
    requests.unsubscribe();
    await agent.flush();
    for (const name of ["node-1", "node-2", "nowhere"]) {
      await expect(control.request(agentSubject(name, "ping"), "", { timeout: 60_000 })).rejects.toThrow(
        "503",
      );
    }
  });

  test("an agent asks for the keys of tokens, and the answer comes to it alone", async () => {
    const answering = control.subscribe(accessKeysSubject("*"), {
      callback: (_error, message) => void message.respond(`keys for ${message.subject}`),
    });
    await control.flush();
    const answer = await agent.request(accessKeysSubject("node-1"), "", { timeout: 60_000 });
    expect(answer.string()).toBe("keys for cluster.keys.node-1");
    heard.length = 0;
    await heardOf(() => agent.publish(accessKeysSubject("node-1"), "", { reply: "act.elsewhere" }));
    expect(heard).toEqual(["cluster.keys.node-1"]);
    answering.unsubscribe();
  });

  const jetstream = (call: string, body: unknown = {}) => [`$JS.API.${call}`, JSON.stringify(body)] as const;

  test.each([
    ["have JetStream's account described", jetstream("INFO")],
    ["make a consumer of its own desired state", jetstream("CONSUMER.CREATE.KV_desired_node-1")],
    ["make a durable consumer", jetstream("CONSUMER.DURABLE.CREATE.KV_desired_node-1.x")],
    ["fetch a message by its number", jetstream("STREAM.MSG.GET.KV_desired_node-1", { seq: 1 })],
    ["read another host's desired state", jetstream("DIRECT.GET.KV_desired_node-2", { seq: 1 })],
    ["read about another host's bucket", jetstream("STREAM.INFO.KV_desired_node-2")],
    ["watch another host's desired state", jetstream("CONSUMER.CREATE.KV_desired_node-2")],
    ["write its own desired state", ["$KV.desired_node-1.container.a", "mine"]],
    ["write another host's desired state", ["$KV.desired_node-2.container.a", "mine"]],
    ["write another host's status", ["$KV.status_node-2.container.a", "mine"]],
    ["read its own status", jetstream("DIRECT.GET.KV_status_node-1", { seq: 1 })],
    ["purge its desired state", jetstream("STREAM.PURGE.KV_desired_node-1")],
    ["purge its status", jetstream("STREAM.PURGE.KV_status_node-1")],
    ["delete a stream", jetstream("STREAM.DELETE.KV_desired_node-1")],
    ["change a stream", jetstream("STREAM.UPDATE.KV_desired_node-1")],
    ["create a stream", jetstream("STREAM.CREATE.mine", { name: "mine", subjects: ["mine"] })],
    ["list the streams", jetstream("STREAM.NAMES")],
    ["send to an actor", ["act.0.1.wallet.x.credit", "{}"]],
    ["announce to the cluster", ["cluster.leases", ""]],
    ["end a session", ["cluster.session-ended", "a".repeat(24)]],
    ["ask for keys as another host", [accessKeysSubject("node-2"), ""]],
    ["ask for the credential of another host", [hostCredentialSubject("node-2"), ""]],
    ["write events", ["evt.committed", "{}"]],
    ["ask another agent", ["agent.node-2.ping", ""]],
    ["tell another host of a change", ["desired.node-2.container.a", "{}"]],
    ["answer nobody", ["_R_.abcdefgh.x", ""]],
    ["write to the control plane's inboxes", ["_INBOX.someone", ""]],
  ] as const)("an agent may not %s", async (_, [subject, body]) => {
    expect(await refusal(() => agent.publish(subject, body))).toBe(subject);
  });

  test.each([
    ["agent.node-2.>"],
    ["agent.>"],
    ["act.>"],
    ["cluster.>"],
    ["desired.>"],
    ["desired.node-2.>"],
    ["$KV.>"],
    [">"],
  ])("an agent may not listen to %s", async (subject) => {
    expect(await refusal(() => agent.subscribe(subject))).toBe(subject);
  });

  const TARGETS = [
    "evt.committed",
    "cluster.session-ended",
    "cluster.leases",
    "cluster.ai-credit-synced",
    "act.host.x",
  ];

  test.each(TARGETS)("an answer that an agent wants at %s goes nowhere", async (reply) => {
    const heardThen = await heardOf(async () => {
      for (let n = 0; n < 10; n++) {
        agent.publish("$JS.API.STREAM.INFO.KV_desired_node-1", "", { reply });
        agent.publish("$JS.API.DIRECT.GET.KV_desired_node-1", JSON.stringify({ batch: 9, seq: 1 }), {
          reply,
        });
        agent.publish("$KV.status_node-1.container.b", "running", { reply });
      }
    });
    expect(heardThen).toEqual([]);
  });

  test("headers that make the server send something reach nothing of the platform's", async () => {
    const heardThen = await heardOf(() => {
      const traced = headers();
      traced.set("Nats-Trace-Dest", "evt.committed");
      const scheduled = headers();
      scheduled.set("Nats-Schedule", "@every 1s");
      scheduled.set("Nats-Schedule-Target", "evt.committed");
      for (const one of [traced, scheduled]) {
        agent.publish("$KV.status_node-1.container.b", "running", { headers: one });
        agent.publish("$JS.API.STREAM.INFO.KV_desired_node-1", "", { headers: one });
      }
    });
    expect(heardThen).toEqual([]);
  });

  test("a host that answers a request more than once is heard once", async () => {
    const requests = agent.subscribe(agentSubject("node-1", "usage"), {
      callback: (_error, message) => {
        for (let n = 0; n < 100; n++) message.respond(`answer ${n}`);
      },
    });
    await agent.flush();
    const answers: string[] = [];
    control.subscribe("_INBOX.many", { callback: (_error, message) => void answers.push(message.string()) });
    control.publish(agentSubject("node-1", "usage"), "", { reply: "_INBOX.many" });
    await until(() => answers.length > 0);
    await agent.flush();
    await control.flush();
    expect(answers).toEqual(["answer 0"]);
    requests.unsubscribe();
  });

  test("the state of another host is unchanged by all that was refused", async () => {
    const other = await openDesiredBucket(control.jetstream(), "node-2");
    expect((await other.get("container.a"))?.string()).toBe("for node-2");
  });
});

test("a name that would widen a host's account is given none", () => {
  for (const name of ["*", ">", "a.b", "a b", ""])
    expect(() => hostAccount(name, "x")).toThrow("not a server's name");
});

test("the example for operators has the accounts that the scripts write", () => {
  const example = readFileSync(join(import.meta.dir, "../../deploy/nats.conf"), "utf8");
  const generated = natsAccounts(controlUser("<bcrypt>"), [hostAccount("node-1", "<bcrypt>")]);
  expect(example).toContain(generated);
});
