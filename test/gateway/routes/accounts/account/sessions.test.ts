import { afterAll, beforeAll, expect, test } from "bun:test";
import { type SharedStack, sharedStack, type TestUser } from "../../../../harness/shared-stack.ts";

let stack: SharedStack;
beforeAll(async () => {
  stack = await sharedStack();
});
afterAll(() => stack.stop());

const refresh = (refresh_token: string, headers = {}) =>
  stack.call("POST", "/api/v1/auth/refresh", { body: { refresh_token }, headers });
const logout = (token: string) => stack.call("POST", "/api/v1/auth/logout", { token });
const login = async ({ username, password }: TestUser) =>
  (await stack.call("POST", "/api/v1/auth/login", { body: { username, password } })).body.data;
/** What the API answers to an access token. */
const standing = async (token: string) => {
  const { status, body } = await stack.call("GET", "/api/v1/auth/me", { token });
  return status === 200 ? "good" : body.code;
};
/** Rows as text. */
const written = (rows: unknown) =>
  JSON.stringify(rows, (_key, value) => (typeof value === "bigint" ? String(value) : value));

test("a refresh gives new tokens for the same session and user", async () => {
  const user = await stack.user();
  const { status, body } = await refresh(user.refreshToken);
  expect(status).toBe(200);
  expect(body.data).toMatchObject({ user: { id: user.id, username: user.username }, expires_in: 900 });
  expect(body.data.refresh_token).not.toBe(user.refreshToken);
  expect(await standing(body.data.access_token)).toBe("good");
  const claims = (token: string) => JSON.parse(atob(token.split(".")[1] ?? ""));
  expect(claims(body.data.access_token).sid).toBe(claims(user.token).sid);
  expect((await refresh(body.data.refresh_token)).status).toBe(200);
});

test("a used refresh token that comes again ends its session: no token of it is good from then on", async () => {
  const user = await stack.user();
  const { access_token, refresh_token } = (await refresh(user.refreshToken)).body.data;
  const again = await refresh(user.refreshToken);
  expect({ status: again.status, code: again.body.code }).toEqual({ status: 401, code: "INVALID_TOKEN" });
  expect(await standing(user.token)).toBe("INVALID_TOKEN");
  expect(await standing(access_token)).toBe("INVALID_TOKEN");
  const newest = await refresh(refresh_token);
  expect({ status: newest.status, code: newest.body.code }).toEqual({ status: 401, code: "INVALID_TOKEN" });
  expect((await login(user)).user.id).toBe(user.id);
});

test("of many refreshes at once with one token one is answered, and the session ends", async () => {
  const user = await stack.user();
  const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(user.refreshToken)));
  const answered = answers.filter(({ status }) => status === 200);
  expect(answered).toHaveLength(1);
  expect(answers.filter(({ body }) => body.code === "INVALID_TOKEN")).toHaveLength(9);
  expect(await standing(answered[0]?.body.data.access_token)).toBe("INVALID_TOKEN");
  expect((await refresh(answered[0]?.body.data.refresh_token)).status).toBe(401);
});

test("an Idempotency-Key does not make a used refresh token good again", async () => {
  const user = await stack.user();
  const headers = { "idempotency-key": "k" };
  expect((await refresh(user.refreshToken, headers)).status).toBe(200);
  expect((await refresh(user.refreshToken, headers)).status).toBe(401);
  expect(await standing(user.token)).toBe("INVALID_TOKEN");
});

test("signing out ends the session at once, its refresh token too", async () => {
  const user = await stack.user();
  expect(await standing(user.token)).toBe("good");
  expect((await logout(user.token)).body).toEqual({ statusCode: 200, message: "Signed out" });
  expect(await standing(user.token)).toBe("INVALID_TOKEN");
  expect((await logout(user.token)).body.code).toBe("INVALID_TOKEN");
  expect((await refresh(user.refreshToken)).body.code).toBe("INVALID_TOKEN");
  const [session] = await stack.db`SELECT ended_at FROM sessions WHERE user_id = ${user.id}`;
  expect(session?.ended_at).toBeInstanceOf(Date);
});

test("two sessions of a user know nothing of each other", async () => {
  const user = await stack.user();
  const second = await login(user);
  await logout(user.token);
  expect(await standing(second.access_token)).toBe("good");
  const third = await login(user);
  const used = (await refresh(second.refresh_token)).body.data;
  await refresh(second.refresh_token);
  expect(await standing(used.access_token)).toBe("INVALID_TOKEN");
  expect(await standing(third.access_token)).toBe("good");
  expect((await refresh(third.refresh_token)).status).toBe(200);
});

test("a session that nobody refreshed for a month is over", async () => {
  const user = await stack.user();
  const [session] = await stack.db<{ left: number }[]>`
    SELECT extract(epoch FROM expires_at - now())::int AS left FROM sessions WHERE user_id = ${user.id}`;
  expect(session?.left).toBeWithin(30 * 86_400 - 60, 30 * 86_400 + 1);
});

test.each([
  ["nothing of ours", "token"],
  [
    "an unknown secret of an unknown session",
    `${"0".repeat(24)}.${"0".repeat(24)}.${"A".repeat(22)}.${"A".repeat(43)}`,
  ],
  ["wildcards", `*.>.${"A".repeat(22)}.${"A".repeat(43)}`],
  ["text of 200 characters", "a".repeat(200)],
])("a refresh token that is %s is refused", async (_what, token) => {
  const { status, body } = await refresh(token);
  expect({ status, code: body.code }).toEqual({ status: 401, code: "INVALID_TOKEN" });
});

test("a session's token is refused under another user's id", async () => {
  const user = await stack.user();
  const stranger = await stack.user();
  const [, ...rest] = user.refreshToken.split(".");
  expect((await refresh([stranger.id, ...rest].join("."))).status).toBe(401);
  expect(await standing(user.token)).toBe("good");
  expect(await standing(stranger.token)).toBe("good");
});

test("no answer holds a hash of a password or of a refresh token", async () => {
  const user = await stack.user();
  const answers = [
    await stack.call("GET", "/api/v1/auth/me", { token: user.token }),
    await stack.call("POST", "/api/v1/auth/login", {
      body: { username: user.username, password: user.password },
    }),
    await refresh(user.refreshToken),
    await refresh(user.refreshToken),
    await stack.call("POST", "/api/v1/auth/signup", {
      body: { username: user.username, email: "a@example.com", password: user.password },
    }),
    await stack.call("GET", "/api/v1/events", { token: (await login(user)).access_token }),
  ];
  const secrets = await stack.db`
    SELECT password_hash AS secret FROM accounts WHERE deletion IS NULL UNION ALL SELECT refresh_hash FROM sessions
    UNION ALL SELECT family_hash FROM sessions`;
  const told = JSON.stringify(answers.map(({ body, headers }) => [body, [...headers]]));
  expect(secrets.length).toBeGreaterThan(2);
  for (const { secret } of secrets) expect(told).not.toContain(secret);
  expect(told).not.toMatch(/argon2|password_hash|refresh_hash|family_hash/);
  const kept = written([await stack.db`SELECT * FROM events`, await stack.db`SELECT * FROM outbox`]);
  for (const { secret } of secrets) expect(kept).not.toContain(secret);
});

test("no secret is kept as it was given", async () => {
  const user = await stack.user();
  const rows = written([
    await stack.db`SELECT * FROM accounts WHERE id = ${user.id}`,
    await stack.db`SELECT * FROM sessions WHERE user_id = ${user.id}`,
    await stack.db`SELECT * FROM receipts WHERE actor_id = ${user.id}`,
  ]);
  expect(rows).toContain("$argon2id$");
  expect(rows).not.toContain(user.password);
  const [, , family, secret] = user.refreshToken.split(".");
  expect(rows).not.toContain(family);
  expect(rows).not.toContain(secret);
  expect(rows).not.toContain(user.token);
});
