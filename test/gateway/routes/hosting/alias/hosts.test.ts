import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { connect, type KV } from "nats";
import { writeAliases } from "../../../../../actors/hosting/alias/bucket.ts";
import type { Sql } from "../../../../../actors/platform/db/sql.ts";
import { newId } from "../../../../../actors/platform/ids.ts";
import type { DesiredAlias } from "../../../../../schemas/hosting/desired.ts";
import { agentSubject, desiredBucket, desiredKey, statusBucket } from "../../../../../schemas/subjects.ts";
import { type Agent, startAgent } from "../../../../agents/agent-process.ts";
import { temporaryFolder } from "../../../../harness/servers.ts";
import { type SharedStack, sharedStack } from "../../../../harness/shared-stack.ts";
import { until } from "../../../../harness/until.ts";
import { aliasTenant } from "./aliasing.ts";

/** Records and hosts are compared as a whole every 15 s, and a host lists again every 30 s. */
const SWEPT = { everyMs: 100 };

let stack: SharedStack;
let server: string;
let ours: Awaited<ReturnType<typeof aliasTenant>>;
let agent: Agent;
let connection: Awaited<ReturnType<typeof connect>>;
const data = temporaryFolder();
const start = () =>
  startAgent({
    natsUrl: stack.agentUrl(server),
    server: server,
    data,
    driver: "process",
    subnet: "",
  });
beforeAll(async () => {
  stack = await sharedStack();
  server = await stack.serverName();
  ours = await aliasTenant(stack, server);
  agent = start();
  await agent.ready();
  const { host, username, password } = new URL(stack.natsUrl);
  connection = await connect({ servers: host, user: username, pass: password });
});
afterAll(async () => {
  await agent.stop();
  await connection.close();
  await stack.stop();
});

const bucket = (): Promise<KV> => connection.jetstream().views.kv(desiredBucket(server), { bindOnly: true });
const given = async (id: string): Promise<DesiredAlias | undefined> => {
  const entry = await (await bucket()).get(desiredKey("alias", id));
  return entry?.operation === "PUT" ? entry.json<DesiredAlias>() : undefined;
};
const loseBuckets = async () => {
  await (await bucket()).destroy();
  await (await connection.jetstream().views.kv(statusBucket(server), { bindOnly: true })).destroy();
};
const file = (label: string) => join(data, "aliases", `${label}.json`);
const fileOf = (label: string): DesiredAlias => JSON.parse(readFileSync(file(label), "utf8"));

test("a host learns of an alias whole, and keeps a file of it", async () => {
  const alias = await ours.exposed({
    alias: "shop",
    program: "https:8443",
    target_path: "a",
    allow_path_override: false,
  });
  const doc = await given(alias.id);
  expect(doc).toEqual({
    revision: expect.any(Number),
    server_name: server,
    id: alias.id,
    project_id: ours.projectId,
    container_id: ours.containerId,
    alias: "shop",
    program: "https",
    port: 8443,
    index: 8443,
    target_path: "/a",
    allow_path_override: false,
    expires_at: null,
    enabled: true,
  });
  expect(await until(() => fileOf("shop"))).toEqual(doc as DesiredAlias);
  const terminal = await ours.exposed({ program: "terminal", index: 2 });
  expect(await given(terminal.id)).toMatchObject({ program: "terminal", port: null, index: 2 });
});

test("each change reaches the host, and a rename exchanges the file", async () => {
  const { id } = await ours.exposed({ alias: "moving" });
  await until(() => existsSync(file("moving")));
  await ours.aliases("PATCH", `/${id}`, { alias: "moved" });
  expect(await given(id)).toMatchObject({ alias: "moved" });
  await until(() => existsSync(file("moved")) && !existsSync(file("moving")));
  await ours.aliases("PATCH", `/${id}/state`, { enabled: false });
  expect(await given(id)).toMatchObject({ enabled: false });
  await until(() => fileOf("moved").enabled === false);
});

test("a deleted alias is taken from its host, and its name can lead elsewhere", async () => {
  const first = await ours.exposed({ alias: "again", port: 81 });
  await ours.aliases("DELETE", `/${first.id}`);
  expect(await given(first.id)).toBeUndefined();
  await until(() => !existsSync(file("again")));
  for (let turn = 1; turn <= 20; turn++) {
    const next = await ours.exposed({ alias: "again", port: 81 + turn });
    await ours.aliases("DELETE", `/${next.id}`);
  }
  const last = await ours.exposed({ alias: "again", port: 9999 });
  await until(() => fileOf("again").index === 9999);
  expect(fileOf("again").id).toBe(last.id);
});

test("an answer comes when the host follows: what it says is what the host has", async () => {
  const known = async (): Promise<number> =>
    (await connection.request(agentSubject(server, "ping"), "", { timeout: 60_000 })).json<{
      aliases: number;
    }>().aliases;
  const before = await known();
  for (let turn = 0; turn < 20; turn++) {
    const { id } = await ours.exposed({ alias: "prompt" });
    expect(await known()).toBe(before + 1);
    await ours.aliases("DELETE", `/${id}`);
    expect(await known()).toBe(before);
  }
});

test("whoever read an alias before it was deleted, and writes after it, does not bring it back", async () => {
  const kv = await bucket();
  const { id } = await ours.exposed({ alias: "brought" });
  await (await bucket()).purge(desiredKey("alias", id));
  let reads = 0;
  // The alias is deleted, here and on its host, while its record is on the way to this late writer.
  const late = async (strings: TemplateStringsArray, ids: string[]) => {
    const rows = await stack.db(strings, ids);
    reads += 1;
    if (reads === 1) {
      expect(rows).toHaveLength(1);
      await ours.aliases("PATCH", `/${id}`, { port: 81 });
      await ours.aliases("DELETE", `/${id}`);
    }
    return rows;
  };
  await writeAliases(late as unknown as Sql, kv, [id]);
  expect(reads).toBe(2);
  expect(await given(id)).toBeUndefined();
});

test("many renames and deletions at once end in what the records say", async () => {
  const made = await Promise.all(Array.from({ length: 30 }, (_, i) => ours.exposed({ alias: `many-${i}` })));
  await Promise.all(
    made.flatMap(({ id }, i) => [
      ours.aliases("PATCH", `/${id}`, { alias: `many-${(i * 7) % 30}` }),
      ours.aliases("PATCH", `/${id}`, { alias: `other-${i}` }),
      i % 3 === 0 ? ours.aliases("DELETE", `/${id}`) : ours.aliases("PATCH", `/${id}`, { port: 5_000 + i }),
      ours.expose({ alias: `many-${i}` }),
    ]),
  );
  const { aliases } = (await ours.aliases("GET")).body.data;
  await until(() => {
    const files = readdirSync(join(data, "aliases")).filter((name) => name.endsWith(".json"));
    if (files.length !== aliases.length) return false;
    return aliases.every((one: { id: string; alias: string; index: number }) => {
      const { id, index } = fileOf(one.alias);
      return id === one.id && index === one.index;
    });
  });
});

test("a bucket that was lost is filled again, and meanwhile no alias ends", async () => {
  const alias = await ours.exposed({ alias: "outlives" });
  const gone = await ours.exposed({ alias: "ends-meanwhile" });
  await until(() => existsSync(file("outlives")) && existsSync(file("ends-meanwhile")));
  await loseBuckets();
  await ours.aliases("DELETE", `/${gone.id}`);
  expect(existsSync(file("outlives"))).toBe(true);
  const doc = await until(() => given(alias.id).catch(() => undefined), SWEPT);
  expect(doc).toEqual(fileOf("outlives"));
  // The new bucket never held it; that it holds all the others says enough.
  await until(() => !existsSync(file("ends-meanwhile")), SWEPT);
  expect(existsSync(file("outlives"))).toBe(true);
});

test("an agent that was away has what it knew, and learns afterwards what ended meanwhile", async () => {
  const kept = await ours.exposed({ alias: "kept" });
  const ended = await ours.exposed({ alias: "ended" });
  await until(() => existsSync(file("kept")) && existsSync(file("ended")));
  await agent.kill();
  await ours.aliases("DELETE", `/${ended.id}`);
  await ours.aliases("PATCH", `/${kept.id}`, { port: 4_444 });
  expect(existsSync(file("ended"))).toBe(true);
  agent = start();
  await until(() => !existsSync(file("ended")), SWEPT);
  await until(() => fileOf("kept").index === 4_444);
});

test("an alias that was made as its container went does not stay", async () => {
  const id = newId();
  await stack.actors.alias(ours.serverId).create({
    id,
    server_name: server,
    user_id: ours.user.id,
    project_id: ours.projectId,
    asked: { container_id: newId(), program: "http", alias: "left-over" },
    generated: "",
  });
  expect((await ours.aliases("GET", `/${id}`)).status).toBe(404);
  await until(async () => (await ours.expose({ alias: "left-over" })).status === 201, SWEPT);
});
