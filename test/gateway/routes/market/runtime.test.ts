import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect, type NatsConnection } from "nats";
import { newId } from "../../../../actors/platform/ids.ts";
import { HostUsageReader } from "../../../../agents/control-plane/host-usage.ts";
import { agentSubject } from "../../../../schemas/subjects.ts";
import { temporaryFolder } from "../../../harness/servers.ts";
import { type SharedStack, sharedStack, type TestUser } from "../../../harness/shared-stack.ts";
import { inStock, rented } from "./stock.ts";

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
  const { host, username, password } = new URL(stack.agentUrl(server));
  agent = await connect({
    servers: host,
    user: username,
    pass: password,
  });
  const usage = new HostUsageReader(temporaryFolder(), () => []);
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

test.each(["shared", "system"] as const)("the readings of a %s host are not one tenant's", async (kind) => {
  const server = await inStock(stack, `live-${kind}`);
  const id = newId();
  await stack.actors.server(server).hand_over({
    rental_id: id,
    user_id: user.id,
    rental_end: new Date(Date.now() + 86_400_000).toISOString(),
  });
  await stack.db`UPDATE servers SET kind = ${kind} WHERE id = ${server}`;
  const { status, body } = await read(id);
  expect([status, body.code]).toEqual([409, "SHARED_HOST"]);
});
