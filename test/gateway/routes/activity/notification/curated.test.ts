import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect, type NatsConnection } from "nats";
import { noticeIdOf } from "../../../../../actors/activity/inbox/consume.ts";
import type { InboxEntry } from "../../../../../schemas/activity/notification.ts";
import type { EventRecord } from "../../../../../schemas/events.ts";
import { EVENT_STREAM, EVENT_SUBJECT } from "../../../../../schemas/subjects.ts";
import { type EmbeddedStack, startEmbeddedStack, type TestUser } from "../../../../harness/embedded-stack.ts";
import { until } from "../../../../harness/until.ts";
import { apiToken, codeOf, impersonate, realmToken } from "../../accounts/token/credentials.ts";
import { startHost, tenant } from "../../hosting/container/hosting.ts";

/** Of its own, since it deletes the stream of events. */
let stack: EmbeddedStack;
const server = "node-1";
const FIREWALLED = "node-2";
let nats: NatsConnection;
beforeAll(async () => {
  stack = await startEmbeddedStack({ servers: [server, FIREWALLED] });
  const { host, username, password } = new URL(stack.natsUrl);
  nats = await connect({ servers: host, user: username, pass: password });
});
afterAll(async () => {
  await nats.close();
  await stack.stop();
});

const inboxOf = async (token: string): Promise<InboxEntry[]> => {
  const { body } = await stack.call("GET", "/api/v1/notifications/?limit=100", { token });
  return body.data.notifications;
};
const notice = (token: string, title: RegExp) =>
  until(async () => (await inboxOf(token)).find((entry) => title.test(entry.title)));
const credit = (user: TestUser, amount: string, reason: string) =>
  stack.actors.wallet(user.id).credit({ amount, reason, idempotency_key: reason });

test("money that came in is told, with the event that tells of it", async () => {
  const user = await stack.user();
  await credit(user, "12.5", "a gift");
  const told = await notice(user.token, /\$12\.50/);
  expect(told).toMatchObject({
    body: "a gift",
    level: "success",
    user_id: user.id,
    event_type: "user.balance_credited",
    resource_type: "user",
    read: false,
  });
  const event = await stack.call("GET", `/api/v1/events/${told.event_id}`, { token: user.token });
  expect(event.body.data.event_type).toBe("user.balance_credited");
});

test("a firewall that is not enforced is told of its container, where it is seen and changed", async () => {
  const { token, container, call } = await tenant(stack, FIREWALLED);
  const id = await container("walled");
  const host = await startHost(stack, FIREWALLED);
  await host.answerFirewalls(() => ({ enforced: false, error: "nft: not permitted" }));
  const rule = { action: "allow", protocol: "tcp", description: "web", destination_port: "80" };
  await call("POST", `/${id}/firewall/ingress`, rule);
  const told = await notice(token, /A firewall is not enforced/);
  const { event_type, resource_type, resource_id } = told;
  expect([event_type, resource_type, resource_id]).toEqual(["firewall.apply_failed", "container", id]);
  await host.close();
});

test("a container that failed is told once to its owner and seen by its realm, and to nobody else", async () => {
  const ours = await tenant(stack, server);
  const stranger = await stack.user();
  const id = await ours.container("web");
  const host = await startHost(stack, server);
  await host.reportContainer(id, { state: "error", error: "no space left on device" });
  const told = await notice(ours.token, /web has failed/);
  expect(told).toMatchObject({ level: "error", resource_id: id, realm_id: ours.projectId });
  expect(told.body).toContain("no space left on device");
  const other = await stack.call("POST", "/api/v1/projects", { token: ours.token, body: { name: "other" } });
  const seenBy = async (realm: string) =>
    (await inboxOf(await realmToken(stack, ours.user, realm))).some((entry) => entry.id === told.id);
  expect(await seenBy(ours.projectId)).toBe(true);
  expect(await seenBy(other.body.data.id)).toBe(false);
  expect(await inboxOf(stranger.token)).toEqual([]);

  // One that ends again and again is told once, and again when it has run for a while in between.
  const loop = await ours.container("loop");
  const end = async (at: string) => {
    const exit = { status: 1, signal: null, reason: at, out_of_memory: false, at: `2026-01-31T${at}.000Z` };
    await host.reportContainer(loop, { state: "running" });
    const isNow = async (state: string) =>
      (await stack.call("GET", `/api/v1/containers/${loop}`, { token: ours.token })).body.data.state ===
      state;
    await until(() => isNow("running"));
    await host.reportContainer(loop, { state: "error", error: at, exit });
    await until(() => isNow("error"));
  };
  for (const at of ["09:00:00", "09:00:10", "09:00:50", "09:10:00"]) await end(at);
  const ends = await until(async () => {
    const found = (await inboxOf(ours.token)).filter(({ title }) => title === "Container loop has failed");
    return found.some(({ body }) => body.endsWith("09:10:00")) && found;
  });
  expect(ends.map(({ body }) => body.slice(-8)).toSorted()).toEqual(["09:00:00", "09:10:00"]);
  await host.close();
});

test("somebody who acts as a user, and a token that was made, are told to that user", async () => {
  const admin = await stack.user({ role: "admin" });
  const user = await stack.user();
  await impersonate(stack, admin, user.id);
  expect((await notice(user.token, /acts as you/)).body).toContain("a support case");
  await apiToken(stack, user, []);
  await notice(user.token, /API token was created: ci/);
});

test("who is invited to a pool is told, and not who invites", async () => {
  const [owner, invited] = [await stack.user(), await stack.user()];
  const pool = await stack.call("POST", "/api/v1/pools", { token: owner.token, body: { name: "crew" } });
  await stack.call("POST", `/api/v1/pools/${pool.body.data.id}/members`, {
    token: owner.token,
    body: { username: invited.username, role: "user" },
  });
  await notice(invited.token, /invites you to the pool crew/);
  await credit(owner, "7", "after it");
  await notice(owner.token, /\$7\.00/);
  expect((await inboxOf(owner.token)).map(({ title }) => title)).toHaveLength(1);
});

test("an event that is delivered many times makes one notice, however many hosts there are", async () => {
  const user = await stack.user();
  await credit(user, "1", "often");
  const { event_id } = await notice(user.token, /\$1\.00/);
  const { body } = await stack.call("GET", `/api/v1/events/${event_id}`, { token: user.token });
  const event: EventRecord = body.data;
  for (let i = 0; i < 10; i++) {
    await nats.jetstream().publish(EVENT_SUBJECT, JSON.stringify([{ partition: 0, seq: 1, ...event }]));
  }
  await credit(user, "2", "after them");
  await notice(user.token, /\$2\.00/);
  expect((await inboxOf(user.token)).map(({ id }) => id)).toContain(noticeIdOf(event.id));
  expect((await inboxOf(user.token)).filter(({ title }) => title.startsWith("$1.00"))).toHaveLength(1);
});

test("what happens while the stream of events is gone is told when there is a new one, and nothing twice", async () => {
  const user = await stack.user();
  await credit(user, "3", "before");
  await notice(user.token, /\$3\.00/);
  const manager = await nats.jetstreamManager();
  await manager.streams.delete(EVENT_STREAM);
  await credit(user, "4", "meanwhile");
  await notice(user.token, /\$4\.00/);
  await credit(user, "5", "later");
  await notice(user.token, /\$5\.00/);
  expect((await inboxOf(user.token)).map(({ title }) => title.slice(0, 4))).toHaveLength(3);
});

test("notices are no secrets of another tenant's: an id of theirs is not found", async () => {
  const [user, other] = [await stack.user(), await stack.user()];
  await credit(user, "6", "mine");
  const { id } = await notice(user.token, /\$6\.00/);
  const answer = await stack.call("PUT", `/api/v1/notifications/${id}/read`, { token: other.token });
  expect(codeOf(answer)).toBe("404 NOTIFICATION_NOT_FOUND");
});
