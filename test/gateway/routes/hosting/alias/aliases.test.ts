import { afterAll, beforeAll, expect, test } from "bun:test";
import { newId } from "../../../../../actors/platform/ids.ts";
import { type EmbeddedStack, startEmbeddedStack } from "../../../../harness/embedded-stack.ts";
import { until } from "../../../../harness/until.ts";
import { rentServer, tenant } from "../container/hosting.ts";
import { aliasCalls, aliasTenant } from "./aliasing.ts";

let stack: EmbeddedStack;
let ours: Awaited<ReturnType<typeof aliasTenant>>;
beforeAll(async () => {
  stack = await startEmbeddedStack({
    actorHosts: 2,
    servers: ["node-1"],
    env: { BERTH_RESERVED_ALIASES: "www, api", BERTH_CONTAINER_DOMAIN: "containers.example" },
  });
  ours = await aliasTenant(stack, "node-1");
});
afterAll(() => stack.stop());

const answer = async (promise: ReturnType<typeof ours.aliases>) => {
  const { status, body } = await promise;
  return [status, body.code, body.data?.field];
};
const eventsOf = async (id: string) =>
  (await stack.db`SELECT event_type, data FROM events WHERE resource_id = ${id} ORDER BY id`).map(
    ({ event_type, data }) => [event_type, data],
  );

test("a new alias is answered whole, with its URL", async () => {
  const { status, body } = await ours.expose({ alias: "shop", port: 8080, target_path: "app" });
  expect(status).toBe(201);
  const { id, created_at, updated_at, ...rest } = body.data;
  expect(id).toMatch(/^[0-9a-f]{24}$/);
  expect(created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(updated_at).toBe(created_at);
  expect(rest).toEqual({
    user_id: ours.user.id,
    project_id: ours.projectId,
    container_id: ours.containerId,
    alias: "shop",
    program: "http",
    index: 8080,
    target_path: "/app",
    allow_path_override: true,
    expires_at: null,
    enabled: true,
    server_id: ours.serverId,
    server_name: "node-1",
    subserver_name: null,
    url: "https://shop.node-1.containers.example",
  });
  const one = await ours.aliases("GET", `/${id}`);
  expect(one.body.data).toEqual({
    ...body.data,
    project: { id: ours.projectId, alias: "web" },
    container: { id: ours.containerId, name: "web" },
  });
  expect(await eventsOf(id)).toEqual([["proxy_alias.created", { alias: "shop", by: ours.user.id }]]);
});

test.each([[undefined], [null], [false]])(
  "without a name (%p) a label of 48 characters is generated",
  async (alias) => {
    const made = [await ours.exposed({ alias }), await ours.exposed({ alias })];
    for (const one of made) expect(one.alias).toMatch(/^[0-9a-f]{48}$/);
    expect(made[0].alias).not.toBe(made[1].alias);
  },
);

test.each(["ab", "x".repeat(62), "-abc", "abc-", "Abc", "a.b", "a_b", "äbc", "", "a b", "abc\n"])(
  "%j is no name",
  async (alias) => {
    const refused = [400, "INVALID_ALIAS_FORMAT", "body.alias"];
    expect(await answer(ours.expose({ alias }))).toEqual(refused);
    const { id } = await ours.exposed();
    expect(await answer(ours.aliases("PATCH", `/${id}`, { alias }))).toEqual(refused);
  },
);

test.each(["abc", "a-b", "a--b", "0-9", "x".repeat(61)])("%s is a name", async (alias) => {
  expect((await ours.expose({ alias })).status).toBe(201);
});

test.each([
  ["alias", true],
  ["alias", 1],
  ["program", "gopher"],
  ["program", "terminal:80"],
  ["port", 0],
  ["port", 65_536],
  ["port", "80"],
  ["index", 0],
  ["target_path", "/a/../b"],
  ["target_path", `/${"x".repeat(2048)}`],
  ["expires_at", "2026-02-30T00:00:00Z"],
  ["expires_at", "2020-01-01T00:00:00Z"],
  ["expires_at", 4_102_444_800],
  ["enabled", "yes"],
  ["allow_path_override", null],
  ["container_id", "1"],
  ["colour", "red"],
])("a create whose %s is %p is refused by that name", async (field, value) => {
  expect(await answer(ours.expose({ [field]: value }))).toEqual([400, "VALIDATION_ERROR", `body.${field}`]);
});

test("a built-in program has a port of its own", async () => {
  expect(await answer(ours.expose({ program: "terminal", port: 80 }))).toEqual([
    400,
    "VALIDATION_ERROR",
    "body.port",
  ]);
  expect(await ours.exposed({ program: "terminal" })).toMatchObject({ program: "terminal", index: 1 });
});

test("a name is taken for everybody on its server, and free on another", async () => {
  await ours.exposed({ alias: "taken", enabled: false });
  expect(await answer(ours.expose({ alias: "taken" }))).toEqual([409, "ALIAS_IN_USE", undefined]);
  const other = await ours.exposed();
  expect(await answer(ours.aliases("PATCH", `/${other.id}`, { alias: "taken" }))).toEqual([
    409,
    "ALIAS_IN_USE",
    undefined,
  ]);
  const elsewhere = await aliasTenant(stack, "node-2");
  expect((await elsewhere.exposed({ alias: "taken" })).url).toBe("https://taken.node-2.containers.example");
});

test("of 20 users who want one name of one server at once, one has it", async () => {
  // What is on a server that nobody rents belongs to whoever made it.
  const serverId = newId();
  await stack.actors.server(serverId).create({ name: "node-crowd", specs: {} });
  const crowd = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const user = await stack.user();
      const project = await stack.call("POST", "/api/v1/projects", {
        token: user.token,
        body: { name: "web" },
      });
      const containerId = newId();
      await stack.actors.container(containerId).create({
        user_id: user.id,
        project_id: project.body.data.id,
        server_id: serverId,
        server_name: "node-crowd",
        image_id: null,
        name: "web",
        image_reference: null,
        image_args: [],
      });
      return aliasCalls(stack, user.token, containerId);
    }),
  );
  const answers = await Promise.all(crowd.map(({ expose }) => expose({ alias: "wanted" })));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  const refused = answers.filter(({ body }) => body.code === "ALIAS_IN_USE");
  expect(refused.map(({ status }) => status)).toEqual(Array(19).fill(409));
  for (const { body } of refused) expect(body.message).toContain("another user or project");
  expect(
    await stack.db`SELECT 1 FROM aliases WHERE server_id = ${serverId} AND alias = 'wanted'`,
  ).toHaveLength(1);
});

test("what is left out of a patch stays; what is in it is told of", async () => {
  const alias = await ours.exposed({ alias: "patched", port: 8080, target_path: "/a" });
  const patch = async (body: object) => (await ours.aliases("PATCH", `/${alias.id}`, body)).body.data;
  expect(await answer(ours.aliases("PATCH", `/${alias.id}`, {}))).toEqual([400, "VALIDATION_ERROR", "body"]);
  expect(await patch({ port: 8080, enabled: true })).toEqual(alias);
  const changed = await patch({ port: 9090, index: 7, allow_path_override: false });
  expect(changed).toEqual({
    ...alias,
    index: 9090,
    allow_path_override: false,
    updated_at: changed.updated_at,
  });
  expect(await patch({ target_path: null })).toMatchObject({ target_path: null, index: 9090 });
  expect(await patch({ target_path: "b" })).toMatchObject({ target_path: "/b" });
  expect(await patch({ program: "terminal" })).toMatchObject({ program: "terminal", index: 1 });
  expect(await patch({ alias: null })).toMatchObject({ alias: expect.stringMatching(/^[0-9a-f]{48}$/) });
  const events = await eventsOf(alias.id);
  expect(events.map(([type, data]) => [type, data.changed])).toEqual([
    ["proxy_alias.created", undefined],
    ["proxy_alias.updated", ["index", "allow_path_override"]],
    ["proxy_alias.updated", ["target_path"]],
    ["proxy_alias.updated", ["target_path"]],
    ["proxy_alias.updated", ["program", "index"]],
    ["proxy_alias.updated", ["alias"]],
  ]);
});

test("a port of the container can be named, and an alias keeps its number; a retry needs no container", async () => {
  const ports = [
    { name: "web", port: 8081 },
    { name: "db", port: 5432, protocol: "tcp" },
  ];
  const { body } = await ours.create("with-ports", { ports });
  const { id } = body.data;
  const { expose, aliases } = aliasCalls(stack, ours.token, id);
  const key = { "idempotency-key": crypto.randomUUID() };
  const made = await expose({ port: "web" }, key);
  expect(made.body.data).toMatchObject({ program: "http", index: 8081 });
  for (const [fields, reason] of [
    [{ port: "db" }, "must be a port that speaks http: db of the container speaks tcp"],
    [{ port: "none" }, "must be a number, or one of web, db"],
    [{ port: "web", program: "https" }, "must be a port that speaks https"],
  ] as const) {
    const refused = await expose(fields);
    expect([refused.status, refused.body.data.field]).toEqual([400, "body.port"]);
    expect(refused.body.message).toContain(reason);
  }
  const changed = { ports: [{ name: "web", port: 9000 }] };
  await ours.call("PATCH", `/${id}`, changed, { "if-match": "*" });
  expect((await aliases("GET", `/${made.body.data.id}`)).body.data.index).toBe(8081);
  const moved = await aliases("PATCH", `/${made.body.data.id}`, { port: "web" });
  expect(moved.body.data.index).toBe(9000);
});

test("a new name changes the URL at once and frees the old one", async () => {
  const alias = await ours.exposed({ alias: "before" });
  const renamed = await ours.aliases("PATCH", `/${alias.id}`, { alias: "after" });
  expect(renamed.body.data.url).toBe("https://after.node-1.containers.example");
  expect((await ours.aliases("GET", `/${alias.id}`)).body.data.url).toBe(renamed.body.data.url);
  const next = await ours.exposed({ alias: "before" });
  expect(await answer(ours.aliases("PATCH", `/${alias.id}`, { alias: "before" }))).toEqual([
    409,
    "ALIAS_IN_USE",
    undefined,
  ]);
  expect(next.alias).toBe("before");
});

test("a name that is given up and wanted at the same moment goes over or stays, and never to two", async () => {
  let holder = await ours.exposed({ alias: "baton" });
  for (let turn = 0; turn < 10; turn++) {
    const [left, made] = await Promise.all([
      ours.aliases("PATCH", `/${holder.id}`, { alias: `left-${turn}` }),
      ours.expose({ alias: "baton" }),
    ]);
    expect(left.status).toBe(200);
    expect([201, 409]).toContain(made.status);
    holder = made.status === 201 ? made.body.data : await ours.exposed({ alias: "baton" });
  }
  const { aliases } = (await ours.aliases("GET")).body.data;
  expect(aliases.filter((one: { alias: string }) => one.alias === "baton")).toHaveLength(1);
});

test("enabling and disabling is told of once each", async () => {
  const { id } = await ours.exposed({ enabled: false });
  const state = (enabled: boolean) => ours.aliases("PATCH", `/${id}/state`, { enabled });
  expect((await state(false)).body).toMatchObject({
    message: "Proxy alias disabled",
    data: { enabled: false },
  });
  expect((await state(true)).body).toMatchObject({ message: "Proxy alias enabled", data: { enabled: true } });
  expect((await state(true)).status).toBe(200);
  expect((await ours.aliases("PATCH", `/${id}`, { enabled: false })).body.data.enabled).toBe(false);
  expect((await eventsOf(id)).map(([type]) => type)).toEqual([
    "proxy_alias.created",
    "proxy_alias.enabled",
    "proxy_alias.disabled",
  ]);
  expect(await answer(ours.aliases("PATCH", `/${id}/state`, {}))).toEqual([
    400,
    "VALIDATION_ERROR",
    "body.enabled",
  ]);
});

test("a reserved name can be neither taken nor enabled, and always be disabled", async () => {
  const reserved = [409, "ALIAS_RESERVED", "body.alias"];
  const service = `${"0".repeat(24)}-${"1".repeat(24)}-n-1`;
  for (const alias of ["www", "api", service]) expect(await answer(ours.expose({ alias }))).toEqual(reserved);
  const { id } = await ours.exposed({ alias: "fine" });
  expect(await answer(ours.aliases("PATCH", `/${id}`, { alias: "www" }))).toEqual(reserved);
  // As if it had been made before the operator reserved its name: its actor is in memory, so another one is taken.
  const theirs = await aliasTenant(stack, "node-r");
  const [became] = await Promise.all([newId()]);
  await stack.db`INSERT INTO alias_servers (server_id, version, revision, updated_at)
    VALUES (${theirs.serverId}, 1, 1, now())`;
  await stack.db`INSERT INTO aliases (id, server_id, server_name, user_id, project_id, container_id, alias, program, index,
      allow_path_override, enabled, revision, created_at, updated_at)
    VALUES (${became}, ${theirs.serverId}, 'node-r', ${theirs.user.id}, ${theirs.projectId}, ${theirs.containerId}, 'www',
      'http', 80, true, true, 1, now(), now())`;
  const patch = (body: object) => theirs.aliases("PATCH", `/${became}`, body);
  const state = (enabled: boolean) => theirs.aliases("PATCH", `/${became}/state`, { enabled });
  expect((await patch({ target_path: "/x" })).body.data).toMatchObject({ enabled: true, target_path: "/x" });
  expect((await patch({ enabled: false, target_path: "/y" })).body.data).toMatchObject({ enabled: false });
  expect(await answer(state(true))).toEqual(reserved);
  expect(await answer(patch({ enabled: true, target_path: "/z" }))).toEqual(reserved);
  expect((await state(false)).status).toBe(200);
  expect((await patch({ enabled: true, alias: "renamed" })).body.data).toMatchObject({
    alias: "renamed",
    enabled: true,
    target_path: "/y",
  });
});

test("a deleted alias is gone, and its name free", async () => {
  const { id } = await ours.exposed({ alias: "fleeting" });
  const { status, body } = await ours.aliases("DELETE", `/${id}`);
  expect([status, body]).toEqual([200, { statusCode: 200, message: "Proxy alias deleted" }]);
  for (const [method, path, sent] of [
    ["GET", "", undefined],
    ["DELETE", "", undefined],
    ["PATCH", "", { enabled: true }],
    ["PATCH", "/state", { enabled: true }],
  ] as const) {
    const answered = await ours.aliases(method, `/${id}${path}`, sent);
    expect([answered.status, answered.body.code, answered.body.message]).toEqual([
      404,
      "ALIAS_NOT_FOUND",
      "Proxy alias not found",
    ]);
  }
  expect((await ours.exposed({ alias: "fleeting" })).id).not.toBe(id);
  expect((await eventsOf(id)).map(([type]) => type)).toEqual(["proxy_alias.created", "proxy_alias.deleted"]);
});

test("a list that is cut says how many there are in all", async () => {
  await ours.exposed({ alias: "counted-1" });
  await ours.exposed({ alias: "counted-2" });
  const whole = (await ours.aliases("GET")).body.data;
  expect(whole.count).toBe(whole.aliases.length);
  const { aliases: first, count, pagination } = (await ours.aliases("GET", "?limit=1")).body.data;
  expect([first.length, count, pagination.next_cursor === null]).toEqual([1, whole.count, false]);
});

test("to others an alias and its container are as if they were not", async () => {
  const { id } = await ours.exposed({ alias: "private" });
  const theirs = await tenant(stack, "node-3");
  const { aliases, expose } = aliasCalls(stack, theirs.token, ours.containerId);
  const missing = newId();
  for (const [method, path, sent] of [
    ["GET", "", undefined],
    ["PATCH", "", { enabled: false }],
    ["PATCH", "/state", { enabled: false }],
    ["DELETE", "", undefined],
  ] as const) {
    const [real, none] = [
      await aliases(method, `/${id}${path}`, sent),
      await aliases(method, `/${missing}${path}`, sent),
    ];
    expect([real.status, real.body]).toEqual([404, none.body]);
  }
  expect(await answer(expose({}))).toEqual([404, "CONTAINER_NOT_FOUND", undefined]);
  expect((await aliases("GET")).body.data).toEqual({
    aliases: [],
    count: 0,
    pagination: { limit: 100, next_cursor: null },
  });
  expect((await aliases("GET", `?container_id=${ours.containerId}`)).body.data.count).toBe(0);
  expect((await ours.aliases("GET", `/${id}`)).body.data.enabled).toBe(true);
});

test("a credential of a realm reaches the aliases of its project alone", async () => {
  const outside = await ours.exposed();
  const project = await stack.call("POST", "/api/v1/projects", {
    token: ours.token,
    body: { name: "realm" },
  });
  const realm_id = project.body.data.id;
  const made = await ours.create("inside", { project_id: realm_id });
  const inside = await aliasCalls(stack, ours.token, made.body.data.id).exposed();
  const session = await stack.call("POST", "/api/v1/auth/realm", { token: ours.token, body: { realm_id } });
  const bound = aliasCalls(stack, session.body.data.access_token, ours.containerId);
  expect((await bound.aliases("GET")).body.data.aliases).toEqual([inside]);
  expect((await bound.aliases("GET", `?realm_id=${ours.projectId}`)).body.data.count).toBe(0);
  expect((await bound.aliases("GET", `/${inside.id}`)).status).toBe(200);
  expect((await bound.aliases("GET", `/${outside.id}`)).status).toBe(404);
  expect((await bound.aliases("DELETE", `/${outside.id}`)).status).toBe(404);
  expect(await answer(bound.expose({}))).toEqual([404, "CONTAINER_NOT_FOUND", undefined]);
});

test("the list is filtered by what is asked", async () => {
  const theirs = await aliasTenant(stack, "node-4");
  const second = aliasCalls(stack, theirs.token, await theirs.container("second"));
  const on = await theirs.exposed();
  const off = await theirs.exposed({ enabled: false });
  const later = await second.exposed({ expires_at: "2099-01-01T00:00:00+02:00" });
  const past = await second.exposed({ expires_at: new Date(Date.now() + 500).toISOString() });
  await until(async () => (await theirs.aliases("GET", `/${past.id}`)).body.data.enabled === false);
  const ids = async (query: string) => {
    const { aliases, count } = (await theirs.aliases("GET", `?${query}`)).body.data;
    expect(count).toBe(aliases.length);
    return aliases.map((one: { id: string }) => one.id);
  };
  expect(later.expires_at).toBe("2098-12-31T22:00:00.000Z");
  expect(await ids("")).toEqual([on.id, off.id, later.id, past.id]);
  expect(await ids("enabled=true")).toEqual([on.id, later.id]);
  expect(await ids("enabled=false")).toEqual([off.id, past.id]);
  expect(await ids("expired=true")).toEqual([past.id]);
  expect(await ids("expired=false")).toEqual([on.id, off.id, later.id]);
  expect(await ids(`container_id=${theirs.containerId}&enabled=true`)).toEqual([on.id]);
  expect(await ids(`project_id=${theirs.projectId}`)).toHaveLength(4);
  expect(await ids(`project_id=${newId()}`)).toEqual([]);
  expect(await ids(`realm_id=${theirs.projectId}`)).toHaveLength(4);
  expect(await ids(`realm_id=${newId()}`)).toEqual([]);
  expect(await answer(theirs.aliases("GET", "?enabled=yes"))).toEqual([
    400,
    "VALIDATION_ERROR",
    "query.enabled",
  ]);
  expect(await answer(theirs.aliases("GET", "?name=x"))).toEqual([400, "VALIDATION_ERROR", "query.name"]);
});

test("a create that comes again with its key makes one alias; with another body it is refused", async () => {
  const headers = { "idempotency-key": "create-1" };
  const body = { alias: null, port: 80 };
  const answers = await Promise.all(Array.from({ length: 5 }, () => ours.expose(body, headers)));
  expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(201));
  const [first] = answers;
  for (const { body } of answers) expect(body).toEqual(first?.body);
  expect(await answer(ours.expose({ ...body, port: 81 }, headers))).toEqual([
    409,
    "IDEMPOTENCY_KEY_REUSED",
    undefined,
  ]);
  // Keys are each user's own.
  const theirs = await aliasTenant(stack, "node-5");
  expect((await theirs.expose(body, headers)).status).toBe(201);
  // The first answer stands, whatever became of the alias since.
  await ours.aliases("DELETE", `/${first?.body.data.id}`);
  expect((await ours.expose(body, headers)).body).toEqual(first?.body);
  expect((await ours.aliases("GET", `/${first?.body.data.id}`)).status).toBe(404);
});

test("one key for aliases of two servers is refused, also at the same moment", async () => {
  const serverId = await rentServer(stack, ours.user, "node-6");
  const made = await ours.create("elsewhere", { server_id: serverId });
  const there = aliasCalls(stack, ours.token, made.body.data.id);
  const headers = { "idempotency-key": "two-servers" };
  const answers = await Promise.all([ours.expose({}, headers), there.expose({}, headers)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
});

test("aliases go with their container, and their names are free at once", async () => {
  const theirs = await aliasTenant(stack, "node-7");
  const other = aliasCalls(stack, theirs.token, await theirs.container("stays"));
  const { id } = await theirs.exposed({ alias: "orphan" });
  const stays = await other.exposed({ alias: "stays" });
  await theirs.call("DELETE", `/${theirs.containerId}`);
  expect((await theirs.aliases("GET", `/${id}`)).status).toBe(404);
  expect((await theirs.aliases("GET")).body.data.aliases).toEqual([stays]);
  expect((await other.expose({ alias: "orphan" })).status).toBe(201);
  expect((await eventsOf(id)).map(([type]) => type)).toContain("proxy_alias.deleted");
});
