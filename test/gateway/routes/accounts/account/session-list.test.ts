import { afterAll, beforeAll, expect, test } from "bun:test";
import { decodeJwt } from "jose";
import { type SharedStack, sharedStack, type TestUser } from "../../../../harness/shared-stack.ts";

const PATH = "/api/v1/auth/sessions";

let stack: SharedStack;
beforeAll(async () => {
  stack = await sharedStack();
});
afterAll(() => stack.stop());

async function signIn({ username, password }: TestUser, userAgent = "test"): Promise<string> {
  const { body } = await stack.call("POST", "/api/v1/auth/login", {
    body: { username, password },
    headers: { "user-agent": userAgent },
  });
  return body.data.access_token;
}
const sessionOf = (token: string) => String(decodeJwt(token).sid);
const isGood = async (token: string) =>
  (await stack.call("GET", "/api/v1/auth/me", { token })).status === 200;

test("a user's sessions are listed with where they were begun, page by page, and nobody else's", async () => {
  const user = await stack.user();
  const other = await stack.user();
  const token = await signIn(user, "browser 1.0");
  const { status, body } = await stack.call("GET", PATH, { token });
  expect(status).toBe(200);
  expect(body.data.pagination).toEqual({ total: 2, page: 1, limit: 50, totalPages: 1, next_cursor: null });
  expect(body.data.sessions[0]).toEqual({
    id: sessionOf(token),
    created_at: expect.any(String),
    last_used_at: expect.any(String),
    expires_at: expect.any(String),
    address: stack.address,
    user_agent: "browser 1.0",
    program: "browser",
    current: true,
  });
  expect(body.data.sessions[1]).toMatchObject({ id: sessionOf(user.token), current: false });
  const second = await stack.call("GET", `${PATH}?limit=1&page=2`, { token });
  expect(second.body.data.sessions.map(({ id }: { id: string }) => id)).toEqual([sessionOf(user.token)]);
  expect(second.headers.get("link")).toContain('rel="prev"');
  const theirs = await stack.call("GET", PATH, { token: other.token });
  expect(theirs.body.data.pagination.total).toBe(1);
});

test("one session is ended from another, at once", async () => {
  const user = await stack.user();
  const token = await signIn(user);
  const ended = await stack.call("DELETE", `${PATH}/${sessionOf(user.token)}`, { token });
  expect([ended.status, await isGood(user.token), await isGood(token)]).toEqual([200, false, true]);
  const refreshed = await stack.call("POST", "/api/v1/auth/refresh", {
    body: { refresh_token: user.refreshToken },
  });
  expect(refreshed.status).toBe(401);
  const again = await stack.call("DELETE", `${PATH}/${sessionOf(user.token)}`, { token });
  expect([again.status, again.body.code]).toEqual([404, "SESSION_NOT_FOUND"]);
});

test("another user's session answers as one that is not there, and goes on", async () => {
  const [user, other] = [await stack.user(), await stack.user()];
  const answer = await stack.call("DELETE", `${PATH}/${sessionOf(other.token)}`, { token: user.token });
  expect([answer.status, answer.body.code, await isGood(other.token)]).toEqual([
    404,
    "SESSION_NOT_FOUND",
    true,
  ]);
});

test("all sessions are ended, and the one that asks is kept if it says so", async () => {
  const user = await stack.user();
  const [second, third] = [await signIn(user), await signIn(user)];
  const kept = await stack.call("DELETE", `${PATH}?keep_current=true`, { token: third });
  expect([kept.status, kept.body.data]).toEqual([200, { ended: 2 }]);
  expect(await Promise.all([user.token, second, third].map(isGood))).toEqual([false, false, true]);
  const all = await stack.call("DELETE", PATH, { token: third });
  expect([all.body.data, await isGood(third)]).toEqual([{ ended: 1 }, false]);
  const { body } = await stack.call("GET", "/api/v1/events?event_type=user.session_revoked", {
    token: await signIn(user),
  });
  expect(body.data.events.map((event: { data: { session_id: string } }) => event.data.session_id)).toEqual(
    expect.arrayContaining([user.token, second, third].map(sessionOf)),
  );
});

test("sessions are for account logins: an API token neither sees nor ends them", async () => {
  const user = await stack.user();
  const made = await stack.call("POST", "/api/v1/auth/tokens", {
    token: user.token,
    body: { name: "all", permissions: ["resources.read_account", "resources.write_account"] },
  });
  const { token } = made.body.data;
  for (const [method, path] of [
    ["GET", PATH],
    ["DELETE", PATH],
    ["DELETE", `${PATH}/${sessionOf(user.token)}`],
  ] as const) {
    expect((await stack.call(method, path, { token })).status).toBe(403);
  }
  expect(await isGood(user.token)).toBe(true);
});
