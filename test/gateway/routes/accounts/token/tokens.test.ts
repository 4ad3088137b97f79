import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { QUOTAS } from "../../../../../schemas/accounts/quota.ts";
import { PERMISSION_NAMES } from "../../../../../schemas/permissions.ts";
import { type SharedStack, sharedStack, type TestUser } from "../../../../harness/shared-stack.ts";
import { until } from "../../../../harness/until.ts";
import { apiToken, basic, codeOf } from "./credentials.ts";

let stack: SharedStack;
let user: TestUser;
beforeAll(async () => {
  stack = await sharedStack();
  user = await stack.user({ balance: "10" });
});
afterAll(() => stack.stop());

const create = (body: object, headers = {}) =>
  stack.call("POST", "/api/v1/auth/tokens", { token: user.token, body, headers });
const me = (token: string) => stack.call("GET", "/api/v1/auth/me", { token });
const FORBIDDEN = "403 INSUFFICIENT_PERMISSIONS";

describe("a new token", () => {
  test("is shown once, is kept as a hash alone, and stands for its user", async () => {
    const { status, body } = await create({ name: "ci", permissions: ["resources.read_account"] });
    expect(status).toBe(201);
    const { token, ...record } = body.data;
    expect(token).toMatch(/^berth_[0-9a-f]{24}_[A-Za-z0-9_-]{43}$/);
    expect(record).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      name: "ci",
      permissions: ["resources.read_account"],
      realm_id: null,
      expires_at: null,
      created_at: expect.any(String),
    });
    expect((await me(token)).body.data.id).toBe(user.id);
    const list = await stack.call("GET", "/api/v1/auth/tokens", { token: user.token });
    expect(list.body.data.tokens).toContainEqual(record);
    const [row] = await stack.db`SELECT * FROM api_tokens WHERE id = ${record.id}`;
    expect(row?.hash).toBe(createHash("sha256").update(token).digest("hex"));
    const [event] = await stack.db`SELECT * FROM events WHERE resource_id = ${record.id}`;
    expect(event).toMatchObject({ event_type: "auth_token.created", user_id: user.id });
    for (const kept of [row, event, ...(await stack.db`SELECT * FROM receipts`)]) {
      expect(JSON.stringify(kept, (_key, value) => (typeof value === "bigint" ? 0 : value))).not.toContain(
        token.slice(-43),
      );
    }
  });

  test("that is asked for again under its key is the same one, and is not shown again", async () => {
    const key = { "idempotency-key": crypto.randomUUID() };
    const body = { name: "again", permissions: ["wallet.read"] };
    const first = await create(body, key);
    const second = await create(body, key);
    expect(second.body.data).toEqual({ ...first.body.data, token: null });
    expect((await create({ ...body, name: "other" }, key)).body.code).toBe("IDEMPOTENCY_KEY_REUSED");
    const read = await stack.call("GET", "/api/v1/wallet/balances", { token: first.body.data.token });
    expect(read.status).toBe(200);
  });

  test.each([
    ["body.name", { name: " ", permissions: [] }],
    ["body.permissions.0", { name: "x", permissions: ["everything"] }],
    ["body.permissions", { name: "x", permissions: ["wallet.read", "wallet.read"] }],
    ["body.expires_at", { name: "x", permissions: [], expires_at: "2020-01-01T00:00:00Z" }],
    ["body.expires_at", { name: "x", permissions: [], expires_at: "tomorrow" }],
    ["body.realm_id", { name: "x", permissions: [], realm_id: "x" }],
    ["body.role", { name: "x", permissions: [], role: "admin" }],
  ])("with a bad %s is refused", async (field, body) => {
    const { status, body: answer } = await create(body);
    expect([status, answer.data?.field]).toEqual([400, field]);
  });

  test("for a project that is another's is refused as for none", async () => {
    const stranger = await stack.user();
    const project = await stack.call("POST", "/api/v1/projects", {
      token: stranger.token,
      body: { name: "theirs" },
    });
    for (const realm_id of [project.body.data.id, "0".repeat(24)]) {
      expect(codeOf(await create({ name: "x", permissions: [], realm_id }))).toBe("404 PROJECT_NOT_FOUND");
    }
  });

  test("is refused past the bound, however many are asked for at once", async () => {
    const many = await stack.user();
    const limit = QUOTAS.api_tokens_per_user.standard;
    const answers = await Promise.all(
      Array.from({ length: limit + 5 }, () =>
        stack.call("POST", "/api/v1/auth/tokens", {
          token: many.token,
          body: { name: "x", permissions: [] },
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(limit);
    expect(answers.filter(({ body }) => body.code === "QUOTA_EXCEEDED")).toHaveLength(5);
  });
});

describe("a token", () => {
  const routes = [
    ["GET", "/api/v1/projects", "resources.read"],
    ["POST", "/api/v1/projects", "resources.write"],
    ["GET", "/api/v1/events", "resources.read_account"],
    ["GET", "/api/v1/wallet/balances", "wallet.read"],
    ["POST", "/api/v1/wallet/transfers", "wallet.spend"],
  ] as const;

  test.each(routes)(
    "may %s %s with its permission, and not with all others",
    async (method, path, needed) => {
      const body =
        method === "GET" ? {} : { body: path.includes("wallet") ? { amount: "1" } : { name: "by-a-token" } };
      const others = await apiToken(
        stack,
        user,
        PERMISSION_NAMES.filter((name) => name !== needed),
      );
      const refused = await stack.call(method, path, { token: others.token, ...body });
      expect([codeOf(refused), refused.body.data]).toEqual([FORBIDDEN, { permission: needed }]);
      const one = await apiToken(stack, user, [needed]);
      expect((await stack.call(method, path, { token: one.token, ...body })).status).toBeLessThan(300);
    },
  );

  test("may not manage tokens, sign out, or administer, whatever its permissions and its user's role", async () => {
    const admin = await stack.user({ role: "admin" });
    const { id, token } = await apiToken(stack, admin, PERMISSION_NAMES);
    for (const [method, path, body] of [
      ["GET", "/api/v1/auth/tokens"],
      ["POST", "/api/v1/auth/tokens", { name: "x", permissions: [] }],
      ["DELETE", `/api/v1/auth/tokens/${id}`],
      ["POST", "/api/v1/auth/realm", { realm_id: id }],
      ["POST", "/api/v1/auth/impersonate", { user_id: user.id, reason: "x" }],
      ["POST", "/api/v1/auth/logout"],
      ["GET", "/api/v1/admin/cluster"],
    ] as const) {
      expect(codeOf(await stack.call(method, path, { token, body }))).toBe(FORBIDDEN);
    }
    expect((await stack.call("GET", "/api/v1/admin/cluster", { token: admin.token })).status).toBe(200);
  });

  test("is refused from its deletion on; another's is not there to delete", async () => {
    const { id, token } = await apiToken(stack, user, ["resources.read_account"]);
    expect((await me(token)).status).toBe(200);
    const remove = (by: string) => stack.call("DELETE", `/api/v1/auth/tokens/${id}`, { token: by });
    expect(codeOf(await remove((await stack.user()).token))).toBe("404 TOKEN_NOT_FOUND");
    expect((await me(token)).status).toBe(200);
    expect(codeOf(await remove(user.token))).toBe(200);
    expect(codeOf(await me(token))).toBe("401 INVALID_TOKEN");
    expect(codeOf(await remove(user.token))).toBe("404 TOKEN_NOT_FOUND");
    const [event] = await stack.db`
      SELECT * FROM events WHERE resource_id = ${id} AND event_type = 'auth_token.revoked'`;
    expect(event?.user_id).toBe(user.id);
  });

  test("is refused from the moment at which it expires, and the log says so", async () => {
    const expires_at = new Date(Date.now() + 1_500).toISOString();
    const { id, token } = await apiToken(stack, user, ["resources.read_account"], { expires_at });
    await until(async () => codeOf(await me(token)) === "401 INVALID_TOKEN");
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expires_at));
    const events = await until(async () => {
      const rows =
        await stack.db`SELECT event_type FROM events WHERE resource_id = ${id} ORDER BY created_at`;
      return rows.length === 2 && rows;
    });
    expect(events.map((row) => row.event_type)).toEqual(["auth_token.created", "auth_token.expired"]);
    const list = await stack.call("GET", "/api/v1/auth/tokens", { token: user.token });
    expect(list.body.data.tokens.map((one: { id: string }) => one.id)).not.toContain(id);
  });

  test("outlives the session that made it", async () => {
    const other = await stack.user();
    const { token } = await apiToken(stack, other, ["resources.read_account"]);
    await stack.call("POST", "/api/v1/auth/logout", { token: other.token });
    expect((await me(other.token)).status).toBe(401);
    expect((await me(token)).status).toBe(200);
  });
});

describe("HTTP Basic", () => {
  const asBasic = (name: string, password: string, path = "/api/v1/auth/me") =>
    stack.call("GET", path, { headers: basic(name, password) });

  test("takes the user name, in any case of letters, with an API token", async () => {
    const { token } = await apiToken(stack, user, ["resources.read_account"]);
    expect((await asBasic(user.username, token)).body.data.id).toBe(user.id);
    expect((await asBasic(user.username.toUpperCase(), token)).status).toBe(200);
    expect(codeOf(await asBasic(user.username, token, "/api/v1/wallet/balances"))).toBe(FORBIDDEN);
  });

  test("takes neither the password of the account, nor another's name, nor an access token", async () => {
    const { token } = await apiToken(stack, user, ["resources.read_account"]);
    const stranger = await stack.user();
    for (const [name, password] of [
      [user.username, user.password],
      [stranger.username, token],
      ["", token],
      [user.username, user.token],
      [user.username, `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`],
      [user.username, `berth_${"0".repeat(24)}_${token.slice(-43)}`],
    ] as const) {
      expect(codeOf(await asBasic(name, password))).toBe("401 INVALID_TOKEN");
    }
  });

  test.each(["Basic x", "Basic !!!", `Basic ${btoa("nocolon")}`, "Basic a b", `Basic ${"A".repeat(5_000)}`])(
    "that is malformed is INVALID_TOKEN: %s",
    async (authorization) => {
      const answer = await stack.call("GET", "/api/v1/auth/me", { headers: { authorization } });
      expect(codeOf(answer)).toBe("401 INVALID_TOKEN");
    },
  );
});

test("whoever guesses tokens is turned away for a while, and those who hold one already are not", async () => {
  // Last in this file: it uses up what this address may get wrong.
  const { token } = await apiToken(stack, user, ["resources.read_account"]);
  expect((await me(token)).status).toBe(200);
  const guess = () => me(`berth_${"1".repeat(24)}_${"A".repeat(43)}`);
  const limited = await until(async () => {
    const answer = await guess();
    return answer.status === 429 && answer;
  });
  expect(limited.body.code).toBe("RATE_LIMITED");
  expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await me(token)).status).toBe(200);
  expect((await me(user.token)).status).toBe(200);
});
