import { connect, type KV } from "nats";
import { newId } from "../../../../../actors/platform/ids.ts";
import { DesiredFeed } from "../../../../../agents/control-plane/desired-feed.ts";
import type {
  ContainerStatus,
  DesiredContainer,
  DesiredFirewall,
  EndedSessions,
  FirewallStatus,
  ShareStatus,
} from "../../../../../schemas/hosting/desired.ts";
import { DroppedMessages } from "../../../../../schemas/received.ts";
import {
  agentSubject,
  desiredBucket,
  desiredKey,
  endedSessionsKey,
  kvSubject,
  statusBucket,
} from "../../../../../schemas/subjects.ts";
import type { StackClient, TestUser } from "../../../../harness/stack-client.ts";
import { until } from "../../../../harness/until.ts";

const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

/** A server of the stock that a user rents, until `end`. */
export async function rentServer(
  stack: StackClient,
  user: TestUser,
  name: string,
  end = new Date(Date.now() + YEAR_MS),
): Promise<string> {
  const id = newId();
  const rental = { rental_id: newId(), user_id: user.id, rental_end: end.toISOString() };
  await stack.actors.server(id).create({ name, specs: {} });
  await stack.actors.server(id).join({});
  await stack.actors.server(id).hand_over(rental);
  return id;
}

/** A user with a project and a rented server, and what makes containers there. */
export async function tenant(stack: StackClient, serverName: string) {
  const user = await stack.user();
  const { token } = user;
  const project = await stack.call("POST", "/api/v1/projects", { token, body: { name: "web" } });
  const projectId: string = project.body.data.id;
  const serverId = await rentServer(stack, user, serverName);
  const call = (method: string, path: string, body?: unknown, headers = {}) =>
    stack.call(method, `/api/v1/containers${path}`, {
      token,
      headers,
      ...(body === undefined ? {} : { body }),
    });
  const create = (name: string, fields: object = {}, headers = {}) =>
    call("POST", "", { project_id: projectId, server_id: serverId, name, ...fields }, headers);
  const container = async (name: string): Promise<string> => (await create(name)).body.data.id;
  return { user, token, projectId, serverId, call, create, container };
}

/** What an agent would be to the control plane: it has an agent's credentials, and reports what it is told to. */
export interface Host {
  reportContainer(id: string, status: Partial<ContainerStatus>): Promise<void>;
  reportFirewall(id: string, status: Partial<FirewallStatus>): Promise<void>;
  /** A share that is made, unless told otherwise. */
  reportShare(id: string, status: Partial<ShareStatus>): Promise<void>;
  /** Any text, under any key. */
  reportRaw(key: string, text: string): Promise<void>;
  /** What it answers when it is asked what a container's rules have counted; null: nothing at all. */
  answerCounts(answer: (containerId: string) => unknown): void;
  /** Follows the desired state of firewalls, and answers each one. Resolves once it listens. */
  answerFirewalls(answer: (desired: DesiredFirewall) => Partial<FirewallStatus>): Promise<void>;
  close(): Promise<void>;
}

export async function startHost(stack: StackClient, server: string): Promise<Host> {
  const connection = await open(stack.agentUrl(server));
  connection.subscribe(agentSubject(server, "ping"), { callback: (_error, message) => message.respond() });
  const jetstream = connection.jetstream();
  const reported_at = "2026-01-31T09:30:00.000Z";
  const put = async (key: string, value: string) => {
    // The bucket comes with the first container of the server. Nobody waits for a report of a host that is closed.
    await until(
      async () =>
        connection.isClosed() || (await jetstream.publish(kvSubject(statusBucket(server), key), value)),
    );
  };
  const host: Host = {
    reportRaw: put,
    reportContainer: (id, status) =>
      put(
        desiredKey("container", id),
        JSON.stringify({
          revision: 1,
          state: "running",
          driver: "oci",
          address: "10.77.0.2",
          error: null,
          reported_at,
          ...status,
        }),
      ),
    reportFirewall: (id, status) =>
      put(
        desiredKey("firewall", id),
        JSON.stringify({ revision: 1, enforced: true, error: null, reported_at, ...status }),
      ),
    reportShare: (id, status) =>
      put(
        desiredKey("share", id),
        JSON.stringify({
          ...{ revision: 1, state: "ready", size_bytes: 2 ** 24, used_bytes: 0, enforced: true, error: null },
          ...{ snapshots: [], restored: null, mounted_by: [], reported_at, ...status },
        }),
      ),
    answerCounts(answer) {
      connection.subscribe(agentSubject(server, "firewall-counts"), {
        callback: (_error, message) => {
          const counts = answer(message.string());
          if (counts !== null) message.respond(JSON.stringify(counts));
        },
      });
    },
    async answerFirewalls(answer) {
      const feed = new DesiredFeed(connection, new DroppedMessages(() => {}), server);
      const answerOne = async ({ key, text }: { key: string; text: string | null }) => {
        if (text === null || !key.startsWith("firewall.")) return;
        const desired = JSON.parse(text) as DesiredFirewall;
        await host.reportFirewall(desired.container_id, { revision: desired.revision, ...answer(desired) });
      };
      // The bucket comes with the first container of the server.
      await until(() => feed.created());
      feed.watch((entry) => void answerOne(entry));
      for (const entry of await feed.list()) await answerOne(entry);
    },
    close: () => connection.close(),
  };
  return host;
}

/** A server's two buckets, as the control plane sees them. */
export interface Buckets {
  container(id: string): Promise<DesiredContainer | undefined>;
  firewall(id: string): Promise<DesiredFirewall | undefined>;
  endedSessions(userId: string): Promise<EndedSessions | undefined>;
  /** Writes to the desired state as the control plane does. */
  putRaw(key: string, text: string): Promise<void>;
  /** Keys that hold something, of both buckets. */
  keys(): Promise<string[]>;
  lose(): Promise<void>;
  loseReports(): Promise<void>;
  close(): Promise<void>;
}

export async function bucketsOf(stack: StackClient, server: string): Promise<Buckets> {
  const connection = await open(stack.natsUrl);
  const views = connection.jetstream().views;
  const bound = (name: string) => views.kv(name, { bindOnly: true });
  const read = async <T>(key: string): Promise<T | undefined> => {
    const entry = await (await bound(desiredBucket(server))).get(key);
    return entry?.operation === "PUT" ? entry.json<T>() : undefined;
  };
  const keysOf = async (bucket: KV) => {
    const keys: string[] = [];
    for await (const key of await bucket.keys()) keys.push(key);
    return keys;
  };
  return {
    container: (id) => read<DesiredContainer>(desiredKey("container", id)),
    firewall: (id) => read<DesiredFirewall>(desiredKey("firewall", id)),
    endedSessions: (userId) => read<EndedSessions>(endedSessionsKey(userId)),
    putRaw: async (key, text) => {
      await (await bound(desiredBucket(server))).put(key, text);
    },
    keys: async () => [
      ...(await keysOf(await bound(desiredBucket(server)))),
      ...(await keysOf(await bound(statusBucket(server)))),
    ],
    lose: async () => {
      await (await bound(desiredBucket(server))).destroy();
      await (await bound(statusBucket(server))).destroy();
    },
    loseReports: async () => {
      await (await bound(statusBucket(server))).destroy();
    },
    close: () => connection.close(),
  };
}

function open(url: string) {
  const { host, username, password } = new URL(url);
  return connect({
    servers: host,
    user: decodeURIComponent(username),
    pass: decodeURIComponent(password),
  });
}
