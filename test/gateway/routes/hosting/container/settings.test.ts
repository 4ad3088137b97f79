import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readDesiredContainers } from "../../../../../actors/hosting/container/queries.ts";
import { type SharedStack, sharedStack } from "../../../../harness/shared-stack.ts";
import { until } from "../../../../harness/until.ts";
import { type Buckets, bucketsOf, type Host, startHost, tenant } from "./hosting.ts";

/** What a container is created with, and PATCH. */

let stack: SharedStack;
let server: string;
let ours: Awaited<ReturnType<typeof tenant>>;
let theirs: Awaited<ReturnType<typeof tenant>>;
let buckets: Buckets;
let host: Host;
beforeAll(async () => {
  stack = await sharedStack();
  server = await stack.serverName();
  ours = await tenant(stack, server);
  theirs = await tenant(stack, "elsewhere");
  await stack.db`UPDATE servers SET specs = '{"cpu_cores": 4, "ram_gb": 8, "bandwidth_mbps": 1000, "disks": [{"type": "ssd", "size_gb": 100}]}'
    WHERE id = ${ours.serverId}`;
  buckets = await bucketsOf(stack, server);
  host = await startHost(stack, server);
});
afterAll(async () => {
  await host?.close();
  await buckets?.close();
  await stack.stop();
});

const HEALTH_CHECK = {
  ...{ enabled: true, command: ["true"], retries: 2, restart: true },
  ...{ interval_seconds: null, timeout_seconds: null, start_period_seconds: null },
};
const patch = (id: string, body: object, version: string | null = "*", headers = {}) =>
  ours.call("PATCH", `/${id}`, body, { ...headers, ...(version === null ? {} : { "if-match": version }) });
const desired = (id: string, revision: number) =>
  until(async () => {
    const found = await buckets.container(id);
    return found?.revision === revision && found;
  });

test("a container has what it was created with, and its host gets it with the meaning that images have", async () => {
  const { status, body, headers } = await ours.create("all", {
    image: "nginx",
    command: ["/run.sh"],
    args: ["--fast"],
    env: { MODE: "production", MOTTO: "two\nlines" },
    ports: [
      { name: "web", port: 8080 },
      { name: "db", port: 5432, protocol: "tcp" },
    ],
    resources: { cpu_cores: 0.5, memory_bytes: 64 * 1024 ** 2 },
    restart_policy: { name: "on-failure", max_retries: 3 },
    stop_grace_seconds: 30,
    stop_signal: "SIGRTMIN+3",
    health_check: { command: ["true"], retries: 2, restart: true },
    labels: { app: "shop", "team/name": "a b" },
  });
  expect(status).toBe(201);
  expect(headers.get("etag")).toBe('"1"');
  expect(body.data).toMatchObject({
    command: ["/run.sh"],
    args: ["--fast"],
    env: [
      { name: "MODE", value: "production" },
      { name: "MOTTO", value: "two\nlines" },
    ],
    ports: [
      { name: "web", port: 8080, protocol: "http" },
      { name: "db", port: 5432, protocol: "tcp" },
    ],
    resources: {
      cpu_cores: 0.5,
      memory_bytes: 67_108_864,
      disk_bytes: null,
      bandwidth_mbps: null,
      applied: null,
    },
    restart_policy: { name: "on-failure", max_retries: 3 },
    stop_grace_seconds: 30,
    stop_signal: "SIGRTMIN+3",
    health_check: HEALTH_CHECK,
    health: null,
    labels: { app: "shop", "team/name": "a b" },
    revision: 1,
  });
  expect(await desired(body.data.id, 1)).toMatchObject({
    entrypoint: ["/run.sh"],
    command: ["--fast"],
    env: [
      { name: "MODE", value: "production" },
      { name: "MOTTO", value: "two\nlines" },
    ],
    resources: { cpu_cores: 0.5, memory_bytes: 67_108_864, disk_bytes: null },
    server_resources: { cpu_cores: 4, memory_bytes: 8 * 2 ** 30, disk_bytes: 100e9, bandwidth_mbps: 1_000 },
    restart_policy: { name: "on-failure", max_retries: 3 },
    stop_grace_seconds: 30,
    stop_signal: "SIGRTMIN+3",
    health_check: HEALTH_CHECK,
  });
});

test("a secret goes to its host alone: no reply, table, event or log has it, and it is kept without being sent again", async () => {
  const value = `hunter2-${crypto.randomUUID()}`;
  const env = [
    { name: "PASSWORD", value, secret: true },
    { name: "MODE", value: "a" },
  ];
  const key = { "idempotency-key": crypto.randomUUID() };
  const first = await ours.create("secret", { env }, key);
  const replies = [first, await ours.create("secret", { env }, key)];
  expect(replies.map(({ status }) => status)).toEqual([201, 201]);
  const { id } = first.body.data;
  expect(replies[1]?.body.data.id).toBe(id);
  expect((await ours.create("secret", { env: [{ ...env[0], value: "other" }] }, key)).body.code).toBe(
    "IDEMPOTENCY_KEY_REUSED",
  );
  expect((await desired(id, 1)).env).toEqual([
    { name: "PASSWORD", value },
    { name: "MODE", value: "a" },
  ]);

  // As a client does that sends back what it has read.
  const shown = first.body.data.env;
  expect(shown).toEqual([
    { name: "PASSWORD", secret: true },
    { name: "MODE", value: "a" },
  ]);
  const changed = await patch(id, { env: [shown[0], { name: "MODE", value: "b" }] });
  expect(changed.status).toBe(200);
  expect((await desired(id, 2)).env).toEqual([
    { name: "PASSWORD", value },
    { name: "MODE", value: "b" },
  ]);

  replies.push(changed, await ours.call("GET", `/${id}`), await ours.call("GET", ""));
  expect(JSON.stringify(replies.map(({ body }) => body))).not.toContain(value);
  const tables = await stack.db<{ name: string }[]>`
    SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace`;
  for (const { name } of tables) {
    const rows = await stack.db`SELECT 1 FROM ${stack.db(name)} t WHERE t::text LIKE ${`%${value}%`} LIMIT 1`;
    expect({ name, rows: rows.length }).toEqual({ name, rows: 0 });
  }
  for (const log of readdirSync(stack.logs).filter((name) => name.endsWith(".log")))
    expect(readFileSync(join(stack.logs, log), "utf8")).not.toContain(value);
});

test("a secret that the control plane cannot decrypt is named to the host, which must not start without it", async () => {
  const { body } = await ours.create("sealed", { env: [{ name: "TOKEN", value: "x", secret: true }] });
  const [read] = await readDesiredContainers(stack.db, [body.data.id], () => null);
  expect(read).toMatchObject({ env: [], unreadable_env: ["TOKEN"] });
});

test("a change takes If-Match, says what a restart applies, and is done when the host has started it again", async () => {
  const id = await ours.container("changed");
  await host.reportContainer(id, { started_revision: 1 });
  const read = await until(async () => {
    const answer = await ours.call("GET", `/${id}`);
    return answer.body.data.state === "running" && answer;
  });
  const version = read.headers.get("etag");
  expect(version).toBe('"1"');
  expect((await patch(id, { labels: { a: "b" } }, null)).body.code).toBe("PRECONDITION_REQUIRED");
  const stale = await patch(id, { labels: { a: "b" } }, '"2"');
  expect({ status: stale.status, data: stale.body.data }).toEqual({ status: 412, data: { revision: 1 } });

  const env = [{ name: "MODE", value: "b" }];
  const changed = await patch(id, { env, name: "renamed", labels: { a: "b" } }, version);
  expect(changed.status).toBe(200);
  expect(changed.headers.get("etag")).toBe('"2"');
  expect(changed.body.message).toBe("Container updated; a restart applies: name, env");
  expect(changed.body.data).toMatchObject({ name: "renamed", env, labels: { a: "b" }, revision: 2 });
  expect(changed.body.data.restart_required).toEqual(["name", "env"]);
  const took = await patch(id, { env: read.body.data.env, labels: {} }, '"2"');
  expect(took.body.data.restart_required).toEqual(["name"]);
  const again = await patch(id, { env, labels: { a: "b" } }, '"3"');
  expect(again.body.data.restart_required).toEqual(["name", "env"]);
  const raced = await Promise.all([1, 2, 3].map((n) => patch(id, { labels: { n: `${n}` } }, '"4"')));
  expect(raced.map(({ status }) => status).sort()).toEqual([200, 412, 412]);

  await host.reportContainer(id, { revision: 4, started_revision: 4 });
  await until(async () => (await ours.call("GET", `/${id}`)).body.data.restart_required.length === 0);
});

test("a repeated change acts once, and one that changes nothing keeps the revision", async () => {
  const id = await ours.container("repeated");
  const key = { "idempotency-key": crypto.randomUUID() };
  for (const _ of [1, 2]) {
    const { body } = await patch(id, { args: [], restart_policy: { name: "no" } }, '"1"', key);
    expect(body.data).toMatchObject({ revision: 2, restart_policy: { name: "no", max_retries: null } });
  }
  expect((await patch(id, { restart_policy: { name: "no" } }, '"2"')).body.data.revision).toBe(2);
});

test("what is wrong is refused by its field, when a container is created and when it is changed", async () => {
  const id = await ours.container("strict");
  const many = Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`k${n}`, "v"]));
  for (const [fields, field] of [
    [{ env: [{ name: "1A", value: "" }] }, "body.env.0.name"],
    [{ env: { "1A": "" } }, "body.env.1A"],
    [{ env: { A: "x".repeat(32_769) } }, "body.env.A"],
    [{ env: Object.fromEntries([1, 2, 3].map((n) => [`A${n}`, "x".repeat(30_000)])) }, "body.env"],
    [
      {
        env: [
          { name: "A", value: "1" },
          { name: "A", value: "2" },
        ],
      },
      "body.env.A",
    ],
    [{ env: [{ name: "A" }] }, "body.env.A"],
    [{ env: [{ name: "A", secret: true }] }, "body.env.A"],
    [{ ports: [{ name: "web", port: 0 }] }, "body.ports.0.port"],
    [
      {
        ports: [
          { name: "web", port: 1 },
          { name: "web", port: 2 },
        ],
      },
      "body.ports.1.name",
    ],
    [{ resources: { cpu_cores: 5 } }, "body.resources.cpu_cores"],
    [{ resources: { memory_bytes: 9 * 1024 ** 3 } }, "body.resources.memory_bytes"],
    [{ resources: { memory_bytes: 1_000 } }, "body.resources.memory_bytes"],
    [{ resources: { disk_bytes: 101e9 } }, "body.resources.disk_bytes"],
    [{ resources: { bandwidth_mbps: 0 } }, "body.resources.bandwidth_mbps"],
    [{ resources: { bandwidth_mbps: 1_001 } }, "body.resources.bandwidth_mbps"],
    [{ restart_policy: { name: "sometimes" } }, "body.restart_policy.name"],
    [{ restart_policy: { name: "always", max_retries: 1 } }, "body.restart_policy.max_retries"],
    [{ stop_grace_seconds: 601 }, "body.stop_grace_seconds"],
    [{ stop_signal: "SIGNONSENSE" }, "body.stop_signal"],
    [{ health_check: { retries: 0 } }, "body.health_check.retries"],
    [{ health_check: { enabled: false, command: ["true"] } }, "body.health_check.command"],
    [{ labels: many }, "body.labels"],
    [{ labels: { "a:b": "" } }, "body.labels.a:b"],
    [{ volume: 1 }, "body.volume"],
  ] as const) {
    for (const { status, body } of [await ours.create("refused", fields), await patch(id, fields)])
      expect({ fields: Object.keys(fields), status, field: body.data?.field }).toEqual({
        fields: Object.keys(fields),
        status: 400,
        field,
      });
  }
  const misnamed = await patch(id, { env: { "1A": "" }, labels: { "a:b": "" } });
  expect(misnamed.body.data.fields).toEqual([
    {
      field: "body.env.1A",
      message: expect.stringMatching(/^its name must have this form: 1 to 255 of A-Z/),
    },
    {
      field: "body.labels.a:b",
      message: expect.stringMatching(/^its name must have this form: 1 to 63 of A-Z/),
    },
  ]);
  expect((await patch(id, {})).body.data.field).toBe("body");
  const fits = { cpu_cores: 4, memory_bytes: 8 * 1024 ** 3, disk_bytes: 100e9, bandwidth_mbps: 1_000 };
  expect((await patch(id, { resources: fits })).body.data.resources).toEqual({ ...fits, applied: null });
});

test("another tenant's container is not changed, a taken name is refused, and a deleted one is gone", async () => {
  const id = await ours.container("first");
  await ours.container("second");
  const foreign = await theirs.call("PATCH", `/${id}`, { labels: {} }, { "if-match": "*" });
  expect({ status: foreign.status, code: foreign.body.code }).toEqual({
    status: 404,
    code: "CONTAINER_NOT_FOUND",
  });
  const taken = await patch(id, { name: "second" });
  expect({ status: taken.status, code: taken.body.code }).toEqual({ status: 409, code: "NAME_TAKEN" });
  await ours.call("DELETE", `/${id}`);
  expect((await patch(id, { labels: {} })).body.code).toBe("CONTAINER_NOT_FOUND");
});

test("containers are listed by labels and by a part of the name, and a cursor belongs to its filter", async () => {
  const { create, call } = await tenant(stack, await stack.serverName());
  await create("shop-web", { labels: { app: "shop", tier: "web" } });
  await create("shop-db", { labels: { app: "shop", tier: "db:main" } });
  await create("blog", { labels: { app: "blog" } });
  const list = async (query: string) => {
    const { body } = await call("GET", `?${query}`);
    return body.data.containers.map(({ name }: { name: string }) => name);
  };
  expect(await list("label=app:shop")).toEqual(["shop-web", "shop-db"]);
  expect(await list("label=tier")).toEqual(["shop-web", "shop-db"]);
  expect(await list("label=app:shop&label=tier:db:main")).toEqual(["shop-db"]);
  expect(await list("label=app:")).toEqual([]);
  expect(await list("search=SHOP&label=tier:web")).toEqual(["shop-web"]);
  expect(await list("search=%25")).toEqual([]);
  expect((await call("GET", "?label=:x")).body.data.field).toBe("query.label");
  const { next_cursor } = (await call("GET", "?label=app:shop&limit=1")).body.data.pagination;
  expect(await list(`label=app:shop&limit=1&cursor=${next_cursor}`)).toEqual(["shop-db"]);
  expect((await call("GET", `?label=app&limit=1&cursor=${next_cursor}`)).body.data.field).toBe(
    "query.cursor",
  );
});
