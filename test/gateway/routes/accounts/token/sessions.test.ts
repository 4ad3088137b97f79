import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { decodeJwt } from "jose";
import { PERMISSION_NAMES } from "../../../../../schemas/permissions.ts";
import { type SharedStack, sharedStack, type TestUser } from "../../../../harness/shared-stack.ts";
import { tenant } from "../../hosting/container/hosting.ts";
import { apiToken, codeOf, impersonate, realmToken } from "./credentials.ts";

let stack: SharedStack;
let admin: TestUser;
beforeAll(async () => {
  stack = await sharedStack();
  admin = await stack.user({ role: "admin" });
});
afterAll(() => stack.stop());

const FORBIDDEN = "403 INSUFFICIENT_PERMISSIONS";

describe("impersonation", () => {
  const start = (token: string, body: object) =>
    stack.call("POST", "/api/v1/auth/impersonate", { token, body });

  test("lets an administrator see and do what the user may, for a quarter of an hour at most", async () => {
    const user = await stack.user();
    const token = await impersonate(stack, admin, user.id);
    expect((await stack.call("GET", "/api/v1/auth/me", { token })).body.data.id).toBe(user.id);
    const made = await stack.call("POST", "/api/v1/projects", { token, body: { name: "helped" } });
    expect([made.status, made.body.data.user_id]).toEqual([201, user.id]);
    const { act, exp = 0, iat = 0, role } = decodeJwt(token);
    expect({ act, role, lifetime: exp - iat }).toEqual({
      act: { sub: admin.id },
      role: "user",
      lifetime: 900,
    });
  });

  test("stands in the user's log, with who and why", async () => {
    const user = await stack.user();
    await impersonate(stack, admin, user.id);
    const { body } = await stack.call("GET", "/api/v1/events", { token: user.token });
    expect(body.data.events[0]).toMatchObject({
      event_type: "user.logged_in",
      data: {
        impersonated_by: { admin_id: admin.id, admin: admin.username, reason: "a support case" },
      },
    });
  });

  test("spends no money, manages no tokens, administers nothing and begins no other", async () => {
    const user = await stack.user({ balance: "5" });
    const token = await impersonate(stack, admin, user.id);
    for (const [path, body] of [
      ["/api/v1/wallet/transfers", { amount: "1" }],
      ["/api/v1/auth/tokens", { name: "x", permissions: [] }],
      ["/api/v1/auth/logout", undefined],
      ["/api/v1/auth/impersonate", { user_id: user.id, reason: "x" }],
      [`/api/v1/admin/wallets/${user.id}/credit`, { amount: "1", reason: "x", idempotency_key: "x" }],
    ] as const) {
      expect(codeOf(await stack.call("POST", path, { token, body }))).toBe(FORBIDDEN);
    }
  });

  test("deletes no event: the trace of it stays in the user's log", async () => {
    const user = await stack.user();
    const token = await impersonate(stack, admin, user.id);
    const log = async () =>
      (await stack.call("GET", "/api/v1/events", { token: user.token })).body.data.events;
    const before = await log();
    const single = await stack.call("DELETE", `/api/v1/events/${before[0].id}`, { token });
    const all = await stack.call("DELETE", "/api/v1/events", { token, body: { all: true } });
    expect([codeOf(single), codeOf(all)]).toEqual([FORBIDDEN, FORBIDDEN]);
    expect(await log()).toEqual(before);
  });

  test("stands in the administrator's own log too", async () => {
    const [user, own] = [await stack.user(), await stack.user({ role: "admin" })];
    await impersonate(stack, own, user.id);
    const { body } = await stack.call("GET", "/api/v1/events", { token: own.token });
    expect(body.data.events[0]).toMatchObject({
      event_type: "user.logged_in",
      resource_id: user.id,
      user_id: own.id,
      data: { impersonates: { user_id: user.id, username: user.username, reason: "a support case" } },
    });
  });

  test("is for administrators, of users who are none", async () => {
    const user = await stack.user();
    const other = await stack.user({ role: "admin" });
    expect(codeOf(await start(user.token, { user_id: user.id, reason: "x" }))).toBe(FORBIDDEN);
    expect(codeOf(await start(admin.token, { user_id: other.id, reason: "x" }))).toBe(FORBIDDEN);
    expect(codeOf(await start(admin.token, { user_id: "0".repeat(24), reason: "x" }))).toBe(
      "404 USER_NOT_FOUND",
    );
    for (const [field, body] of [
      ["body.reason", { user_id: user.id }],
      ["body.reason", { user_id: user.id, reason: " " }],
      ["body.user_id", { user_id: "me", reason: "x" }],
    ] as const) {
      expect((await start(admin.token, body)).body.data.field).toBe(field);
    }
  });

  test("ends with the administrator's own session, and leaves the user's alone", async () => {
    const short = await stack.user({ role: "admin" });
    const user = await stack.user();
    const token = await impersonate(stack, short, user.id);
    await stack.call("POST", "/api/v1/auth/logout", { token: short.token });
    expect(codeOf(await stack.call("GET", "/api/v1/auth/me", { token }))).toBe("401 INVALID_TOKEN");
    expect((await stack.call("GET", "/api/v1/auth/me", { token: user.token })).status).toBe(200);
  });
});

describe("a realm", () => {
  let ours: Awaited<ReturnType<typeof tenant>>;
  let inside: string;
  let outside: string;
  let otherProject: string;
  let credentials: string[];
  beforeAll(async () => {
    ours = await tenant(stack, "node-realm");
    inside = await ours.container("inside");
    const other = await stack.call("POST", "/api/v1/projects", {
      token: ours.token,
      body: { name: "other" },
    });
    otherProject = other.body.data.id;
    outside = (await ours.create("outside", { project_id: otherProject })).body.data.id;
    for (const [container_id, alias] of [
      [inside, "inside-name"],
      [outside, "outside-name"],
    ]) {
      const body = { container_id, alias, program: "http", port: 8080 };
      await stack.call("POST", "/api/v1/proxy/aliases", { token: ours.token, body });
    }
    credentials = [
      await realmToken(stack, ours.user, ours.projectId),
      (await apiToken(stack, ours.user, PERMISSION_NAMES, { realm_id: ours.projectId })).token,
    ];
  });

  const idsOf = (list: { id: string }[]) => list.map(({ id }) => id);

  test("is a project: what hangs on it is within reach, and everything else is not there", async () => {
    for (const token of credentials) {
      const get = (path: string) => stack.call("GET", `/api/v1/${path}`, { token });
      expect(idsOf((await get("projects")).body.data.projects)).toEqual([ours.projectId]);
      expect(idsOf((await get("containers")).body.data.containers)).toEqual([inside]);
      expect((await get(`containers?project_id=${otherProject}`)).body.data.containers).toEqual([]);
      expect(codeOf(await get(`containers/${inside}`))).toBe(200);
      expect(codeOf(await get(`containers/${inside}/firewall/rules`))).toBe(200);
      expect(
        (await get("proxy/aliases")).body.data.aliases.map(({ alias }: { alias: string }) => alias),
      ).toEqual(["inside-name"]);
      for (const path of [`containers/${outside}`, `containers/${outside}/firewall/rules`]) {
        expect(codeOf(await get(path))).toBe("404 CONTAINER_NOT_FOUND");
      }
      expect(codeOf(await get(`projects/${otherProject}`))).toBe("404 PROJECT_NOT_FOUND");
    }
  });

  test("is not left: no changes elsewhere, no other project, no money, no account", async () => {
    for (const token of credentials) {
      const call = (method: string, path: string, body?: object) =>
        stack.call(method, `/api/v1/${path}`, { token, ...(body === undefined ? {} : { body }) });
      expect(codeOf(await call("DELETE", `containers/${outside}`))).toBe("404 CONTAINER_NOT_FOUND");
      expect(codeOf(await call("DELETE", `projects/${otherProject}`))).toBe("404 PROJECT_NOT_FOUND");
      const into = { project_id: otherProject, server_id: ours.serverId, name: "sneaked" };
      expect(codeOf(await call("POST", "containers", into))).toBe("404 PROJECT_NOT_FOUND");
      const exposed = { container_id: outside, program: "http" };
      expect(codeOf(await call("POST", "proxy/aliases", exposed))).toBe("404 CONTAINER_NOT_FOUND");
      for (const [method, path, body] of [
        ["POST", "projects", { name: "more" }],
        ["GET", "wallet/balances"],
        ["GET", "rentals"],
        ["GET", "auth/me"],
        ["GET", "auth/tokens"],
        ["POST", "auth/realm", { realm_id: otherProject }],
        ["POST", "auth/logout"],
      ] as const) {
        expect(codeOf(await call(method, path, body))).toBe(FORBIDDEN);
      }
    }
  });

  test("sees its own events and no others", async () => {
    for (const token of credentials) {
      const { body } = await stack.call("GET", "/api/v1/events", { token });
      const realms = new Set(body.data.events.map((event: { realm_id: string }) => event.realm_id));
      expect([...realms]).toEqual([ours.projectId]);
      const all = await stack.call("GET", "/api/v1/events", { token: ours.token });
      const foreign = all.body.data.events.find(
        (event: { resource_id: string }) => event.resource_id === outside,
      );
      expect(codeOf(await stack.call("GET", `/api/v1/events/${foreign.id}`, { token }))).toBe(
        "404 EVENT_NOT_FOUND",
      );
      const asked = await stack.call("GET", `/api/v1/events?realm_id=${otherProject}`, { token });
      expect(asked.body.data).toMatchObject({ events: [], pagination: { total: 0 } });
    }
  });

  test("has a session only for who owns the project, and it ends with the session that asked for it", async () => {
    const stranger = await stack.user();
    const open = (token: string, realm_id: string) =>
      stack.call("POST", "/api/v1/auth/realm", { token, body: { realm_id } });
    expect(codeOf(await open(stranger.token, ours.projectId))).toBe("404 PROJECT_NOT_FOUND");
    const own = await stack.call("POST", "/api/v1/projects", {
      token: stranger.token,
      body: { name: "own" },
    });
    const token = await realmToken(stack, stranger, own.body.data.id);
    expect((await stack.call("GET", "/api/v1/projects", { token })).status).toBe(200);
    await stack.call("POST", "/api/v1/auth/logout", { token: stranger.token });
    expect(codeOf(await stack.call("GET", "/api/v1/projects", { token }))).toBe("401 INVALID_TOKEN");
  });
});
