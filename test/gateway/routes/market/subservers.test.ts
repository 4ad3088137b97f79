import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect, type NatsConnection } from "nats";
import { readDesiredContainers } from "../../../../actors/hosting/container/queries.ts";
import { subserverUsage } from "../../../../gateway/hosts/subserver-usage.ts";
import { SHARE_BYTES } from "../../../../schemas/hosting/storage-share.ts";
import type { HostUsage } from "../../../../schemas/hosting/usage.ts";
import { agentSubject } from "../../../../schemas/subjects.ts";
import { type SharedStack, sharedStack, type TestUser } from "../../../harness/shared-stack.ts";
import { until } from "../../../harness/until.ts";
import { as } from "../accounts/pool/team.ts";
import { inStock, rent } from "./stock.ts";

let stack: SharedStack;
let operator: TestUser;
let host: string;
let parent: string;
let agent: NatsConnection;
let containers: HostUsage["containers"] = [];
const specs = { cpu_cores: 2, ram_gb: 4, disks: [{ type: "nvme" as const, size_gb: 50 }] };
const usage = (): HostUsage => ({
  measured_at: "2026-01-31T09:30:00.000Z",
  uptime_seconds: 60,
  cpu: { cores: 16, usage_percent: 50, load_average: [1, 1, 1] },
  memory: { total_bytes: 64e9, used_bytes: 32e9, available_bytes: 32e9, usage_percent: 50 },
  disk: { total_bytes: 1e12, used_bytes: 5e11, available_bytes: 5e11, usage_percent: 50 },
  containers,
});

beforeAll(async () => {
  stack = await sharedStack();
  operator = await stack.user({ role: "admin" });
  host = await stack.serverName();
  const { hostname, port, username, password } = new URL(stack.agentUrl(host));
  agent = await connect({ servers: `${hostname}:${port}`, user: username, pass: password });
  agent.subscribe(agentSubject(host, "ping"), { callback: (_error, message) => message.respond() });
  agent.subscribe(agentSubject(host, "usage"), {
    callback: (_error, message) => message.respond(JSON.stringify(usage())),
  });
  await agent.flush();
  parent = (await add({ name: host, kind: "shared" })).body.data.id;
});
afterAll(async () => {
  await agent.close();
  await stack.stop();
});

const operate = (method: string, path: string, body?: object) =>
  as(stack, operator)(method, `/admin${path}`, body);
const add = (body: object) => operate("POST", "/servers", { specs: {}, ...body });
const part = (name: string, more: object = {}) =>
  add({ name, parent_id: parent, specs, prices: { "7": 700 }, ...more });

/** A tenant who rents a new subserver, with a container there. */
async function tenant(name: string) {
  const user = await stack.user({ balance: "10.00" });
  const server = (await part(name)).body.data;
  const { body } = await rent(stack, user, server.id, { rental_days: 7, max_charge_cents: 700 });
  const call = as(stack, user);
  const project = (await call("POST", "/projects", { name: "web" })).body.data.id;
  const made = await call("POST", "/containers", { project_id: project, server_id: server.id, name: "web" });
  return { user, call, server, rental: body.data, container: made.body.data };
}

test("a subserver joins with its host, is listed as one, and can be rented", async () => {
  const { status, body } = await part(`${host}-listed`);
  expect([status, body.data]).toMatchObject([201, { parent_id: parent, host, kind: "dedicated" }]);
  expect(body.data.host_joined_at).not.toBeNull();
  const user = await stack.user({ balance: "10.00" });
  const listed = await as(stack, user)("GET", "/servers/available");
  expect(listed.body.data).toContainEqual(
    expect.objectContaining({ id: body.data.id, is_subserver: true, delivered_by_hand: false }),
  );
  const rented = await rent(stack, user, body.data.id, { rental_days: 7, max_charge_cents: 700 });
  expect([rented.status, rented.body.data.server_id]).toEqual([201, body.data.id]);
});

test("containers of a subserver run on its host, and an alias names both", async () => {
  const { call, server, container } = await tenant(`${host}-placed`);
  const here = { server_id: server.id, server_name: host, subserver_name: `${host}-placed` };
  expect(container).toMatchObject(here);
  const { project_id } = container;
  const share = { project_id, server_id: server.id, name: "data", size_bytes: SHARE_BYTES.minimum };
  expect((await call("POST", "/storage-shares", share)).body.data).toMatchObject(here);
  expect((await call("GET", "/storage-shares")).body.data.storage_shares).toMatchObject([here]);
  expect((await call("GET", "/containers?sort=name")).body.data.containers).toMatchObject([here]);
  const expose = { container_id: container.id, program: "http", alias: `${host}-shop` };
  const created = (await call("POST", "/proxy/aliases", expose)).body.data;
  const placed = { server_id: parent, server_name: host, subserver_name: `${host}-placed` };
  expect(created).toMatchObject(placed);
  expect((await call("GET", `/proxy/aliases/${created.id}`)).body.data).toMatchObject(placed);
  expect(new URL(created.url).hostname.startsWith(`${host}-shop.${host}.`)).toBe(true);

  const neighbour = await tenant(`${host}-neighbour`);
  const taken = { ...expose, container_id: neighbour.container.id };
  expect((await neighbour.call("POST", "/proxy/aliases", taken)).body.code).toBe("ALIAS_IN_USE");
  expect((await neighbour.call("GET", `/proxy/aliases/${created.id}`)).status).toBe(404);
  expect((await neighbour.call("GET", `/containers/${container.id}`)).status).toBe(404);

  await call("DELETE", `/containers/${container.id}`);
  await until(async () => (await neighbour.call("POST", "/proxy/aliases", taken)).status === 201);
});

test("the host learns which part a container is on, so that all containers there share what the part has", async () => {
  const { server, container } = await tenant(`${host}-summed`);
  const [desired] = await readDesiredContainers(stack.db, [container.id], () => null);
  expect(desired).toMatchObject({
    server_name: host,
    part_id: server.id,
    server_resources: { cpu_cores: 2, memory_bytes: 4 * 2 ** 30 },
  });
});

test("runtime of a subserver is the sum of its own containers", async () => {
  const { call, rental, server, container } = await tenant(`${host}-live`);
  containers = [
    { id: container.id, cpu_percent: 50, memory_bytes: 2 ** 30 },
    { id: "f".repeat(24), cpu_percent: 100, memory_bytes: 9e9 },
  ];
  // A reading is kept for two seconds.
  await until(
    async () => (await call("GET", `/rentals/${rental.id}/runtime`)).body.data.containers.length > 0,
  );
  expect((await call("GET", `/rentals/${rental.id}/runtime`)).body.data).toEqual({
    scope: "subserver",
    rental_id: rental.id,
    server_id: server.id,
    server_name: server.name,
    measured_at: usage().measured_at,
    uptime_seconds: 60,
    cpu: { cores: 2, usage_percent: 25 },
    memory: { total_bytes: 4 * 2 ** 30, used_bytes: 2 ** 30, usage_percent: 25 },
    disk: { total_bytes: 50e9 },
    containers: [containers[0]],
  });
});

test("what a subserver's specifications do not state, and what its host does not count, is null", () => {
  const container = { id: "a".repeat(24), cpu_percent: null, memory_bytes: 5 };
  const share = subserverUsage({ ...usage(), containers: [container] }, {}, new Set([container.id]));
  expect(share).toMatchObject({
    cpu: { cores: null, usage_percent: null },
    memory: { total_bytes: null, used_bytes: 5, usage_percent: null },
    disk: { total_bytes: null },
  });
});

test("a container between two runs takes nothing of its subserver; where nothing is counted of any, the sum is not known", () => {
  const none = { cpu_percent: null, memory_bytes: null };
  const [running, ended] = [
    { id: "a".repeat(24), cpu_percent: 50, memory_bytes: 5 },
    { id: "b".repeat(24), ...none },
  ];
  const own = new Set([running.id, ended.id]);
  const shareOf = (containers: HostUsage["containers"]) =>
    subserverUsage({ ...usage(), containers }, { cpu_cores: 2 }, own);
  expect(shareOf([running, ended])).toMatchObject({ cpu: { usage_percent: 25 }, memory: { used_bytes: 5 } });
  expect(shareOf([{ ...running, ...none }, ended])).toMatchObject({
    cpu: { usage_percent: null },
    memory: { used_bytes: null },
  });
});

test("runtime of a physical server that has subservers is refused: its readings are not one tenant's", async () => {
  const user = await stack.user();
  const end = new Date(Date.now() + 86_400_000).toISOString();
  const id = "b".repeat(24 - host.length) + Buffer.from(host).toString("hex").slice(0, host.length);
  // A rental from the time when such servers could be handed over.
  await stack.actors.rental(id).begin({
    ...{ server_id: parent, server_name: host, user_id: user.id, pool_id: null, rental_end: end },
    ...{ frozen_prices: null, live_prices: {} },
  });
  const { status, body } = await as(stack, user)("GET", `/servers/${id}/runtime`);
  expect([status, body.code]).toEqual([409, "SHARED_HOST"]);
});

test("a subserver has a parent that is shared, and a parent stays while it has subservers", async () => {
  const dedicated = await inStock(stack, `${host}-dedicated`);
  for (const parent_id of [dedicated, "0".repeat(24)]) {
    const { status, body } = await part(`${host}-wrong`, { parent_id });
    expect([status, body.data]).toEqual([400, { field: "body.parent_id" }]);
  }
  expect((await part(`${host}-wrong`, { kind: "system" })).body.data).toEqual({ field: "body.kind" });
  const shared = (await add({ name: `${host}-other`, kind: "shared" })).body.data.id;
  const child = (await part(`${host}-child`, { parent_id: shared })).body.data;
  expect(child.host_joined_at).toBeNull();
  expect((await operate("DELETE", `/servers/${shared}`)).body.code).toBe("SERVER_IN_USE");
  expect((await operate("DELETE", `/servers/${child.id}`)).status).toBe(200);
  expect((await operate("DELETE", `/servers/${shared}`)).status).toBe(200);
});
