import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect, type NatsConnection } from "nats";
import { newId } from "../../../../actors/platform/ids.ts";
import { HostUsageReader } from "../../../../agents/control-plane/host-usage.ts";
import { accessKeysSubject, agentSubject } from "../../../../schemas/subjects.ts";
import { temporaryFolder } from "../../../harness/servers.ts";
import { type SharedStack, sharedStack, type TestUser } from "../../../harness/shared-stack.ts";
import { until } from "../../../harness/until.ts";
import { rented } from "./stock.ts";

let stack: SharedStack;
let server: string;
let user: TestUser;
let agent: NatsConnection;
let rental: { id: string; server_id: string };
beforeAll(async () => {
  stack = await sharedStack();
  server = await stack.serverName();
  user = await stack.user({ balance: "100.00" });
  ({ rental } = await rented(stack, user, server));
  agent = await connectAgent(server);
  const usage = new HostUsageReader(temporaryFolder(), async () => new Map());
  agent.subscribe(agentSubject(server, "usage"), {
    callback: async (_error, message) => {
      message.respond(JSON.stringify(await usage.read()));
    },
  });
  await agent.flush();
});
afterAll(async () => {
  await agent.close();
  await stack.stop();
});

async function connectAgent(name: string): Promise<NatsConnection> {
  const { host, username, password } = new URL(stack.agentUrl(name));
  return connect({ servers: host, user: username, pass: password });
}

const read = (id: string, token = user.token, noun = "rentals") =>
  stack.call("GET", `/api/v1/${noun}/${id}/runtime`, { token });

test.each(["rentals", "servers"])("what a server uses is read from its host, under /%s", async (noun) => {
  const { status, body } = await read(rental.id, user.token, noun);
  expect(status).toBe(200);
  expect(body.data).toMatchObject({ scope: "physical", rental_id: rental.id, server_name: server });
  expect(body.data.memory.total_bytes).toBeGreaterThan(0);
  expect(body.data.cpu.cores).toBeGreaterThan(0);
});

test("it is for account logins alone", async () => {
  const made = await stack.call("POST", "/api/v1/auth/tokens", {
    token: user.token,
    body: { name: "ci", permissions: ["resources.read"] },
  });
  const refused = await read(rental.id, made.body.data.token);
  expect([refused.status, refused.body.code]).toEqual([403, "INSUFFICIENT_PERMISSIONS"]);
  expect(
    (await stack.call("GET", `/api/v1/rentals/${rental.id}`, { token: made.body.data.token })).status,
  ).toBe(200);
});

test("another user's server answers as if there were none", async () => {
  const other = await stack.user();
  const [theirs, none] = [await read(rental.id, other.token), await read("0".repeat(24), other.token)];
  expect([theirs.status, theirs.body]).toEqual([404, none.body]);
});

test("a host that does not answer is told of", async () => {
  const silent = await rented(stack, user, "live-silent");
  const { status, body } = await read(silent.rental.id);
  expect([status, body.code]).toEqual([503, "HOST_SILENT"]);
});

test("a server's host has joined once its agent answers, or asks for something", async () => {
  const operator = await stack.user({ role: "admin" });
  const add = async (name: string) =>
    (await stack.call("POST", "/api/v1/admin/servers", { token: operator.token, body: { name, specs: {} } }))
      .body.data;
  const [first, second] = [await stack.serverName(), await stack.serverName()];
  const answering = await connectAgent(first);
  answering.subscribe(agentSubject(first, "ping"), { callback: (_error, message) => message.respond() });
  await answering.flush();
  expect((await add(first)).host_joined_at).not.toBeNull();
  const { id, host_joined_at } = await add(second);
  expect(host_joined_at).toBeNull();
  const asking = await connectAgent(second);
  await asking.request(accessKeysSubject(second));
  await until(async () => {
    const { body } = await stack.call("GET", "/api/v1/admin/servers?limit=500", { token: operator.token });
    return body.data.servers.find((server: { id: string }) => server.id === id).host_joined_at !== null;
  });
  await Promise.all([answering.close(), asking.close()]);
});

test("a host that connects joins within seconds, also where nobody asks for anything", async () => {
  const operator = await stack.user({ role: "admin" });
  const name = await stack.serverName();
  const { body } = await stack.call("POST", "/api/v1/admin/servers", {
    token: operator.token,
    body: { name, specs: {} },
  });
  expect(body.data.host_joined_at).toBeNull();
  const connecting = await connectAgent(name);
  connecting.subscribe(agentSubject(name, "ping"), { callback: (_error, message) => message.respond() });
  await until(async () => {
    const [row] = await stack.db`SELECT joined_at FROM servers WHERE id = ${body.data.id}`;
    return row?.joined_at !== null;
  });
  await connecting.close();
});

test.each(["shared", "system"] as const)("the readings of a %s host are not one tenant's", async (kind) => {
  const server_name = `live-${kind}`;
  const added = await stack.call("POST", "/api/v1/admin/servers", {
    token: (await stack.user({ role: "admin" })).token,
    body: { name: server_name, kind, specs: {}, prices: { "7": 100 } },
  });
  expect(added.body.data).toMatchObject({ kind, host_joined_at: null, delivered_by_hand: false });
  // A rental from the time when such servers could be handed over.
  const rental = newId();
  const rental_end = new Date(Date.now() + 86_400_000).toISOString();
  await stack.actors.rental(rental).begin({
    ...{ server_id: added.body.data.id, server_name, user_id: user.id, pool_id: null, rental_end },
    ...{ frozen_prices: null, live_prices: {} },
  });
  const { status, body } = await read(rental);
  expect([status, body.code]).toEqual([409, "SHARED_HOST"]);
});
