import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { appendFileSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newId } from "../../../../../actors/platform/ids.ts";
import type { LogLine } from "../../../../../schemas/hosting/container-log.ts";
import { type Agent, type AgentOptions, cleanUp, startAgent } from "../../../../agents/agent-process.ts";
import { testSubnet } from "../../../../agents/containers/specs.ts";
import { lacks } from "../../../../agents/requirements.ts";
import { temporaryFolder } from "../../../../harness/servers.ts";
import { type SharedStack, sharedStack } from "../../../../harness/shared-stack.ts";
import { until } from "../../../../harness/until.ts";
import { apiToken, realmToken } from "../../accounts/token/credentials.ts";
import { followStream } from "../../activity/event/following.ts";
import { tenant } from "./hosting.ts";

/** What a container on a real host writes, runs and uses, as the API tells it. */

const isolated = !lacks("root", "nft", "ip", "oci");

let stack: SharedStack;
let options: AgentOptions;
let agent: Agent;
let ours: Awaited<ReturnType<typeof tenant>>;
let serverName: string;
beforeAll(async () => {
  stack = await sharedStack();
  serverName = await stack.serverName();
  ours = await tenant(stack, serverName);
  options = {
    natsUrl: stack.agentUrl(serverName),
    server: serverName,
    data: temporaryFolder(),
    driver: isolated ? "oci" : "process",
    subnet: testSubnet(isolated ? 10 : 127),
    atEnd: "stop",
  };
  agent = startAgent(options);
  await agent.ready();
});
afterAll(async () => {
  await agent.stop();
  await cleanUp(options);
  await stack.stop();
});

/** A container that runs a shell line, by the actor: over the API a command needs an image. */
async function running(name: string, line: string): Promise<string> {
  const id = newId();
  await stack.actors.container(id).create({
    user_id: ours.user.id,
    project_id: ours.projectId,
    server_id: ours.serverId,
    server_name: serverName,
    image_id: null,
    image_reference: null,
    name,
    image_args: ["/bin/sh", "-c", line],
  });
  await until(async () => (await ours.call("GET", `/${id}`)).body.data.state === "running");
  return id;
}
const logs = (id: string, query = "", token = ours.token) =>
  stack.call("GET", `/api/v1/containers/${id}/logs${query}`, { token });
const textsOf = (lines: readonly LogLine[]) => lines.map(({ text }) => text);
const rootOf = (id: string) => join(options.data, "containers", id, "root");

describe("the log of a container", () => {
  let id: string;
  const say = (text: string) => appendFileSync(join(rootOf(id), "said"), `${text}\n`);
  beforeAll(async () => {
    id = await running(
      "talks",
      "cd /; [ -w / ] || cd; : >said; echo begin; echo wrong >&2; exec tail -n +1 -f said",
    );
    await until(async () => (await logs(id)).body.data.lines.length === 2);
  });

  test("has each line with its time and stream, and the newest of one stream when asked", async () => {
    const { body } = await logs(id);
    expect(body.data).toMatchObject({ has_more: false, dropped: false });
    const found: LogLine[] = body.data.lines.toSorted((a: LogLine, b: LogLine) => (a.text < b.text ? -1 : 1));
    expect(found.map(({ stream, text, partial }) => [stream, text, partial])).toEqual([
      ["stdout", "begin", false],
      ["stderr", "wrong", false],
    ]);
    for (const { time } of found) expect(Math.abs(Date.now() - Date.parse(time))).toBeLessThan(120_000);
    expect(textsOf((await logs(id, "?stream=stderr&tail=5")).body.data.lines)).toEqual(["wrong"]);
    expect(textsOf((await logs(id, "?since=2999-01-01T00:00:00Z")).body.data.lines)).toEqual([]);
    for (const n of [1, 2, 3]) say(`${n}`);
    const { cursor } = body.data;
    await until(
      async () => textsOf((await logs(id, `?cursor=${cursor}`)).body.data.lines).join() === "1,2,3",
    );
    const first = (await logs(id, `?cursor=${cursor}&limit=2`)).body.data;
    expect([textsOf(first.lines), first.has_more]).toEqual([["1", "2"], true]);
    expect(textsOf((await logs(id, `?cursor=${first.cursor}`)).body.data.lines)).toEqual(["3"]);
  });

  test.each([
    ["?tail=-1", "query.tail"],
    ["?since=yesterday", "query.since"],
    ["?cursor=x", "query.cursor"],
    ["?cursor=1.0", "query.cursor"],
    [`?cursor=${newId()}.1.0`, "query.cursor"],
    ["?cursor=1.0&tail=1", "query.cursor"],
    ["?stream=stdin", "query.stream"],
    ["?follow=perhaps", "query.follow"],
  ])("refuses %s, and names the field", async (query, field) => {
    const { status, body } = await logs(id, query);
    expect([status, body.code, body.data.field]).toEqual([400, "VALIDATION_ERROR", field]);
  });

  test("is not followed from a place in another container's log", async () => {
    const { status, body } = await stack.call("GET", `/api/v1/containers/${id}/logs?follow=true`, {
      token: ours.token,
      headers: { "last-event-id": `${newId()}.1.0` },
    });
    expect([status, body.data.field]).toEqual([400, "headers.last-event-id"]);
  });

  test("is followed across broken connections, each line once, and says where lines were lost", async () => {
    const path = `/api/v1/containers/${id}/logs?follow=true&tail=0`;
    const all: string[] = [];
    let lastId: string | undefined;
    for (const part of [1, 2, 3]) {
      const stream = await followStream<LogLine>(stack, path, ours.token, lastId);
      expect(stream.response.headers.get("content-type")).toStartWith("text/event-stream");
      const wanted = Array.from({ length: 5 }, (_, n) => `${part}.${n}`);
      for (const text of wanted) say(text);
      await until(() => stream.said.some(({ data }) => data.text === wanted.at(-1)));
      await stream.close();
      // Not what came last: the client may have lost it on the way.
      const kept = stream.said.slice(0, 4);
      all.push(...kept.map(({ data }) => data.text));
      lastId = kept.at(-1)?.id;
    }
    expect(all).toEqual(["1.0", "1.1", "1.2", "1.3", "1.4", "2.0", "2.1", "2.2", "2.3", "2.4", "3.0", "3.1"]);

    // Full logs, as by a flood, faster than the agent looks.
    const folder = join(options.data, "containers", id);
    const line = readFileSync(join(folder, "log"), "utf8").split("\n")[0] ?? "";
    for (const text of ["filled", ...Array.from({ length: 9 }, () => "maybe lost"), "after"]) {
      writeFileSync(join(folder, "log.tmp"), `${line.replace("begin", text)}\n`);
      renameSync(join(folder, "log.tmp"), join(folder, "log"));
    }
    const stream = await followStream<LogLine>(stack, path, ours.token, lastId);
    await until(() => stream.said.at(-1)?.data.text === "after");
    expect(stream.said.filter(({ event }) => event === "dropped").length).toBeGreaterThan(0);
    expect(stream.said.filter(({ data }) => data.text === "maybe lost").length).toBeLessThan(9);
    await stream.close();
  });

  test("is for those who may see the container: members of the pool, and a realm of its project", async () => {
    const [stranger, member] = [await stack.user(), await stack.user()];
    const [theirs, none] = [await logs(id, "", stranger.token), await logs(newId(), "", stranger.token)];
    expect([theirs.status, theirs.body]).toEqual([404, none.body]);
    const [pool] = await stack.db`SELECT id FROM pools WHERE owner_id = ${ours.user.id} AND is_default`;
    await stack.db`UPDATE rentals SET pool_id = ${pool?.id} WHERE user_id = ${ours.user.id}`;
    await stack.db`INSERT INTO pool_members (pool_id, user_id, role, joined_at)
      VALUES (${pool?.id}, ${member.id}, 'user', now())`;
    expect((await logs(id, "", member.token)).status).toBe(200);
    const other = await stack.call("POST", "/api/v1/projects", {
      token: ours.token,
      body: { name: "other" },
    });
    const [inside, outside] = [
      await realmToken(stack, ours.user, ours.projectId),
      await realmToken(stack, ours.user, other.body.data.id),
    ];
    expect([(await logs(id, "", inside)).status, (await logs(id, "", outside)).status]).toEqual([200, 404]);

    const followed = await followStream(stack, `/api/v1/containers/${id}/logs?follow=true`, member.token);
    await stack.db`DELETE FROM pool_members WHERE user_id = ${member.id}`;
    await until(() => followed.state.ended);
  });

  test("ends for who follows it with their credential", async () => {
    const own = await apiToken(stack, ours.user, ["resources.read"]);
    const followed = await followStream(stack, `/api/v1/containers/${id}/logs?follow=true`, own.token);
    await stack.call("DELETE", `/api/v1/auth/tokens/${own.id}`, { token: ours.token });
    await until(() => followed.state.ended);
  });
});

describe("a command in a container", () => {
  let id: string;
  beforeAll(async () => {
    id = await running("runs", "exec sleep 100000");
  });
  const exec = (body: object, { token = ours.token, headers = {}, of = id } = {}) =>
    stack.call("POST", `/api/v1/containers/${of}/exec`, { token, body, headers });
  const sh = (line: string, fields: object = {}) => exec({ command: ["/bin/sh", "-c", line], ...fields });

  test("replies with what it wrote, its exit status and its duration", async () => {
    const { status, body } = await exec({
      command: ["sh", "-c", "pwd; cat; echo $MODE >&2; exit 3"],
      env: { MODE: "a b'c" },
      working_directory: "/usr",
      input: "größer\n",
      timeout_seconds: 30,
    });
    expect(status).toBe(200);
    expect(body.data).toEqual({
      exit_status: 3,
      stdout: "/usr\ngrößer\n",
      stderr: "a b'c\n",
      truncated: false,
      timed_out: false,
      duration_ms: expect.any(Number),
      encoding: "utf-8",
    });
    const { data } = (await sh("kill -KILL $$")).body;
    expect(data.exit_status).toBe(137);
  });

  test("has its arguments as they are, and no shell reads them", async () => {
    const { body } = await exec({ command: ["printf", "%s|", "$HOME", "a  b", "*", "; echo x", ""] });
    expect(body.data.stdout).toBe("$HOME|a  b|*|; echo x||");
  });

  test("that is no program ends with 127, and a folder or user that is not there is named", async () => {
    const { data } = (await exec({ command: ["no-such-program", "x"] })).body;
    expect([data.exit_status, data.stderr]).toEqual([127, "no-such-program: not found\n"]);
    for (const [fields, field] of [
      [{ working_directory: "/nowhere" }, "body.working_directory"],
      [{ user: "nobody-like-this" }, "body.user"],
      [{ working_directory: "relative" }, "body.working_directory"],
      [{ env: { "A=B": "c" } }, "body.env.A=B"],
      [{ timeout_seconds: 0 }, "body.timeout_seconds"],
      [{ encoding: "base64", input: "?" }, "body.input"],
    ] as const) {
      const refused = await exec({ command: ["true"], ...fields });
      expect([refused.status, refused.body.code, refused.body.data?.field]).toEqual([
        400,
        "VALIDATION_ERROR",
        field,
      ]);
    }
  });

  test("writes any bytes: replaced where they are no text, whole in base64", async () => {
    const line = "printf 'a\\377\\000b'";
    expect((await sh(line)).body.data.stdout).toBe("a\ufffd\u0000b");
    const input = Buffer.from([0, 255, 10]).toString("base64");
    const { data } = (await exec({ command: ["cat"], input, encoding: "base64" })).body;
    expect([data.stdout, data.encoding]).toEqual([input, "base64"]);
  });

  test("that takes too long is ended with all that it started, also what left its group", async () => {
    const mark = `${100_000 + Math.floor(Math.random() * 100_000)}.25`;
    const daemon = isolated ? `setsid sh -c 'sleep ${mark} & exec true' & ` : "";
    const { data } = (
      await sh(`${daemon}echo begun; sleep ${mark} & wait; sleep 1000`, { timeout_seconds: 5 })
    ).body;
    expect(data).toMatchObject({ exit_status: null, timed_out: true, truncated: false, stdout: "begun\n" });
    const left = "for p in /proc/[0-9]*; do tr '\\0' ' ' <$p/cmdline; done 2>/dev/null";
    await until(async () => !(await sh(left)).body.data.stdout.includes(`sleep ${mark}`));
  });

  test("that writes without end is ended at 256 KiB", async () => {
    const { data } = (await exec({ command: ["yes"] })).body;
    expect([data.truncated, data.timed_out, data.exit_status]).toEqual([true, false, null]);
    expect(data.stdout).toHaveLength(256 * 1024);
  });

  test("runs once under a key, however often it is sent, and another one under that key is refused", async () => {
    const headers = { "idempotency-key": newId() };
    const file = isolated ? "/srv/once" : join(temporaryFolder(), "once");
    const command = ["sh", "-c", `sleep 0.3; echo x >>${file}; cat ${file}`];
    const replies = await Promise.all([1, 2, 3].map(() => exec({ command }, { headers })));
    for (const { status, body } of [...replies, await exec({ command }, { headers })])
      expect([status, body.data.stdout]).toEqual([200, "x\n"]);
    const other = await exec({ command: ["true"] }, { headers });
    expect([other.status, other.body.code]).toEqual([409, "IDEMPOTENCY_KEY_REUSED"]);
  });

  test("is one of four at a time", async () => {
    const many = await Promise.all(
      Array.from({ length: 5 }, () => exec({ command: ["sleep", "1"], timeout_seconds: 30 })),
    );
    expect(many.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 429]);
  });

  test("is for those who may enter the container, and is in its log of events", async () => {
    const [stranger, member] = [await stack.user(), await stack.user()];
    const refused = await exec({ command: ["true"] }, { token: stranger.token });
    expect([refused.status, refused.body.code]).toEqual([404, "CONTAINER_NOT_FOUND"]);
    const reader = await apiToken(stack, ours.user, ["resources.read"]);
    expect((await exec({ command: ["true"] }, { token: reader.token })).status).toBe(403);
    const [pool] = await stack.db`SELECT id FROM pools WHERE owner_id = ${ours.user.id} AND is_default`;
    await stack.db`UPDATE rentals SET pool_id = ${pool?.id} WHERE user_id = ${ours.user.id}`;
    await stack.db`INSERT INTO pool_members (pool_id, user_id, role, joined_at)
      VALUES (${pool?.id}, ${member.id}, 'user', now())`;
    expect((await exec({ command: ["true", "secret"] }, { token: member.token })).status).toBe(200);
    const path = `/api/v1/events?event_type=container.terminal_opened&container_id=${id}`;
    const [event] = (await stack.call("GET", path, { token: ours.token })).body.data.events;
    expect(event.data).toMatchObject({ by: member.id, command: "true" });
    expect(JSON.stringify(event)).not.toContain("secret");
  });

  test("ends when its caller's session does", async () => {
    const { username, password } = ours.user;
    const { body } = await stack.call("POST", "/api/v1/auth/login", { body: { username, password } });
    const token = body.data.access_token;
    const asked = exec(
      { command: ["/bin/sh", "-c", ": >/tmp/began; sleep 200"], timeout_seconds: 300 },
      { token },
    );
    await until(async () => (await sh("ls /tmp/began")).body.data.exit_status === 0);
    await stack.call("POST", "/api/v1/auth/logout", { token });
    const ended = await asked;
    expect([ended.status, ended.body.code]).toEqual([403, "INSUFFICIENT_PERMISSIONS"]);
  });

  test("needs a container that runs", async () => {
    const stopped = await running("stops", "exec sleep 100000");
    await ours.call("POST", `/${stopped}/stop`);
    await until(async () => (await ours.call("GET", `/${stopped}`)).body.data.state === "stopped");
    const refused = await exec({ command: ["true"] }, { of: stopped });
    expect([refused.status, refused.body.code]).toEqual([409, "CONTAINER_STATE_CONFLICT"]);
    expect((await logs(stopped)).status).toBe(200);
  });
});

describe.skipIf(!isolated)("what a container uses", () => {
  const metrics = (id: string, query = "", token = ours.token) =>
    stack.call("GET", `/api/v1/containers/${id}/metrics${query}`, { token });
  const highest = (values: readonly (number | null)[]) => Math.max(...values.map((value) => value ?? 0));

  test("is measured while it runs: CPU and network rise under load, memory and disk are there", async () => {
    const id = await running("works", "exec sleep 100000");
    const command = [
      "/bin/sh",
      "-c",
      "head -c 200000000 /dev/urandom >/dev/null; head -c 3000000 /dev/zero >/srv/file",
    ];
    await stack.call("POST", `/api/v1/containers/${id}/exec`, { token: ours.token, body: { command } });
    const { data } = await until(
      async () => {
        const { body } = await metrics(id);
        const { cpu_percent, disk_bytes } = body.data.series;
        return highest(cpu_percent) > 0.5 && highest(disk_bytes) > 3_000_000 && body;
      },
      { everyMs: 500 },
    );
    expect(data.step_seconds).toBe(10);
    const { series } = data;
    const points = (Date.parse(data.to) - Date.parse(data.from)) / 10_000;
    for (const values of Object.values(series)) expect(values).toHaveLength(points);
    expect(highest(series.memory_bytes)).toBeGreaterThan(10_000);
    expect(series.network_received_bytes_per_second.some((value: number | null) => value !== null)).toBe(
      true,
    );

    const other = await stack.user();
    expect((await metrics(id, "", other.token)).status).toBe(404);
    const refused = await metrics(id, "?step=7");
    expect([refused.status, refused.body.data.field]).toEqual([400, "query.step"]);
  });

  test("and its host has a history too, for the account that rents it", async () => {
    const [rental] = await stack.db`SELECT id FROM rentals WHERE user_id = ${ours.user.id}`;
    for (const noun of ["rentals", "servers"]) {
      const path = `/api/v1/${noun}/${rental?.id}/metrics`;
      const { data } = await until(async () => {
        const { body } = await stack.call("GET", path, { token: ours.token });
        return highest(body.data.series.cpu_percent) > 0 && body;
      });
      expect(data).toMatchObject({ scope: "physical", rental_id: rental?.id, server_name: serverName });
      expect(highest(data.series.memory_bytes)).toBeGreaterThan(1_000_000);
      const { token } = await apiToken(stack, ours.user, ["resources.read"]);
      expect((await stack.call("GET", path, { token })).status).toBe(403);
      expect((await stack.call("GET", path, { token: (await stack.user()).token })).status).toBe(404);
    }
  });
});
