import { afterAll, beforeAll, expect, test } from "bun:test";
import { type SharedStack, sharedStack, type TestUser } from "../../../../harness/shared-stack.ts";
import { tenant } from "../../hosting/container/hosting.ts";

let stack: SharedStack;
let user: TestUser;
let other: TestUser;
beforeAll(async () => {
  stack = await sharedStack();
  user = await stack.user();
  other = await stack.user();
});
afterAll(() => stack.stop());

const call = (
  method: string,
  path: string,
  options: { token?: string; body?: unknown; headers?: object } = {},
) => stack.call(method, `/api/v1/projects${path}`, { token: user.token, ...options } as never);
const create = (name: string, options = {}) => call("POST", "", { body: { name }, ...options });
const MISSING = "0123456789abcdef01234567";

test("a project is made, read, listed and deleted", async () => {
  const { token } = await stack.user();
  const made = await create("Web", { token });
  expect(made.status).toBe(201);
  const project = made.body.data;
  expect(project).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{24}$/),
    user_id: expect.stringMatching(/^[0-9a-f]{24}$/),
    name: "Web",
    description: "",
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  });
  const read = (await call("GET", `/${project.id}`, { token })).body.data;
  expect(read).toEqual({ ...project, updated_at: read.updated_at });
  const second = (await create("Another", { token })).body.data;
  const list = (await call("GET", "", { token })).body.data;
  expect(list).toMatchObject({ projects: [{ id: project.id, name: "Web" }, { id: second.id }], count: 2 });

  expect((await call("DELETE", `/${project.id}`, { token })).body).toEqual({
    statusCode: 200,
    message: "Project deleted",
  });
  expect((await call("GET", `/${project.id}`, { token })).body.code).toBe("PROJECT_NOT_FOUND");
  expect((await call("DELETE", `/${project.id}`, { token })).body.code).toBe("PROJECT_NOT_FOUND");
  expect((await call("GET", "", { token })).body.data).toMatchObject({
    projects: [{ id: second.id }],
    count: 1,
  });
});

test("what a create answers is what is read afterwards", async () => {
  const { token } = await stack.user();
  const made = await Promise.all(Array.from({ length: 40 }, (_, i) => create(`p${i}`, { token })));
  const { projects } = (await call("GET", "", { token })).body.data;
  const byId = new Map(projects.map((project: { id: string }) => [project.id, project]));
  for (const { body } of made) expect(byId.get(body.data.id)).toEqual(body.data);
});

test("a change of name or description is one event; what is left out stays, and what is the same changes nothing", async () => {
  const { token } = await stack.user();
  const { id } = (await create("Web", { token })).body.data;
  const patch = (body: unknown) => call("PATCH", `/${id}`, { token, body });
  expect((await patch({ description: "Two\nlines" })).body.data).toMatchObject({
    name: "Web",
    description: "Two\nlines",
  });
  expect((await patch({ name: "Shop", description: "Two\nlines" })).body.data).toMatchObject({
    name: "Shop",
  });
  expect((await patch({ name: "Shop" })).status).toBe(200);
  expect((await call("GET", `/${id}`, { token })).body.data).toMatchObject({
    name: "Shop",
    description: "Two\nlines",
  });
  const events = await stack.db`
    SELECT data FROM events WHERE resource_id = ${id} AND event_type = 'project.updated' ORDER BY id`;
  expect(events.map(({ data }) => data)).toEqual([
    { name: "Web", changed: ["description"] },
    { name: "Shop", changed: ["name"] },
  ]);
  await create("Taken", { token });
  expect((await patch({ name: "taken" })).body.code).toBe("NAME_TAKEN");
  for (const body of [{}, { name: "" }, { description: "x".repeat(501) }, { user_id: id }])
    expect((await patch(body)).status).toBe(400);
});

test("another tenant's project answers exactly as one that is not there", async () => {
  const { id } = (await create("mine")).body.data;
  for (const method of ["GET", "DELETE", "PATCH"]) {
    const body = method === "PATCH" ? { body: { name: "theirs" } } : {};
    const theirs = await call(method, `/${id}`, { token: other.token, ...body });
    const missing = await call(method, `/${MISSING}`, { token: other.token, ...body });
    expect(theirs.status).toBe(404);
    expect(theirs.body).toEqual(missing.body);
    const names = (headers: Headers) => [...headers.keys()].sort();
    expect(names(theirs.headers)).toEqual(names(missing.headers));
  }
  expect((await call("GET", `/${id}`)).status).toBe(200);
});

test("a name is taken once a user, in any letter case, and free again after a delete", async () => {
  const { id } = (await create("Shop")).body.data;
  for (const name of ["Shop", "shop", "SHOP"]) {
    const { status, body } = await create(name);
    expect({ status, code: body.code }).toEqual({ status: 409, code: "NAME_TAKEN" });
  }
  expect((await create("shop", { token: other.token })).status).toBe(201);
  await call("DELETE", `/${id}`);
  expect((await create("shop")).status).toBe(201);
});

test("of twenty projects of one name at once one is made", async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => create("at once")));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ body }) => body.code === "NAME_TAKEN")).toHaveLength(19);
});

test("a project that comes again with its key is made once, also when all come at once", async () => {
  const headers = { "idempotency-key": "once" };
  const answers = await Promise.all(Array.from({ length: 20 }, () => create("keyed", { headers })));
  const [first] = answers;
  for (const { status, body } of answers) {
    expect(status).toBe(201);
    expect(body).toEqual(first?.body);
  }
  expect(await stack.db`SELECT 1 FROM projects WHERE name = 'keyed'`).toHaveLength(1);
  const reused = await create("another name", { headers });
  expect({ status: reused.status, code: reused.body.code }).toEqual({
    status: 409,
    code: "IDEMPOTENCY_KEY_REUSED",
  });
});

test("one key of two users is two keys", async () => {
  const headers = { "idempotency-key": "shared" };
  const mine = await create("two", { headers });
  const theirs = await create("two", { headers, token: other.token });
  expect([mine.status, theirs.status]).toEqual([201, 201]);
  expect(mine.body.data.id).not.toBe(theirs.body.data.id);
});

test("a project with a container stays", async () => {
  const { token, projectId, container } = await tenant(stack, "node-projects");
  await container("app");
  const { status, body } = await call("DELETE", `/${projectId}`, { token });
  expect({ status, code: body.code }).toEqual({ status: 409, code: "PROJECT_NOT_EMPTY" });
  expect((await call("GET", `/${projectId}`, { token })).status).toBe(200);
});

test("a project that is deleted while containers are made in it keeps all of them or goes", async () => {
  for (let round = 0; round < 8; round++) {
    const { token, projectId, create: createContainer } = await tenant(stack, `project-race-${round}`);
    const [deleted, ...made] = await Promise.all([
      call("DELETE", `/${projectId}`, { token }),
      createContainer("one"),
      createContainer("two"),
    ]);
    const stays = made.some(({ status }) => status === 201);
    expect(deleted.status).toBe(stays ? 409 : 200);
    if (!stays) for (const { body } of made) expect(body.code).toBe("PROJECT_NOT_FOUND");
  }
});

test.each([
  ["name", {}],
  ["name", { name: "" }],
  ["name", { name: " \t" }],
  ["name", { name: "n".repeat(101) }],
  ["name", { name: 1 }],
  ["name", { name: null }],
  ["name", { name: "a\u0000b" }],
  ["user_id", { name: "x", user_id: MISSING }],
])("a wrong %s is named: %j", async (field, body) => {
  const answer = await call("POST", "", { body });
  expect(answer.status).toBe(400);
  expect(answer.body.data).toEqual({ field: `body.${field}` });
});

test.each(["x", MISSING.toUpperCase(), `${MISSING}0`, "1' OR '1'='1"])(
  "an id of another form is not found: %s",
  async (id) => {
    const { status, body } = await call("GET", `/${encodeURIComponent(id)}`);
    expect({ status, data: body.data }).toEqual({ status: 404, data: { field: "path.id" } });
  },
);
