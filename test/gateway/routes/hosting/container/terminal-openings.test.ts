import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { newId } from "../../../../../actors/platform/ids.ts";
import type { TerminalOpened } from "../../../../../schemas/hosting/desired.ts";
import { openingKey, statusBucket } from "../../../../../schemas/subjects.ts";
import { startAgent } from "../../../../agents/agent-process.ts";
import { type EmbeddedStack, startEmbeddedStack } from "../../../../harness/embedded-stack.ts";
import { temporaryFolder } from "../../../../harness/servers.ts";
import { until } from "../../../../harness/until.ts";
import { bucketsOf, type Host, startHost, tenant } from "./hosting.ts";

/** What becomes of a terminal that a host says was opened. */

let stack: EmbeddedStack;
let ours: Awaited<ReturnType<typeof tenant>>;
let host: Host;
let otherHost: Host;
beforeAll(async () => {
  stack = await startEmbeddedStack({ servers: ["node-1", "node-2", "node-3"] });
  ours = await tenant(stack, "node-1");
  await (await tenant(stack, "node-2")).container("brings-the-bucket");
  [host, otherHost] = await Promise.all([startHost(stack, "node-1"), startHost(stack, "node-2")]);
});
afterAll(async () => {
  await Promise.all([host.close(), otherHost.close()]);
  await stack.stop();
});

const opening = (id: string, fields: Partial<TerminalOpened> = {}): TerminalOpened => ({
  container_id: id,
  user_id: ours.user.id,
  terminal_id: 7,
  count: 1,
  opened_at: "2026-01-02T03:04:05.678Z",
  ...fields,
});
const eventsOf = async (id: string) =>
  (
    await stack.call("GET", `/api/v1/events?event_type=container.terminal_opened&container_id=${id}`, {
      token: ours.token,
    })
  ).body.data.events;
/** How many reports of openings in a container wait in the host's bucket. */
async function openingsLeft(id: string): Promise<number> {
  const buckets = await bucketsOf(stack, "node-1");
  const keys = await buckets.keys();
  await buckets.close();
  return keys.filter((key) => key.startsWith(`terminal.${id}-`)).length;
}
/** A report of later, by which those before it have been taken. */
const caughtUp = async (id: string, by = host) => {
  const before = (await eventsOf(id)).length;
  await by.reportRaw(openingKey(id, newId()), JSON.stringify(opening(id, { terminal_id: 99 })));
  await until(async () => (await eventsOf(id)).length > before);
};

test("it is in the log of the container's owner, with who opened it and which one, and its report is gone", async () => {
  const id = await ours.container("opened");
  const key = openingKey(id, newId());
  await host.reportRaw(key, JSON.stringify(opening(id, { count: 3 })));
  const [event] = await until(async () => {
    const found = await eventsOf(id);
    return found.length > 0 && found;
  });
  expect(event).toMatchObject({
    event_type: "container.terminal_opened",
    resource_type: "container",
    resource_id: id,
    container_id: id,
    project_id: ours.projectId,
    user_id: ours.user.id,
    data: {
      name: "opened",
      by: ours.user.id,
      terminal_id: 7,
      count: 3,
      opened_at: "2026-01-02T03:04:05.678Z",
    },
  });
  const { connect } = await import("nats");
  const { hostname, port, username, password } = new URL(stack.nats.url);
  const nats = await connect({ servers: `${hostname}:${port}`, user: username, pass: password });
  const bucket = await nats.jetstream().views.kv(statusBucket("node-1"), { bindOnly: true });
  await until(async () => (await bucket.get(key)) === null);
  await nats.close();
});

test("the same report twice is one event", async () => {
  const id = await ours.container("repeated");
  const key = openingKey(id, newId());
  for (let n = 0; n < 3; n++) {
    await host.reportRaw(key, JSON.stringify(opening(id)));
    await caughtUp(id);
  }
  const ids = (await eventsOf(id)).map(({ data }: { data: { terminal_id: number } }) => data.terminal_id);
  expect(ids.toSorted()).toEqual([7, 99, 99, 99]);
});

test("what another host says, and what is no report, adds nothing to a log", async () => {
  const id = await ours.container("guarded");
  await otherHost.reportRaw(openingKey(id, newId()), JSON.stringify(opening(id)));
  for (const wrong of [
    opening(newId()),
    opening(id, { terminal_id: 0 }),
    opening(id, { count: 0 }),
    opening(id, { user_id: "somebody" }),
    {},
    null,
  ]) {
    await host.reportRaw(openingKey(id, newId()), JSON.stringify(wrong));
  }
  await host.reportRaw(`terminal.${id}`, JSON.stringify(opening(id)));
  await host.reportRaw(`terminal.${id}-x`, JSON.stringify(opening(id)));
  await host.reportRaw(openingKey(newId(), newId()), JSON.stringify(opening(id)));
  await caughtUp(id);
  expect(await eventsOf(id)).toHaveLength(1);
});

test("a host names in the log whoever may enter the container, and nobody else", async () => {
  const id = await ours.container("granted");
  const [member, stranger] = [await stack.user(), await stack.user()];
  const [pool] = await stack.db`SELECT id FROM pools WHERE owner_id = ${ours.user.id} AND is_default`;
  await stack.db`UPDATE rentals SET pool_id = ${pool?.id} WHERE user_id = ${ours.user.id}`;
  await stack.db`INSERT INTO pool_members (pool_id, user_id, role, joined_at)
    VALUES (${pool?.id}, ${member.id}, 'user', now())`;
  const forged = [stranger.id, newId(), (await tenant(stack, "node-1-other")).user.id];
  for (const user_id of [...forged, member.id])
    await host.reportRaw(openingKey(id, newId()), JSON.stringify(opening(id, { user_id })));
  await caughtUp(id);
  await until(async () => (await eventsOf(id)).length >= 2);
  const named = (await eventsOf(id)).map(({ data }: { data: { by: string } }) => data.by);
  expect(named.toSorted()).toEqual([member.id, ours.user.id].toSorted());
});

test("a time in the future is the control plane's own, and a text that is no time adds nothing", async () => {
  const id = await ours.container("timed");
  const late = { terminal_id: 1, opened_at: "2999-01-01T00:00:00.000Z" };
  const none = { terminal_id: 2, opened_at: "long ago" };
  for (const fields of [late, none])
    await host.reportRaw(openingKey(id, newId()), JSON.stringify(opening(id, fields)));
  await caughtUp(id);
  await until(async () => (await eventsOf(id)).length >= 2);
  const opened = (await eventsOf(id)).map(({ data }: { data: TerminalOpened }) => data);
  expect(opened.map(({ terminal_id }: TerminalOpened) => terminal_id).toSorted()).toEqual([1, 99]);
  const at = opened.find(({ terminal_id }: TerminalOpened) => terminal_id === 1)?.opened_at;
  expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(60_000);
});

test("a host that makes up openings without end writes a few of them, and the log of the program one line a minute", async () => {
  const id = await ours.container("flooded");
  const startedAt = performance.now();
  for (let n = 0; n < 300; n++)
    await host.reportRaw(openingKey(id, newId()), JSON.stringify(opening(id, { terminal_id: n + 1 })));
  // Each report has gone, whether or not it was taken.
  await until(async () => (await openingsLeft(id)) === 0);
  // Twenty at once, and ten a minute, of 300.
  const minutes = (performance.now() - startedAt) / 60_000;
  expect((await eventsOf(id)).length).toBeWithin(20, 20 + Math.ceil(10 * minutes) + 1);
  const log = readFileSync(join(stack.logs, "actors-1.log"), "utf8").split("\n");
  const lines = log.filter(
    (line) => line.includes("reports of a host did nothing") && line.includes("node-1"),
  );
  expect(lines.length).toBeWithin(1, 2 + Math.ceil(minutes));
  expect(lines[0]).not.toContain("stack");
});

test("a person who opens a terminal by an agent's edge is in the log", async () => {
  const agent = startAgent({
    natsUrl: stack.nats.agentUrl("node-3"),
    server: "node-3",
    data: temporaryFolder(),
    driver: "process",
    subnet: "",
    atEnd: "stop",
  });
  await agent.ready();
  const tenants = await tenant(stack, "node-3");
  const id = await tenants.container("entered");
  await until(async () => (await tenants.call("GET", `/${id}`)).body.data.state === "running");
  const { access_token, urls } = (await tenants.call("POST", `/${id}/access`)).body.data;
  const port = agent.lines.find(({ msg }) => msg === "the edge listens")?.https;
  const page = () =>
    fetch(`https://127.0.0.1:${port}/?shell=sh&terminal_id=42`, {
      headers: { host: new URL(urls.terminal).host, authorization: `Bearer ${access_token}` },
      keepalive: false,
      tls: { rejectUnauthorized: false },
    });
  // The agent may not have asked for the keys of tokens yet.
  await until(async () => (await page()).status === 200);
  expect((await page()).status).toBe(200);
  const events = async () =>
    (
      await stack.call("GET", "/api/v1/events?event_type=container.terminal_opened", {
        token: tenants.token,
      })
    ).body.data.events;
  await until(async () => (await events()).length > 0);
  expect(await events()).toMatchObject([
    { container_id: id, data: { by: tenants.user.id, terminal_id: 42, count: 1 } },
  ]);
  await agent.stop();
});
