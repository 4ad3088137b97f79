import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { natsBus } from "../../../actors/runtime/transport/nats-bus.ts";
import { KEPT_REPLIES_BUCKET } from "../../../schemas/subjects.ts";
import { type EmbeddedStack, startEmbeddedStack } from "../../harness/embedded-stack.ts";
import { until } from "../../harness/until.ts";
import { as } from "../routes/accounts/pool/team.ts";
import { SANDBOX_ENV } from "../routes/billing/top-up/processors.ts";
import { inCatalogue, png } from "../routes/hosting/image/catalogue.ts";
import { CASES, EXCEPTIONS } from "./cases.ts";
import { startWorld, type World } from "./world.ts";

/** What docs/api.md promises of keys: the first reply comes again, whatever has happened since. */

let stack: EmbeddedStack;
let world: World;
beforeAll(async () => {
  stack = await startEmbeddedStack({ actorHosts: 2, env: SANDBOX_ENV, servers: ["repeated"] });
  world = await startWorld(stack, "repeated");
});
afterAll(async () => {
  await world.host.close();
  await stack.stop();
});

test("every operation that takes a key is in the table", async () => {
  const { body } = await stack.call("GET", "/openapi/json");
  const keyed = Object.values(body.paths as Record<string, Record<string, Operation>>)
    .flatMap((methods) => Object.values(methods))
    .filter(({ parameters }) => parameters.some(({ name }) => name === "Idempotency-Key"))
    .map(({ operationId }) => operationId);
  expect([...Object.keys(CASES), ...Object.keys(EXCEPTIONS)].toSorted()).toEqual(keyed.toSorted());
});
interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { name: string }[];
}

/** Fields of which a reply says that it comes again, or that only the first reply has. */
const TOLD = { replayed: true, token: null, secret: null, command: null };

/** The body of a repeated reply for that of the first one. */
function again(body: { data?: Record<string, unknown> }) {
  const { data } = body;
  if (typeof data !== "object" || data === null || Array.isArray(data)) return body;
  const told = Object.entries(TOLD).filter(([name]) => ["string", "boolean"].includes(typeof data[name]));
  return { ...body, data: { ...data, ...Object.fromEntries(told) } };
}

describe("under its key", () => {
  test.each(Object.entries(CASES))("%s gets its first reply again", async (_id, make) => {
    const { by, method, path, body, headers, after } = await make(world);
    const key = { "idempotency-key": crypto.randomUUID(), ...headers };
    const request = () => as(stack, by)(method, path, body, key);
    const first = await request();
    expect(first.status < 300 || first.body).toBe(true);
    await after?.();
    const repeated = await request();
    expect([repeated.status, repeated.body]).toEqual([first.status, again(first.body)]);
    expect(repeated.headers.get("etag")).toBe(first.headers.get("etag"));
  });

  test("an icon and a file of the stock get their first replies again", async () => {
    const image = await inCatalogue(stack);
    const put = async (path: string, method: string, bytes: Uint8Array<ArrayBuffer>, key: string) => {
      const headers = { authorization: `Bearer ${world.operator.token}`, "idempotency-key": key };
      const response = await fetch(`${stack.url}/api/v1/admin${path}`, { method, body: bytes, headers });
      return { status: response.status, body: (await response.json()) as { data: Record<string, unknown> } };
    };
    const icon = () => put(`/images/${image}/icon`, "PUT", new Uint8Array(png(8, 8)), "icon");
    const first = await icon();
    expect(first.status).toBe(200);
    await world.operate("DELETE", `/admin/images/${image}`);
    expect(await icon()).toEqual(first);
    const csv = new TextEncoder().encode(`name,kind\n${world.name()},dedicated\n`);
    const stock = () => put("/stock", "POST", csv, "stock");
    const imported = await stock();
    expect(imported.status).toBe(200);
    expect(imported.body.data).toMatchObject({ added: 1, replayed: false });
    const { status, body } = await stock();
    expect([status, body.data]).toEqual([200, expect.objectContaining({ replayed: true })]);
  });
});

test("a first reply is nobody else's: not of another user, a realm's session, or another address", async () => {
  const { call, guest, projectId, things } = world;
  const key = { "idempotency-key": crypto.randomUUID() };
  const path = `/projects/${await things.project()}`;
  expect((await call("DELETE", path, undefined, key)).status).toBe(200);
  const realm = await call("POST", "/auth/realm", { realm_id: projectId });
  const inRealm = { ...world.user, token: realm.body.data.access_token };
  const others = [
    as(stack, guest)("DELETE", path, undefined, key),
    as(stack, inRealm)("DELETE", path, undefined, key),
    call("PATCH", path, { description: "" }, key),
    call("DELETE", path, undefined, { "idempotency-key": crypto.randomUUID() }),
  ];
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  expect((await call("DELETE", path, undefined, key)).status).toBe(200);
});

test("another body under the key does not get the first reply", async () => {
  const { call, things } = world;
  const key = { "idempotency-key": crypto.randomUUID() };
  const path = `/projects/${await things.project()}`;
  expect((await call("PATCH", path, { description: "a" }, key)).status).toBe(200);
  expect((await call("PATCH", path, { description: "b" }, key)).body.code).toBe("IDEMPOTENCY_KEY_REUSED");
  await call("DELETE", path);
  expect((await call("PATCH", path, { description: "b" }, key)).status).toBe(404);
  expect((await call("PATCH", path, { description: "a" }, key)).status).toBe(200);
});

test("a credential that has ended gets no first reply", async () => {
  const key = { "idempotency-key": crypto.randomUUID() };
  const { username, password } = await stack.user();
  const { body } = await stack.call("POST", "/api/v1/auth/login", { body: { username, password } });
  const call = as(stack, { ...world.user, token: body.data.access_token });
  expect((await call("POST", "/projects", { name: "p" }, key)).status).toBe(201);
  await call("POST", "/auth/logout");
  expect((await call("POST", "/projects", { name: "p" }, key)).status).toBe(401);
});

test("ten deletions under one key at the same moment are one deletion and ten equal replies", async () => {
  const { call, things } = world;
  for (let round = 0; round < 5; round++) {
    const key = { "idempotency-key": crypto.randomUUID() };
    const path = `/containers/${await things.container()}`;
    const replies = await Promise.all(Array.from({ length: 10 }, () => call("DELETE", path, undefined, key)));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
  }
});

test("secrets are in the first reply alone, and are not kept", async () => {
  const { call } = world;
  const key = { "idempotency-key": crypto.randomUUID() };
  const create = () => call("POST", "/webhooks", { url: "https://hooks.invalid/" }, key);
  const [first, repeated] = [await create(), await create()];
  expect(first.body.data.secret).toStartWith("whsec_");
  expect(repeated.body.data).toEqual({ ...first.body.data, secret: null });
  await call("DELETE", `/webhooks/${first.body.data.id}`);
  expect((await create()).body.data).toEqual({ ...first.body.data, secret: null });
});

test("without the bucket of replies requests are served, and the next reply is kept again", async () => {
  const { call, things } = world;
  const bus = await natsBus(stack.natsUrl, "test");
  const manager = await bus.connection.jetstreamManager();
  await manager.streams.delete(`KV_${KEPT_REPLIES_BUCKET}`);
  await bus.close();
  const key = { "idempotency-key": crypto.randomUUID() };
  const remove = async (path: string) => (await call("DELETE", path, undefined, key)).status;
  const lost = `/projects/${await things.project()}`;
  // The deletion is done, and its reply cannot be kept: a repeated request is refused as a new one is.
  expect(await remove(lost)).toBe(200);
  expect(await remove(lost)).toBe(404);
  await until(async () => {
    const path = `/projects/${await things.project()}`;
    return (await remove(path)) === 200 && (await remove(path)) === 200;
  });
});
