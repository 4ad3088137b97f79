import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { connect as connectNats, type NatsConnection } from "nats";
import { newId } from "../../../../../actors/platform/ids.ts";
import type { EventRecord } from "../../../../../schemas/events.ts";
import { EVENT_SUBJECT } from "../../../../../schemas/subjects.ts";
import { type EmbeddedStack, startEmbeddedStack, type TestUser } from "../../../../harness/embedded-stack.ts";
import { until } from "../../../../harness/until.ts";
import { apiToken, codeOf, realmToken } from "../../accounts/token/credentials.ts";
import { followEvents } from "./following.ts";

let stack: EmbeddedStack;
let nats: NatsConnection;
beforeAll(async () => {
  stack = await startEmbeddedStack();
  const { host, username, password } = new URL(stack.nats.url);
  nats = await connectNats({ servers: host, user: username, pass: password });
});
afterAll(async () => {
  await nats.close();
  await stack.stop();
});

const follow = (token: string, lastId?: string) => followEvents(stack, token, lastId);

const project = async (user: TestUser, name: string): Promise<string> =>
  (await stack.call("POST", "/api/v1/projects", { token: user.token, body: { name } })).body.data.id;
const logOf = async (user: TestUser): Promise<EventRecord[]> =>
  (await stack.call("GET", "/api/v1/events?sort_order=asc", { token: user.token })).body.data.events;

/** Waits until a user's events so far have reached the gateway: on a busy machine those of the sign-up come late. */
async function settle(user: TestUser): Promise<TestUser> {
  const stream = await follow(user.token);
  await project(user, "settled");
  await until(() => stream.said.some(({ data }) => data.data.name === "settled"));
  await stream.close();
  return user;
}

test("each event comes as it happened, and only to whose it is", async () => {
  const [user, other] = [await settle(await stack.user()), await settle(await stack.user())];
  const own = await follow(user.token);
  const others = await follow(other.token);
  expect(own.response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  expect(own.response.headers.get("x-request-id")).not.toBeNull();
  for (const name of ["one", "two", "three"]) await project(user, name);
  await project(other, "theirs");
  await until(() => own.said.length === 3 && others.said.length === 1);
  const log = (await logOf(user)).slice(-3);
  // Events of different resources may pass each other on their way.
  const said = own.said.toSorted((a, b) => (a.data.id < b.data.id ? -1 : 1));
  expect(said).toEqual(log.map((event) => ({ id: event.id, event: event.event_type, data: event })));
  expect(others.said[0]?.data.user_id).toBe(other.id);
  await own.close();
  await others.close();
});

describe("who comes back with Last-Event-ID", () => {
  test("gets what came after it once, and then what happens", async () => {
    const user = await settle(await stack.user());
    const first = await follow(user.token);
    await project(user, "seen");
    await until(() => first.said.length === 1);
    await first.close();
    for (const name of ["missed-1", "missed-2"]) await project(user, name);
    const second = await follow(user.token, first.ids()[0]);
    await project(user, "live");
    await until(() => second.said.length >= 3);
    expect(second.said.map(({ data }) => data.data.name).toSorted()).toEqual([
      "live",
      "missed-1",
      "missed-2",
    ]);
    await second.close();
  });

  test("after longer than this gateway remembers gets them from the log, some maybe again", async () => {
    const user = await stack.user();
    // No gateway heard of it: it is in the log alone.
    const old = newId();
    await stack.db`
      INSERT INTO events (id, event_type, resource_type, resource_id, user_id, data, created_at)
      VALUES (${old}, 'user.logged_in', 'user', ${user.id}, ${user.id}, '{}', now())`;
    await project(user, "missed");
    const stream = await follow(user.token, old);
    await project(user, "live");
    const names = () => stream.said.map(({ data }) => data.data.name);
    await until(() => names().includes("live"));
    expect(names().filter((name) => name === "missed" || name === "live")).toEqual(["missed", "live"]);
    expect(new Set(stream.ids()).size).toBe(stream.said.length);
    await stream.close();
  });

  test("with an id that is none of theirs is told of a gap, and shown nothing", async () => {
    const [user, other] = [await stack.user(), await stack.user()];
    await project(other, "secret");
    const [event] = (await logOf(other)).slice(-1);
    for (const id of ["0".repeat(24), event?.id ?? ""]) {
      const stream = await follow(user.token, id);
      await project(user, `after-${id}`);
      await until(() => stream.said.some(({ data }) => data.data?.name === `after-${id}`));
      expect(JSON.stringify(stream.said)).not.toContain("secret");
      await stream.close();
    }
    const { status, body } = await stack.call("GET", "/api/v1/events/stream", {
      token: user.token,
      headers: { "last-event-id": "x" },
    });
    expect([status, body.data.field]).toEqual([400, "headers.last-event-id"]);
  });
});

test("a realm's credential follows its realm alone", async () => {
  const user = await stack.user();
  const [inside, outside] = [await project(user, "inside"), await project(user, "outside")];
  await settle(user);
  const stream = await follow(await realmToken(stack, user, inside));
  for (const id of [outside, inside])
    await stack.call("DELETE", `/api/v1/projects/${id}`, { token: user.token });
  await until(() => stream.said.length > 0);
  expect(stream.said.map(({ data }) => data.resource_id)).toEqual([inside]);
  await stream.close();
});

test("the stream ends when the session does, and when the token is deleted", async () => {
  const user = await stack.user();
  const { id, token } = await apiToken(stack, user, ["resources.read_account"]);
  const byToken = await follow(token);
  await stack.call("DELETE", `/api/v1/auth/tokens/${id}`, { token: user.token });
  await until(() => byToken.state.ended);
  const bySession = await follow(user.token);
  await stack.call("POST", "/api/v1/auth/logout", { token: user.token });
  await until(() => bySession.state.ended);
});

test("a token without the permission does not follow, and nobody follows eleven times", async () => {
  const user = await stack.user();
  const { token } = await apiToken(stack, user, ["resources.read"]);
  const refused = await stack.call("GET", "/api/v1/events/stream", { token });
  expect(codeOf(refused)).toBe("403 INSUFFICIENT_PERMISSIONS");
  const streams = await Promise.all(Array.from({ length: 10 }, () => follow(user.token)));
  expect(codeOf(await stack.call("GET", "/api/v1/events/stream", { token: user.token }))).toBe(
    "429 RATE_LIMITED",
  );
  await streams.pop()?.close();
  await until(async () => {
    const again = await follow(user.token);
    await again.close();
    return again.response.status === 200;
  });
  for (const stream of streams) await stream.close();
});

test("a client that does not read is let go, while another of the same user misses nothing", async () => {
  const user = await settle(await stack.user());
  const reader = await follow(user.token);
  const { hostname, port } = new URL(stack.url);
  const socket = connect({ host: hostname, port: Number(port) });
  let tail = "";
  socket.on("error", () => {});
  socket.write(
    `GET /api/v1/events/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${user.token}\r\n\r\n`,
  );
  await new Promise((resolve) => socket.once("data", resolve));
  socket.pause();
  const filling = "x".repeat(100_000);
  const ids: string[] = [];
  for (let i = 0; i < 120; i++) {
    const id = newId();
    ids.push(id);
    const event = {
      id,
      event_type: "user.logged_in",
      resource_type: "user",
      resource_id: user.id,
      user_id: user.id,
      project_id: null,
      container_id: null,
      realm_id: null,
      data: { filling },
      created_at: new Date().toISOString(),
    };
    nats.publish(EVENT_SUBJECT, JSON.stringify([{ partition: 0, seq: i, ...event }]));
    await nats.flush();
    await until(() => reader.ids().length > i);
  }
  expect(reader.ids()).toEqual(ids);
  socket.on("data", (chunk) => (tail = (tail + chunk.toString()).slice(-20))).resume();
  // The last chunk of the body.
  await until(() => tail.endsWith("\r\n0\r\n\r\n"));
  socket.destroy();
  await reader.close();
});
