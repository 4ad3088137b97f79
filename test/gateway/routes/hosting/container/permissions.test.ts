import { afterAll, beforeAll, expect, test } from "bun:test";
import { type SharedStack, sharedStack, type TestUser } from "../../../../harness/shared-stack.ts";
import { until } from "../../../../harness/until.ts";
import { type Buckets, bucketsOf, tenant } from "./hosting.ts";

/** Users who may enter one container, without a role on its server. What the edge does by the list is tested with the edge. */

let stack: SharedStack;
let ours: Awaited<ReturnType<typeof tenant>>;
let buckets: Buckets;
let guest: TestUser;
beforeAll(async () => {
  stack = await sharedStack();
  const server = await stack.serverName();
  [ours, guest] = await Promise.all([tenant(stack, server), stack.user()]);
  await ours.container("brings-the-bucket");
  buckets = await bucketsOf(stack, server);
});
afterAll(async () => {
  await buckets.close();
  await stack.stop();
});

const grant = (id: string, fields: object = {}) =>
  ours.call("POST", `/${id}/permissions`, { username: guest.username, ...fields });
const enter = (id: string, token = guest.token) =>
  stack.call("POST", `/api/v1/containers/${id}/access`, { token });
const mayEnterOnHost = async (id: string) =>
  (await buckets.container(id))?.grants?.includes(guest.id) ?? false;
const eventsOf = async (id: string, token = ours.token): Promise<string[]> =>
  (
    await stack.call(
      "GET",
      `/api/v1/events?resource_type=proxy_permissions&container_id=${id}&sort_order=asc`,
      {
        token,
      },
    )
  ).body.data.events.map(({ event_type }: { event_type: string }) => event_type);
const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as { session_exp: number };

test("a user with a permission enters the container and can do nothing else with it, until it is revoked", async () => {
  const id = await ours.container("entered");
  expect((await enter(id)).status).toBe(404);
  expect((await grant(id)).body.data).toMatchObject({
    ...{ id: guest.id, username: guest.username, granted_by: ours.user.id, expires_at: null },
  });
  const entered = await enter(id);
  expect([entered.status, Object.keys(entered.body.data.urls).sort()]).toEqual([
    200,
    ["notifications", "pipe", "terminal"],
  ]);
  await until(() => mayEnterOnHost(id));
  for (const [method, path, body] of [
    ["GET", ""],
    ["DELETE", ""],
    ["POST", "/stop"],
    ["GET", "/permissions"],
    ["POST", "/permissions", { username: guest.username }],
    ["GET", "/firewall/rules"],
  ] as const) {
    const options = { token: guest.token, ...(body === undefined ? {} : { body }) };
    expect((await stack.call(method, `/api/v1/containers/${id}${path}`, options)).status).toBe(404);
  }
  const list = await stack.call("GET", "/api/v1/containers", { token: guest.token });
  expect(list.body.data.containers).toEqual([]);

  expect((await ours.call("DELETE", `/${id}/permissions/${guest.id}`)).status).toBe(200);
  expect((await enter(id)).status).toBe(404);
  await until(async () => !(await mayEnterOnHost(id)));
  expect((await ours.call("DELETE", `/${id}/permissions/${guest.id}`)).body.code).toBe(
    "CONTAINER_PERMISSION_NOT_FOUND",
  );
  const both = ["proxy_permissions.granted", "proxy_permissions.revoked"];
  expect([await eventsOf(id), await eventsOf(id, guest.token)]).toEqual([both, both]);
});

test("who may enter some services is told the enabled aliases for these, and of no others", async () => {
  const id = await ours.container("by-alias");
  const alias = async (fields: object) => {
    const body = { container_id: id, ...fields };
    const made = await stack.call("POST", "/api/v1/proxy/aliases", { token: ours.token, body });
    expect(made.status).toBe(201);
    return made.body.data;
  };
  const { url } = await alias({ program: "files" });
  await alias({ program: "files", enabled: false });
  await alias({ program: "terminal" });
  await grant(id, { services: ["files"] });
  expect((await enter(id)).body.data).toMatchObject({ urls: {}, aliases: [{ program: "files", url }] });
  await grant(id);
  expect((await enter(id)).body.data.aliases).toBeUndefined();
});

test("a permission for some services is for these alone, and a host that does not know of them lets nobody in", async () => {
  const id = await ours.container("in-part");
  const limited = await grant(id, { services: ["pipe", "files"] });
  expect(limited.body.data.services).toEqual(["pipe", "files"]);
  const { services: entered, urls } = (await enter(id)).body.data;
  expect([entered, Object.keys(urls)]).toEqual([["pipe", "files"], ["pipe"]]);
  await until(async () => (await buckets.container(id))?.limited_grants !== undefined);
  expect((await buckets.container(id))?.limited_grants).toEqual([
    { user_id: guest.id, services: ["pipe", "files"] },
  ]);
  expect(await mayEnterOnHost(id)).toBe(false);
  expect((await ours.call("GET", `/${id}/permissions`)).body.data.permissions).toMatchObject([
    { id: guest.id, services: ["pipe", "files"] },
  ]);
  // Granted again without them, it is for all services.
  expect((await grant(id)).body.data.services).toBeNull();
  await until(() => mayEnterOnHost(id));
  expect((await buckets.container(id))?.limited_grants).toBeUndefined();
  for (const services of [[], ["Terminal"], ["pipe", "pipe"], "pipe", ["pipe", "code"], ["http"]]) {
    const refused = await grant(id, { services });
    expect([refused.status, refused.body.data.field]).toEqual([
      400,
      expect.stringMatching(/^body\.services/),
    ]);
  }
});

test("it ends by itself, and no credential outlives it", async () => {
  const id = await ours.container("for-a-while");
  const expires_at = new Date(Date.now() + 3_000).toISOString();
  await grant(id, { expires_at });
  const { body } = await enter(id);
  expect(claimsOf(body.data.access_token).session_exp * 1_000).toBeLessThanOrEqual(Date.parse(expires_at));
  await until(async () => (await enter(id)).status === 404);
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expires_at));
  await until(async () => (await eventsOf(id)).at(-1) === "proxy_permissions.revoked");
  await until(async () => !(await mayEnterOnHost(id)));
  expect((await ours.call("GET", `/${id}/permissions`)).body.data.permissions).toEqual([]);
});

test("bad requests name the field; a deleted container lets nobody in", async () => {
  const id = await ours.container("refusals");
  const past = await grant(id, { expires_at: "2020-01-01T00:00:00Z" });
  expect([past.status, past.body.data.field]).toEqual([400, "body.expires_at"]);
  expect((await grant(id, { username: "nobody-of-this-name" })).body.code).toBe("USER_NOT_FOUND");
  const stranger = await stack.user();
  const foreign = await stack.call("POST", `/api/v1/containers/${id}/permissions`, {
    token: stranger.token,
    body: { username: guest.username },
  });
  expect([foreign.status, foreign.body.code]).toEqual([404, "CONTAINER_NOT_FOUND"]);
  await grant(id);
  // Granted again, it has another end, and there is one of it.
  await grant(id, { expires_at: "2099-01-01T00:00:00Z" });
  expect((await ours.call("GET", `/${id}/permissions`)).body.data).toMatchObject({
    count: 1,
    permissions: [{ expires_at: "2099-01-01T00:00:00.000Z" }],
  });
  await ours.call("DELETE", `/${id}`);
  expect((await enter(id)).status).toBe(404);
  expect((await eventsOf(id)).at(-1)).toBe("proxy_permissions.revoked");
});
