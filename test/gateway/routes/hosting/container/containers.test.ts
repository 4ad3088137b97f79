import { afterAll, beforeAll, expect, test } from "bun:test";
import { readDesiredContainers } from "../../../../../actors/hosting/container/queries.ts";
import { newId } from "../../../../../actors/platform/ids.ts";
import { NO_HEALTH_CHECK } from "../../../../../schemas/hosting/health-check.ts";
import { type SharedStack, sharedStack } from "../../../../harness/shared-stack.ts";
import { until } from "../../../../harness/until.ts";
import { rentServer, tenant } from "./hosting.ts";

type Tenant = Awaited<ReturnType<typeof tenant>>;

let stack: SharedStack;
let ours: Tenant;
let theirs: Tenant;
beforeAll(async () => {
  stack = await sharedStack();
  ours = await tenant(stack, "node-1");
  theirs = await tenant(stack, "node-2");
});
afterAll(() => stack.stop());

const addressOf = (label: string, id: string) =>
  `https://${ours.projectId}-${id}-${label}-1.node-1.berth.localhost`;

const MISSING = "0123456789abcdef01234567";

test("a new container is creating, on its server, and open", async () => {
  const { status, body } = await ours.create("app");
  expect(status).toBe(201);
  const at = body.data.created_at;
  expect(at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(body.data).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{24}$/),
    user_id: ours.user.id,
    project_id: ours.projectId,
    server_id: ours.serverId,
    server_name: "node-1",
    subserver_name: null,
    image_id: null,
    image: null,
    name: "app",
    command: [],
    args: [],
    env: [],
    ports: [],
    resources: { cpu_cores: null, memory_bytes: null, disk_bytes: null, bandwidth_mbps: null, applied: null },
    restart_policy: { name: "always", max_retries: null },
    stop_grace_seconds: 5,
    stop_signal: null,
    health_check: NO_HEALTH_CHECK,
    health: null,
    labels: {},
    revision: 1,
    restart_required: [],
    state: "creating",
    address: null,
    driver: null,
    error: null,
    exit: null,
    restarts: 0,
    volumes: [],
    firewall: { revision: 0, applied_revision: 0, applied: true, enforced: true, error: null },
    services: {
      terminal: addressOf("terminal", body.data.id),
      pipe: addressOf("pipe", body.data.id),
      notifications: addressOf("n", body.data.id),
    },
    created_at: at,
    updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  });
  expect((await ours.call("GET", `/${body.data.id}`)).body.data).toEqual(body.data);
});

test("containers are listed oldest first, of one project when asked", async () => {
  const { token, call, create, projectId, serverId } = await tenant(stack, "listed");
  const second = await stack.call("POST", "/api/v1/projects", { token, body: { name: "second" } });
  const names = ["c", "a", "b"];
  for (const name of names) await create(name);
  await create("d", { project_id: second.body.data.id, server_id: serverId });
  const list = async (query = "") => (await call("GET", query)).body.data;
  const all = await list();
  expect(all.containers.map(({ name }: { name: string }) => name)).toEqual(["c", "a", "b", "d"]);
  expect(all.count).toBe(4);
  expect((await list(`?project_id=${projectId}`)).count).toBe(3);
  expect((await list(`?project_id=${second.body.data.id}`)).containers).toMatchObject([{ name: "d" }]);
  expect(await list(`?project_id=${MISSING}`)).toEqual({
    containers: [],
    count: 0,
    pagination: { limit: 100, next_cursor: null },
  });
  expect(await list(`?project_id=${ours.projectId}`)).toEqual({
    containers: [],
    count: 0,
    pagination: { limit: 100, next_cursor: null },
  });
});

test("another tenant's container answers exactly as one that is not there", async () => {
  const id = await ours.container("secret");
  for (const [method, path] of [
    ["GET", ""],
    ["DELETE", ""],
    ["POST", "/start"],
    ["POST", "/stop"],
    ["POST", "/restart"],
  ] as const) {
    const foreign = await theirs.call(method, `/${id}${path}`);
    const missing = await theirs.call(method, `/${MISSING}${path}`);
    expect({ status: foreign.status, code: foreign.body.code }).toEqual({
      status: 404,
      code: "CONTAINER_NOT_FOUND",
    });
    expect(foreign.body).toEqual(missing.body);
  }
  expect((await ours.call("GET", `/${id}`)).body.data.state).toBe("creating");
});

test("a container goes on a server that the caller rents now, and on no other", async () => {
  const refused = async (server_id: string) => {
    const { status, body } = await ours.create("on-no-server", { server_id });
    expect({ status, code: body.code }).toEqual({ status: 404, code: "SERVER_NOT_FOUND" });
    return body;
  };
  const missing = await refused(MISSING);
  expect(await refused(theirs.serverId)).toEqual(missing);
  const inStock = newId();
  await stack.actors.server(inStock).create({ name: "in-stock", specs: {} });
  expect(await refused(inStock)).toEqual(missing);
  const ended = await rentServer(stack, ours.user, "ended", new Date(Date.now() - 1_000));
  expect(await refused(ended)).toEqual(missing);
  expect(await stack.db`SELECT 1 FROM containers WHERE name = 'on-no-server'`).toHaveLength(0);
});

test("a container goes into a project of the caller's, and runs an image that there is", async () => {
  for (const project_id of [MISSING, theirs.projectId]) {
    const { status, body } = await ours.create("stray", { project_id });
    expect({ status, code: body.code }).toEqual({ status: 404, code: "PROJECT_NOT_FOUND" });
  }
  const { status, body } = await ours.create("stray", { image_id: MISSING });
  expect({ status, code: body.code }).toEqual({ status: 404, code: "IMAGE_NOT_FOUND" });
  const image = {
    alias: "debian",
    description: "Debian 13",
    image_name: "debian",
    architecture: "amd64" as const,
    os: "debian",
    release: "13",
    variant: "default",
  };
  const [free, priced] = [newId(), newId()];
  await stack.actors.image(free).create({ ...image, price: "0", command: ["/bin/true"] });
  await stack.actors.image(priced).create({ ...image, alias: "priced", price: "5", command: [] });
  expect((await ours.create("imaged", { image_id: free })).body.data.image_id).toBe(free);
  const [row] = await stack.db`SELECT args FROM containers WHERE name = 'imaged'`;
  expect(row?.args).toEqual(["/bin/true"]);
  expect((await ours.create("stray", { image_id: priced })).body.code).toBe("IMAGE_NOT_FOUND");
  await stack.actors.image(free).update({ public: false });
  expect((await ours.create("stray", { image_id: free })).body.code).toBe("IMAGE_NOT_FOUND");
});

test("a container is made of any image by its reference, or of an image of the catalogue that is one", async () => {
  const { body } = await ours.create("by-reference", { image: "nginx", args: ["-g", "daemon off;"] });
  expect(body.data).toMatchObject({
    image_id: null,
    image: { reference: "docker.io/library/nginx:latest", digest: null, state: "waiting" },
  });
  const digest = `sha256:${"0123456789abcdef".repeat(4)}`;
  const entry = {
    ...{ alias: "tool", description: "A tool", image_name: "tool", architecture: "amd64" as const },
    ...{ os: "debian", release: "13", variant: "default", price: "0" },
  };
  const id = newId();
  await stack.actors.image(id).create({ ...entry, reference: `registry.example:5000/tool@${digest}` });
  const listed = await ours.create("by-entry", { image_id: id });
  expect(listed.body.data).toMatchObject({
    image_id: id,
    image: { reference: `registry.example:5000/tool@${digest}` },
  });
  const [desired] = await readDesiredContainers(stack.db, [body.data.id], () => null);
  expect(desired).toMatchObject({
    image: "docker.io/library/nginx:latest",
    command: ["-g", "daemon off;"],
  });
  expect(desired?.entrypoint).toBeUndefined();
});

test("a reference that is none, or beside another image, is refused by its field", async () => {
  for (const [fields, field, reason] of [
    [{ image: "Nginx" }, "body.image", "must be an image such as"],
    [{ image: "nginx@sha256:12" }, "body.image", "must have a digest"],
    [{ image: "registry.example:99999/x" }, "body.image", "must begin with a registry"],
    [{ image: "nginx", image_id: MISSING }, "body.image", "must not be combined with image_id"],
    [{ args: ["-c"] }, "body.args", "needs a command or an image"],
    [{ image: "" }, "body.image", ""],
  ] as const) {
    const { status, body } = await ours.create("refused", fields);
    expect({ status, code: body.code, field: body.data.field }).toEqual({
      status: 400,
      code: "VALIDATION_ERROR",
      field,
    });
    expect(body.message).toContain(reason);
  }
});

test("a name is taken once a project, and free again as soon as its container is being deleted", async () => {
  const id = await ours.container("unique");
  const { status, body } = await ours.create("unique");
  expect({ status, code: body.code }).toEqual({ status: 409, code: "NAME_TAKEN" });
  expect((await theirs.create("unique")).status).toBe(201);
  await ours.call("DELETE", `/${id}`);
  const again = await ours.create("unique");
  expect(again.status).toBe(201);
  expect(again.body.data.id).not.toBe(id);
});

test("of ten containers of one name at once one is made", async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => ours.create("at-once")));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ body }) => body.code === "NAME_TAKEN")).toHaveLength(9);
});

test("a container that comes again with its key is made once, also when all come at once", async () => {
  const headers = { "idempotency-key": "once" };
  const answers = await Promise.all(Array.from({ length: 20 }, () => ours.create("keyed", {}, headers)));
  for (const { status, body } of answers) {
    expect(status).toBe(201);
    expect(body).toEqual(answers[0]?.body);
  }
  expect(
    await stack.db`SELECT 1 FROM containers WHERE name = 'keyed' AND project_id = ${ours.projectId}`,
  ).toHaveLength(1);
  const reused = await ours.create("another", {}, headers);
  expect({ status: reused.status, code: reused.body.code }).toEqual({
    status: 409,
    code: "IDEMPOTENCY_KEY_REUSED",
  });
  const foreign = await theirs.create("keyed", {}, headers);
  expect(foreign.status).toBe(201);
  expect(foreign.body.data.user_id).toBe(theirs.user.id);
});

test("a container that comes again with its key is answered though the rental has ended since", async () => {
  const server_id = await rentServer(stack, ours.user, "short", new Date(Date.now() + 1_500));
  const headers = { "idempotency-key": "short" };
  const first = await ours.create("short", { server_id }, headers);
  expect(first.status).toBe(201);
  await until(async () => (await ours.create("later", { server_id })).body.code === "SERVER_NOT_FOUND");
  const again = await ours.create("short", { server_id }, headers);
  // The end of the rental is a change of the container.
  const { updated_at: _, ...data } = first.body.data;
  expect(again.body).toMatchObject({ ...first.body, data });
});

test("a deleted container is gone for its owner at once, and stays so", async () => {
  const id = await ours.container("doomed");
  expect((await ours.call("DELETE", `/${id}`)).body).toEqual({
    statusCode: 200,
    message: "Container deleted",
  });
  for (const [method, path] of [
    ["GET", ""],
    ["DELETE", ""],
    ["POST", "/start"],
    ["POST", "/restart"],
    ["GET", "/firewall/rules"],
  ] as const) {
    const { status, body } = await ours.call(method, `/${id}${path}`);
    expect({ status, code: body.code }).toEqual({ status: 404, code: "CONTAINER_NOT_FOUND" });
  }
  const { containers } = (await ours.call("GET", "")).body.data;
  expect(containers.map((one: { id: string }) => one.id)).not.toContain(id);
});

test.each([
  ["name", { name: "" }],
  ["name", { name: "Upper" }],
  ["name", { name: "-a" }],
  ["name", { name: "a-" }],
  ["name", { name: "a.b" }],
  ["name", { name: "a_b" }],
  ["name", { name: "a b" }],
  ["name", { name: "a\n" }],
  ["name", { name: "*" }],
  ["name", { name: "a".repeat(64) }],
  ["name", { name: 1 }],
  ["name", { name: undefined }],
  ["project_id", { project_id: "x" }],
  ["project_id", { project_id: undefined }],
  ["server_id", { server_id: 5 }],
  ["server_id", { server_id: null }],
  ["image_id", { image_id: null }],
  ["args", { args: ["-c"] }],
  ["state", { state: "running" }],
])("a wrong %s is named: %j", async (field, fields) => {
  const { status, body } = await ours.create("fine", fields);
  expect(status).toBe(400);
  expect(body.data).toEqual({ field: `body.${field}` });
});

test("the longest name and the shortest are taken", async () => {
  for (const name of ["a", "0", "a".repeat(63), "a--b"]) expect((await ours.create(name)).status).toBe(201);
});
