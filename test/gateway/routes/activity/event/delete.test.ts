import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ALL_LOGS } from "../../../../../actors/activity/event/queries.ts";
import { eventLogReconcilers } from "../../../../../actors/activity/event/reconcile.ts";
import { startOfRetention } from "../../../../../actors/platform/retention-settings.ts";
import type { EventRecord } from "../../../../../schemas/events.ts";
import { type EmbeddedStack, startEmbeddedStack, type TestUser } from "../../../../harness/embedded-stack.ts";
import { until } from "../../../../harness/until.ts";
import { apiToken, codeOf } from "../../accounts/token/credentials.ts";
import { tenant } from "../../hosting/container/hosting.ts";

let stack: EmbeddedStack;
beforeAll(async () => {
  stack = await startEmbeddedStack();
});
afterAll(() => stack.stop());

const DAY_MS = 24 * 60 * 60 * 1000;
const eventsOf = async (token: string, query = ""): Promise<EventRecord[]> =>
  (await stack.call("GET", `/api/v1/events?limit=500${query}`, { token })).body.data.events;
const typesOf = async (token: string) => (await eventsOf(token)).map(({ event_type }) => event_type);
const remove = (token: string, body?: object) =>
  stack.call("DELETE", "/api/v1/events", { token, ...(body === undefined ? {} : { body }) });
/** Rows themselves, whatever reads leave out. */
const rowsOf = async (user: TestUser) =>
  (await stack.db`SELECT count(*)::int AS n FROM events WHERE user_id = ${user.id}`)[0]?.n;

/** Six events of two types on two projects. */
async function withProjects() {
  const user = await stack.user();
  const make = async (name: string) =>
    (await stack.call("POST", "/api/v1/projects", { token: user.token, body: { name } })).body.data.id;
  const projects = [await make("one"), await make("two")];
  await stack.call("DELETE", `/api/v1/projects/${projects[1]}`, { token: user.token });
  return { user, projects };
}

describe("deleting events", () => {
  test.each([[undefined], [{}], [{ all: false }]])("without a filter is refused: %j", async (body) => {
    const user = await stack.user();
    const answer = await remove(user.token, body);
    expect([codeOf(answer), answer.body.data]).toEqual(["400 VALIDATION_ERROR", { field: "body" }]);
    expect((await eventsOf(user.token)).length).toBe(2);
  });

  test.each([
    ["event_type", "container.exploded"],
    ["resource_type", "wallet"],
    ["resource_id", "x"],
    ["realm_id", "x"],
    ["before_date", "yesterday"],
    ["all", "true"],
    ["user_id", "0".repeat(24)],
  ])("by a bad %s is refused", async (field, value) => {
    const user = await stack.user();
    const { status, body } = await remove(user.token, { [field]: value });
    expect([status, body.data]).toEqual([400, { field: `body.${field}` }]);
  });

  test.each([
    ["event_type", () => ({ event_type: "project.created" }), ["project.deleted"]],
    ["resource_type", () => ({ resource_type: "project" }), []],
    ["resource_id", (project: string) => ({ resource_id: project }), ["project.created"]],
    ["realm_id", (project: string) => ({ realm_id: project }), ["project.created"]],
    [
      "two filters",
      (project: string) => ({ resource_id: project, event_type: "project.created", all: true }),
      ["project.deleted", "project.created"],
    ],
  ])("by %s takes what meets it at once and for good, and leaves the rest", async (_name, filter, left) => {
    const { user, projects } = await withProjects();
    const { status, body } = await remove(user.token, filter(projects[1]));
    expect([status, body.data.deleted_count]).toEqual([200, 3 - left.length]);
    const expected = [...left, "user.logged_in", "user.signed_up"] as never[];
    expect(await typesOf(user.token)).toEqual(expected);
    await until(async () => (await rowsOf(user)) === expected.length);
    expect(await typesOf(user.token)).toEqual(expected);
  });

  test("before a date leaves what came then or later", async () => {
    const user = await stack.user();
    const [newest] = await eventsOf(user.token);
    const { body } = await remove(user.token, { before_date: newest?.created_at });
    expect(body.data.deleted_count).toBe(1);
    expect(await typesOf(user.token)).toEqual(["user.logged_in"]);
  });

  test("of everything leaves what happens later, and everybody else's", async () => {
    const [user, other] = [await stack.user(), await stack.user()];
    expect((await remove(user.token, { all: true })).body.data.deleted_count).toBe(2);
    expect(await eventsOf(user.token)).toEqual([]);
    await stack.call("POST", "/api/v1/projects", { token: user.token, body: { name: "later" } });
    expect(await typesOf(user.token)).toEqual(["project.created"]);
    await until(async () => (await rowsOf(user)) === 1);
    expect(await typesOf(user.token)).toEqual(["project.created"]);
    expect(await eventsOf(other.token)).toHaveLength(2);
  });

  test("with another tenant's things as the filter deletes nothing", async () => {
    const { user, projects } = await withProjects();
    const stranger = await stack.user();
    for (const filter of [
      { realm_id: projects[0] },
      { resource_id: projects[0] },
      { resource_id: user.id },
    ]) {
      expect((await remove(stranger.token, filter)).body.data.deleted_count).toBe(0);
    }
    expect(await eventsOf(user.token)).toHaveLength(5);
  });

  test("takes effect for statistics and totals as for the list", async () => {
    const { user } = await withProjects();
    await remove(user.token, { event_type: "project.created" });
    const { body } = await stack.call("GET", "/api/v1/events/stats", { token: user.token });
    expect(body.data).toMatchObject({ total: 3, by_resource_type: { project: 1, user: 2 } });
    const list = await stack.call("GET", "/api/v1/events?limit=1", { token: user.token });
    expect(list.body.data.pagination.total).toBe(3);
  });

  test("by a realm's credential stays inside of the realm", async () => {
    const ours = await tenant(stack, `node-${crypto.randomUUID().slice(0, 8)}`);
    const { token } = await apiToken(stack, ours.user, ["resources.write_account"], {
      realm_id: ours.projectId,
    });
    const before = await eventsOf(ours.token);
    const inside = before.filter((event) => event.realm_id === ours.projectId).length;
    expect((await remove(token, { realm_id: "0".repeat(24) })).body.data.deleted_count).toBe(0);
    expect((await remove(token, { all: true })).body.data.deleted_count).toBe(inside);
    const after = await eventsOf(ours.token);
    expect(after.filter((event) => event.realm_id === ours.projectId)).toEqual([]);
    expect(after.length).toBe(before.length - inside);
  });
});

describe("deleting one event", () => {
  test("deletes it for good; whoever asks again finds none, in parallel too", async () => {
    const user = await stack.user();
    const [event] = await eventsOf(user.token);
    const path = `/api/v1/events/${event?.id}`;
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => stack.call("DELETE", path, { token: user.token })),
    );
    expect(answers.map(codeOf).filter((code) => code === 200)).toHaveLength(1);
    expect(answers.map(codeOf).filter((code) => code === "404 EVENT_NOT_FOUND")).toHaveLength(3);
    expect(codeOf(await stack.call("GET", path, { token: user.token }))).toBe("404 EVENT_NOT_FOUND");
    await until(async () => (await rowsOf(user)) === 1);
    expect(codeOf(await stack.call("DELETE", path, { token: user.token }))).toBe("404 EVENT_NOT_FOUND");
  });

  test("of another tenant answers as none, and leaves it", async () => {
    const [user, other] = [await stack.user(), await stack.user()];
    const [event] = await eventsOf(user.token);
    const answer = await stack.call("DELETE", `/api/v1/events/${event?.id}`, { token: other.token });
    expect(codeOf(answer)).toBe("404 EVENT_NOT_FOUND");
    expect(await eventsOf(user.token)).toHaveLength(2);
  });
});

describe("cleanup", () => {
  const cleanup = (token: string, body: object) =>
    stack.call("POST", "/api/v1/events/cleanup", { token, body });

  test("is for administrators, for 1 to 365 days", async () => {
    const admin = await stack.user({ role: "admin" });
    const user = await stack.user();
    expect(codeOf(await cleanup(user.token, { retention_days: 30 }))).toBe("403 INSUFFICIENT_PERMISSIONS");
    for (const retention_days of [0, 366, -1, 1.5, "30", null]) {
      const { status, body } = await cleanup(admin.token, { retention_days });
      expect([status, body.data.field]).toEqual([400, "body.retention_days"]);
    }
    expect((await cleanup(admin.token, {})).status).toBe(400);
    expect((await cleanup(admin.token, { retention_days: 365 })).status).toBe(200);
  });

  test("deletes everybody's events that are older at once, and none that are younger", async () => {
    const admin = await stack.user({ role: "admin" });
    const users = [await stack.user(), await stack.user()];
    // Nobody can make old events by the API: these are what a month ago was.
    await stack.db`UPDATE event_counts_until SET day = day - interval '60 days'`;
    for (const [i, { id }] of users.entries()) {
      await stack.db`
        UPDATE events SET created_at = now() - interval '40 days' - ${i} * interval '1 minute'
        WHERE user_id = ${id} AND event_type = 'user.signed_up'`;
      await stack.db`
        UPDATE events SET created_at = now() - interval '29 days'
        WHERE user_id = ${id} AND event_type = 'user.logged_in'`;
    }
    const { status, body } = await cleanup(admin.token, { retention_days: 30 });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ retention_days: 30, deleted_count: 2 });
    expect(Math.abs(Date.parse(body.data.kept_since) - (Date.now() - 30 * DAY_MS))).toBeLessThan(60_000);
    for (const { token } of users) expect(await typesOf(token)).toEqual(["user.logged_in"]);
    // A longer retention brings nothing back.
    expect((await cleanup(admin.token, { retention_days: 365 })).body.data.kept_since).toBe(
      body.data.kept_since,
    );
    for (const { token } of users) expect(await typesOf(token)).toEqual(["user.logged_in"]);
    const [row] = await stack.db`SELECT kept_since FROM event_logs WHERE id = ${ALL_LOGS}`;
    expect(row?.kept_since.toISOString()).toBe(body.data.kept_since);
  });
});

describe("the operator's BERTH_KEEP_EVENTS_DAYS", () => {
  test("ends everybody's older events for readers, and then deletes their rows", async () => {
    const user = await stack.user();
    const at = (type: string, days: number) => stack.db`
      UPDATE events SET created_at = now() - ${days} * interval '1 day' WHERE user_id = ${user.id} AND event_type = ${type}`;
    await at("user.signed_up", 12);
    await at("user.logged_in", 9);
    const reconcilers = eventLogReconcilers({ db: stack.db, actors: stack.actors, keepDays: 10 });
    const retention = reconcilers.find(({ name }) => name === "event-retention");
    await retention?.reconcile(new AbortController().signal);
    await until(async () => (await typesOf(user.token)).join() === "user.logged_in");
    expect(await rowsOf(user)).toBe(1);
    const [log] = await stack.db`SELECT kept_since FROM event_logs WHERE id = ${ALL_LOGS}`;
    expect(log?.kept_since).toEqual(startOfRetention(10, new Date()));
  });
});
