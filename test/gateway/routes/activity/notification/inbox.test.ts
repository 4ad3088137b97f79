import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newId } from "../../../../../actors/platform/ids.ts";
import type { InboxEntry } from "../../../../../schemas/activity/notification.ts";
import { type EmbeddedStack, startEmbeddedStack, type TestUser } from "../../../../harness/embedded-stack.ts";
import { apiToken, basic, codeOf, impersonate, realmToken } from "../../accounts/token/credentials.ts";

let stack: EmbeddedStack;
let admin: TestUser;
beforeAll(async () => {
  stack = await startEmbeddedStack();
  admin = await stack.user({ role: "admin" });
});
afterAll(() => stack.stop());

const FORBIDDEN = "403 INSUFFICIENT_PERMISSIONS";
const post = (body: object, headers = {}) =>
  stack.call("POST", "/api/v1/admin/notifications", { token: admin.token, body, headers });
const tell = async (userId: string | undefined, title: string, fields: object = {}): Promise<string> =>
  (await post({ title, body: "text", ...(userId === undefined ? {} : { user_id: userId }), ...fields })).body
    .data.id;
const list = (token: string, query = "") => stack.call("GET", `/api/v1/notifications/${query}`, { token });
const own = async (token: string, query = "?limit=100"): Promise<InboxEntry[]> =>
  (await list(token, query)).body.data.notifications;
const titles = async (token: string, query?: string) => (await own(token, query)).map(({ title }) => title);
const summary = async (token: string) =>
  (await stack.call("GET", "/api/v1/notifications/summary", { token })).body.data;
const read = (token: string, id: string) => stack.call("PUT", `/api/v1/notifications/${id}/read`, { token });
const readAll = (token: string, headers = {}) =>
  stack.call("PUT", "/api/v1/notifications/read-all", { token, headers });

describe("an operator's notice", () => {
  test("to one user is theirs alone; to everybody is everybody's", async () => {
    const [user, other] = [await stack.user(), await stack.user()];
    const { status, body } = await post({
      title: "for you",
      body: "hello",
      level: "warning",
      user_id: user.id,
    });
    expect(status).toBe(201);
    expect(body.data.id).toMatch(/^[0-9a-f]{24}$/);
    expect(body.data).toMatchObject({
      title: "for you",
      body: "hello",
      level: "warning",
      user_id: user.id,
      public: false,
      event_id: null,
    });
    const all = await tell(undefined, "for all");
    expect((await titles(user.token)).slice(0, 2)).toEqual(["for all", "for you"]);
    expect(await titles(other.token)).not.toContain("for you");
    const [seen] = await own(other.token);
    expect(seen).toMatchObject({ id: all, user_id: null, level: "info", read: false });
    const [event] = await stack.db`SELECT * FROM events WHERE resource_id = ${body.data.id}`;
    expect(event).toMatchObject({ event_type: "notification.created", user_id: user.id });
  });

  test.each([
    ["body.title", { body: "x" }],
    ["body.title", { title: " ", body: "x" }],
    ["body.body", { title: "x" }],
    ["body.level", { title: "x", body: "x", level: "loud" }],
    ["body.user_id", { title: "x", body: "x", user_id: "everybody" }],
    ["body.public", { title: "x", body: "x", user_id: "0".repeat(24), public: true }],
    ["body.html", { title: "x", body: "x", html: "<b>" }],
  ])("with a bad %s is refused", async (field, body) => {
    const answer = await post(body);
    expect([answer.status, answer.body.data?.field]).toEqual([400, field]);
  });

  test("is for operators to give, to users that there are", async () => {
    const user = await stack.user();
    const asUser = await stack.call("POST", "/api/v1/admin/notifications", {
      token: user.token,
      body: { title: "x", body: "x" },
    });
    expect(codeOf(asUser)).toBe(FORBIDDEN);
    expect(codeOf(await post({ title: "x", body: "x", user_id: "0".repeat(24) }))).toBe("404 USER_NOT_FOUND");
  });

  test("comes once under its key, whoever else it is then asked for", async () => {
    const [user, other] = [await stack.user(), await stack.user()];
    const key = { "idempotency-key": crypto.randomUUID() };
    const notice = { title: "once", body: "x", user_id: user.id };
    const answers = await Promise.all([1, 2, 3].map(() => post(notice, key)));
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    expect(codeOf(await post({ ...notice, user_id: other.id }, key))).toBe("409 IDEMPOTENCY_KEY_REUSED");
    expect(codeOf(await post({ ...notice, title: "twice" }, key))).toBe("409 IDEMPOTENCY_KEY_REUSED");
    expect((await titles(user.token)).filter((title) => title === "once")).toHaveLength(1);
    expect(await titles(other.token)).not.toContain("once");
    await tell(other.id, "the inbox goes on");
    expect(await titles(other.token)).toContain("the inbox goes on");
  });
});

describe("a notice that is deleted", () => {
  const remove = (token: string, id: string) =>
    stack.call("DELETE", `/api/v1/notifications/${id}`, { token });
  const takeBack = (token: string, id: string) =>
    stack.call("DELETE", `/api/v1/admin/notifications/${id}`, { token });

  test("by its user is gone with its text, read or not; one to everybody is gone for this user alone", async () => {
    const [user, other] = [await stack.user(), await stack.user()];
    const [own_, seen] = [await tell(user.id, "mine"), await tell(user.id, "seen")];
    const all = await tell(undefined, "everybody's");
    await read(user.token, seen);
    const before = (await summary(user.token)).unread_count;
    for (const id of [own_, seen, all]) expect((await remove(user.token, id)).status).toBe(200);
    const left = await titles(user.token);
    for (const title of ["mine", "seen", "everybody's"]) expect(left).not.toContain(title);
    expect((await summary(user.token)).unread_count).toBe(before - 2);
    expect(await titles(other.token)).toContain("everybody's");
    expect(await stack.db`SELECT 1 FROM notifications WHERE id = ANY (${[own_, seen]})`).toHaveLength(0);
    for (const act of [remove, read])
      expect(codeOf(await act(user.token, all))).toBe("404 NOTIFICATION_NOT_FOUND");
    const events = await stack.db`
      SELECT resource_id FROM events WHERE user_id = ${user.id} AND event_type = 'notification.deleted' ORDER BY id`;
    expect(events.map(({ resource_id }) => resource_id)).toEqual([own_, seen, all]);
  });

  test("at once by two requests is deleted once, and the inbox goes on", async () => {
    const user = await stack.user();
    const id = await tell(user.id, "contested");
    const answers = await Promise.all([1, 2, 3, 4].map(() => remove(user.token, id)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404]);
    await tell(user.id, "after");
    expect(await titles(user.token)).toContain("after");
  });

  test("by an operator is gone for everybody who had it, and only operators may", async () => {
    const [user, other] = [await stack.user(), await stack.user()];
    const all = await tell(undefined, "taken back");
    await read(user.token, all);
    expect(codeOf(await takeBack(user.token, all))).toBe(FORBIDDEN);
    const foreign = await tell(other.id, "other's");
    expect(codeOf(await remove(user.token, foreign))).toBe("404 NOTIFICATION_NOT_FOUND");
    expect((await takeBack(admin.token, all)).status).toBe(200);
    for (const { token } of [user, other]) expect(await titles(token)).not.toContain("taken back");
    expect(codeOf(await takeBack(admin.token, all))).toBe("404 NOTIFICATION_NOT_FOUND");
    const [event] = await stack.db`
      SELECT user_id, data FROM events WHERE resource_id = ${all} AND event_type = 'notification.deleted'`;
    expect(event).toEqual({ user_id: null, data: { by: admin.id } });
  });
});

test("what is public is seen without a token, and nothing else is", async () => {
  await tell(undefined, "open to all", { public: true });
  await tell(undefined, "for members");
  const { status, body } = await stack.call("GET", "/api/v1/notifications/public");
  expect(status).toBe(200);
  const shown = body.data.notifications.map(({ title }: { title: string }) => title);
  expect(shown).toContain("open to all");
  expect(shown).not.toContain("for members");
  expect(body.data.count).toBe(shown.length);
  expect(Object.keys(body.data.notifications[0]).toSorted()).toEqual([
    "body",
    "created_at",
    "id",
    "level",
    "title",
  ]);
});

describe("the list", () => {
  let user: TestUser;
  /** Newest first, as the database has them. */
  let ids: string[];
  beforeAll(async () => {
    user = await stack.user();
    for (let i = 0; i < 12; i++) await tell(user.id, `own ${i}`);
    ids = (await own(user.token)).map(({ id }) => id);
  });

  test("is in pages that put together are all of it", async () => {
    const pages: string[] = [];
    for (let page = 1; page <= 20; page++) {
      const { body } = await list(user.token, `?limit=5&page=${page}`);
      expect(body.data.pagination).toEqual({
        total: ids.length,
        page,
        limit: 5,
        totalPages: Math.ceil(ids.length / 5),
        next_cursor: page < Math.ceil(ids.length / 5) ? expect.stringMatching(/Z,[0-9a-f]{24}$/) : null,
      });
      pages.push(...body.data.notifications.map(({ id }: InboxEntry) => id));
      if (body.data.pagination.next_cursor === null) break;
    }
    expect(pages).toEqual(ids);
  });

  test("goes on from a cursor without a gap or a repeat while notices are added, whatever page is asked for", async () => {
    const expected = (await own(user.token)).map(({ id }) => id);
    const seen: string[] = [];
    let before = "";
    for (let round = 0; round < 30; round++) {
      const { body } = await list(user.token, `?limit=4${before === "" ? "" : `&page=7&before=${before}`}`);
      seen.push(...body.data.notifications.map(({ id }: InboxEntry) => id));
      before = body.data.pagination.next_cursor;
      if (before === null) break;
      await tell(user.id, `in between ${round}`);
    }
    expect(seen).toEqual(expected);
  });

  test("orders notices of one millisecond, and a cursor goes between them", async () => {
    const same = await stack.user();
    await tell(same.id, "first");
    const at = new Date(Date.now() + 60_000);
    for (let i = 0; i < 7; i++) {
      await stack.db`
        INSERT INTO notifications (id, inbox_id, title, body, level, public, created_at)
        VALUES (${newId()}, ${same.id}, ${`same ${i}`}, 'x', 'info', false, ${at})`;
    }
    const expected = (await own(same.token)).map(({ id }) => id);
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const { body } = await list(same.token, `?limit=2${cursor === "" ? "" : `&before=${cursor}`}`);
      seen.push(...body.data.notifications.map(({ id }: InboxEntry) => id));
      cursor = body.data.pagination.next_cursor;
    }
    expect(seen).toEqual(expected);
  });

  test("keeps the read or the unread, and counts what it keeps", async () => {
    const reader = await stack.user();
    const made = [];
    for (let i = 0; i < 5; i++) made.push(await tell(reader.id, `n${i}`));
    await readAll(reader.token);
    made.push(await tell(reader.id, "n5"), await tell(reader.id, "n6"), await tell(reader.id, "n7"));
    await read(reader.token, made[6] ?? "");
    const unread = await list(reader.token, "?unread_only=true");
    expect(unread.body.data.notifications.map(({ title }: InboxEntry) => title)).toEqual(["n7", "n5"]);
    expect(unread.body.data.pagination.total).toBe(2);
    const kept = await list(reader.token, "?read_only=true&limit=2");
    expect(kept.body.data.notifications.map(({ title }: InboxEntry) => title)).toEqual(["n6", "n4"]);
    const all = await list(reader.token);
    expect(kept.body.data.pagination.total).toBe(all.body.data.pagination.total - 2);
    const neither = await list(reader.token, "?unread_only=false&read_only=false");
    expect(neither.body.data.pagination.total).toBe(all.body.data.pagination.total);
  });

  test.each([
    ["read_only", "unread_only=true&read_only=true"],
    ["limit", "limit=0"],
    ["limit", "limit=x"],
    ["page", "page=0"],
    ["page", "page=1000000"],
    ["unread_only", "unread_only=yes"],
    ["before", "before=x"],
    ["before", "before=2026-01-31T09:30:00.000Z"],
    ["before", "before=2026-02-31T09:30:00.000Z,0123456789abcdef01234567"],
    ["after", "after=1"],
  ])("names %s in ?%s", async (field, query) => {
    const { status, body } = await list(user.token, `?${query}`);
    expect([status, body.code, body.data]).toEqual([400, "VALIDATION_ERROR", { field: `query.${field}` }]);
  });

  test("brings a limit that is too large down to 100", async () => {
    const { body } = await list(user.token, "?limit=5000");
    expect(body.data.pagination.limit).toBe(100);
  });
});

describe("reading", () => {
  test("one notice marks it for its reader alone, and again changes nothing", async () => {
    const [user, other] = [await stack.user(), await stack.user()];
    const id = await tell(undefined, "to both");
    const before = (await summary(user.token)).unread_count;
    for (let i = 0; i < 3; i++) expect(codeOf(await read(user.token, id))).toBe(200);
    const entryOf = async (token: string) => (await own(token)).find((entry) => entry.id === id);
    expect((await entryOf(user.token))?.read).toBe(true);
    expect((await entryOf(other.token))?.read).toBe(false);
    expect((await summary(user.token)).unread_count).toBe(before - 1);
    const events = await stack.db`SELECT * FROM events WHERE resource_id = ${id} AND user_id = ${user.id}`;
    expect(events.map(({ event_type }) => event_type)).toEqual(["notification.read"]);
  });

  test("the same notice many times at once marks it once", async () => {
    const user = await stack.user();
    const id = await tell(user.id, "wanted");
    const answers = await Promise.all(Array.from({ length: 10 }, () => read(user.token, id)));
    expect(answers.map(codeOf)).toEqual(Array(10).fill(200));
    expect((await own(user.token, "?read_only=true")).map((entry) => entry.id)).toEqual([id]);
  });

  test("another's notice, or none, is not found", async () => {
    const [user, other] = [await stack.user(), await stack.user()];
    const id = await tell(other.id, "theirs");
    for (const missing of [id, "0".repeat(24)]) {
      expect(codeOf(await read(user.token, missing))).toBe("404 NOTIFICATION_NOT_FOUND");
    }
    expect((await read(user.token, "x")).status).toBe(404);
    expect((await own(other.token, "?unread_only=true")).map((entry) => entry.id)).toContain(id);
  });

  test("all leaves what comes later unread, even under the key of before", async () => {
    const user = await stack.user();
    await tell(user.id, "early");
    await tell(undefined, "early, to all");
    const key = { "idempotency-key": crypto.randomUUID() };
    expect((await readAll(user.token, key)).body.data.unread_count).toBe(0);
    expect((await summary(user.token)).unread_count).toBe(0);
    await tell(user.id, "late");
    await tell(undefined, "late, to all");
    expect(await titles(user.token, "?unread_only=true")).toEqual(["late, to all", "late"]);
    expect((await readAll(user.token, key)).status).toBe(200);
    expect((await summary(user.token)).unread_count).toBe(2);
  });

  test("all, while notices come from everywhere, marks none that was given after it", async () => {
    const user = await stack.user();
    const posting = Promise.all(
      Array.from({ length: 20 }, (_, i) => tell(i % 2 ? user.id : undefined, `p${i}`)),
    );
    await Promise.all([readAll(user.token), readAll(user.token), posting]);
    const last = await tell(user.id, "the last");
    expect((await own(user.token, "?unread_only=true")).map((entry) => entry.id)).toContain(last);
    await readAll(user.token);
    expect((await summary(user.token)).unread_count).toBe(0);
  });
});

test("the summary says how many, where the newest is and when to ask again, and no text", async () => {
  const user = await stack.user();
  const id = await tell(user.id, "secret title", { body: "secret body" });
  const answer = await stack.call("GET", "/api/v1/notifications/summary", { token: user.token });
  const [newest] = await own(user.token);
  expect(answer.body.data).toEqual({
    unread_count: (await own(user.token, "?unread_only=true&limit=100")).length,
    newest_position: `${newest?.created_at},${id}`,
    poll_interval_seconds: expect.any(Number),
  });
  expect(answer.body.data.poll_interval_seconds).toBeGreaterThan(0);
  expect(JSON.stringify(answer.body)).not.toContain("secret");
});

describe("credentials", () => {
  const paths = ["/api/v1/notifications/", "/api/v1/notifications/summary"];

  test("an API token needs resources.read_account to see, by either header", async () => {
    const user = await stack.user();
    const without = await apiToken(stack, user, ["resources.read", "wallet.read", "resources.write_account"]);
    const having = await apiToken(stack, user, ["resources.read_account"]);
    for (const path of paths) {
      expect(codeOf(await stack.call("GET", path, { token: without.token }))).toBe(FORBIDDEN);
      expect(codeOf(await stack.call("GET", path, { token: having.token }))).toBe(200);
      expect(codeOf(await stack.call("GET", path, { headers: basic(user.username, without.token) }))).toBe(
        FORBIDDEN,
      );
      expect(codeOf(await stack.call("GET", path, { headers: basic(user.username, having.token) }))).toBe(
        200,
      );
      expect(codeOf(await stack.call("GET", path))).toBe("401 MISSING_TOKEN");
    }
  });

  test("only an account login marks as read", async () => {
    const user = await stack.user();
    const id = await tell(user.id, "to be read");
    const made = await stack.call("POST", "/api/v1/projects", { token: user.token, body: { name: "realm" } });
    const { token } = await apiToken(stack, user, ["resources.read_account", "resources.write_account"]);
    const refused = [
      { token },
      { headers: basic(user.username, token) },
      { token: await impersonate(stack, admin, user.id) },
      { token: await realmToken(stack, user, made.body.data.id) },
    ];
    for (const credential of refused) {
      for (const path of [`/api/v1/notifications/${id}/read`, "/api/v1/notifications/read-all"]) {
        expect(codeOf(await stack.call("PUT", path, credential))).toBe(FORBIDDEN);
      }
    }
    expect((await own(user.token, "?unread_only=true")).map((entry) => entry.id)).toContain(id);
    expect(codeOf(await read(user.token, id))).toBe(200);
  });
});
