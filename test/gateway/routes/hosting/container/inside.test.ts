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
    command: ["/bin/sh", "-c", line],
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
    ["?cursor=1.0&tail=1", "query.cursor"],
    ["?stream=stdin", "query.stream"],
    ["?follow=perhaps", "query.follow"],
  ])("refuses %s, and names the field", async (query, field) => {
    const { status, body } = await logs(id, query);
    expect([status, body.code, body.data.field]).toEqual([400, "VALIDATION_ERROR", field]);
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
