import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type SharedStack, sharedStack, type TestUser } from "../../../../harness/shared-stack.ts";
import { until } from "../../../../harness/until.ts";
import { as } from "../pool/team.ts";

const NEW_PASSWORD = "a new and longer one";

let stack: SharedStack;
let operator: TestUser;
beforeAll(async () => {
  stack = await sharedStack();
  operator = await stack.user({ role: "admin" });
});
afterAll(() => stack.stop());

const signIn = (body: object) => stack.call("POST", "/api/v1/auth/login", { body });
const isGood = async (token: string) =>
  (await stack.call("GET", "/api/v1/auth/me", { token })).status === 200;
const changePassword = (user: TestUser, current_password = user.password, new_password = NEW_PASSWORD) =>
  as(stack, user)("PUT", "/auth/password", { current_password, new_password });
const auditOf = async (user: TestUser) => (await as(stack, user)("GET", "/auth/audit")).body.data.entries;

describe("a change of password", () => {
  test("takes the present one, ends all other sessions and keeps the one that asks", async () => {
    const user = await stack.user();
    const other = (await signIn({ username: user.username, password: user.password })).body.data;
    const { status, body } = await changePassword(user);
    expect([status, body.data]).toEqual([200, { ended: 1 }]);
    expect([await isGood(user.token), await isGood(other.access_token)]).toEqual([true, false]);
    expect((await signIn({ username: user.username, password: user.password })).status).toBe(401);
    expect((await signIn({ username: user.username, password: NEW_PASSWORD })).status).toBe(200);
  });

  test("with a wrong present one is refused, ends nothing, and is limited like a sign-in", async () => {
    const user = await stack.user();
    const { status, body } = await changePassword(user, "not the password");
    expect([status, body.code]).toEqual([403, "WRONG_PASSWORD"]);
    expect(await isGood(user.token)).toBe(true);
    for (let tries = 0; tries < 9; tries++) await changePassword(user, "not the password");
    expect((await changePassword(user)).status).toBe(429);
  });

  test("made twice at once succeeds once", async () => {
    const user = await stack.user();
    const answers = await Promise.all(
      ["first of two new ones", "second of two new ones"].map((one) =>
        changePassword(user, user.password, one),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403]);
  });

  test("is for account logins alone, and to a password that is long enough", async () => {
    const user = await stack.user();
    const acting = { user_id: user.id, reason: "test" };
    const { body } = await as(stack, operator)("POST", "/auth/impersonate", acting);
    const refused = await stack.call("PUT", "/api/v1/auth/password", {
      token: body.data.access_token,
      body: { current_password: user.password, new_password: NEW_PASSWORD },
    });
    expect([refused.status, refused.body.code]).toEqual([403, "INSUFFICIENT_PERMISSIONS"]);
    const short = await changePassword(user, user.password, "short");
    expect(short.body.data.field).toBe("body.new_password");
  });
});

test("a new e-mail address signs in, the former one does not, and one that is taken is refused", async () => {
  const [user, other] = [await stack.user(), await stack.user()];
  const change = (email: string, current_password = user.password) =>
    as(stack, user)("PUT", "/auth/email", { email, current_password });
  expect((await change("x@example.com", "not the password")).body.code).toBe("WRONG_PASSWORD");
  expect((await change(`${other.username}@EXAMPLE.com`)).body.code).toBe("EMAIL_TAKEN");
  const email = `new-${user.username}@example.com`;
  expect((await change(email)).status).toBe(200);
  expect((await as(stack, user)("GET", "/auth/me")).body.data.email).toBe(email);
  expect((await signIn({ email, password: user.password })).status).toBe(200);
  expect((await signIn({ email: `${user.username}@example.com`, password: user.password })).status).toBe(401);
});

describe("a recovery link", () => {
  const start = (userId: string, who = operator) =>
    as(stack, who)("POST", `/admin/users/${userId}/recovery`, { reason: "phoned us" });
  const recover = (token: string, new_password = NEW_PASSWORD) =>
    stack.call("POST", "/api/v1/auth/recover", { body: { token, new_password } });

  test("sets a new password once, and ends all sessions", async () => {
    const user = await stack.user();
    const { status, body } = await start(user.id);
    expect([status, Date.parse(body.data.expires_at) > Date.now()]).toEqual([201, true]);
    const recovered = await recover(body.data.token);
    expect([recovered.status, recovered.body.data]).toEqual([200, { ended: 1 }]);
    expect(await isGood(user.token)).toBe(false);
    expect((await signIn({ username: user.username, password: NEW_PASSWORD })).status).toBe(200);
    expect((await recover(body.data.token)).body.code).toBe("RECOVERY_INVALID");
  });

  test("has a page, which sets the password by a form and says so when the link is used up", async () => {
    const user = await stack.user();
    const { pathname } = new URL((await start(user.id)).body.data.url);
    const page = `${stack.url}${pathname}`;
    expect(await (await fetch(page)).text()).toContain("New password");
    const post = async (new_password: string) =>
      (await fetch(page, { method: "POST", body: new URLSearchParams({ new_password }) })).text();
    expect(await post("short")).toContain("10 to 256 characters");
    expect(await post(NEW_PASSWORD)).toContain("Your password is set");
    expect((await signIn({ username: user.username, password: NEW_PASSWORD })).status).toBe(200);
    const used = await fetch(page);
    expect([used.status, await used.text()]).toEqual([400, expect.stringContaining("not valid")]);
  });

  test("is replaced by a newer one, ends with a change of password, and expires", async () => {
    const user = await stack.user();
    const [first, second] = [(await start(user.id)).body.data.token, (await start(user.id)).body.data.token];
    expect((await recover(first)).body.code).toBe("RECOVERY_INVALID");
    expect((await changePassword(user)).status).toBe(200);
    expect((await recover(second)).body.code).toBe("RECOVERY_INVALID");
    const third = (await start(user.id)).body.data.token;
    // The notice of the new password is a send, and the commit of its reply writes the whole row again.
    await until(async () => (await stack.db`SELECT FROM tasks WHERE actor_id = ${user.id}`).length === 0);
    const past = { expires_at: "2020-01-01T00:00:00.000Z" };
    await stack.db`UPDATE accounts SET recovery = recovery || ${stack.db.json(past)} WHERE id = ${user.id}`;
    expect((await recover(third)).body.code).toBe("RECOVERY_INVALID");
  });

  test("is made by administrators alone, for users that there are and who are none themselves", async () => {
    const user = await stack.user();
    expect((await start(user.id, user)).status).toBe(403);
    expect((await start("0".repeat(24))).body.code).toBe("USER_NOT_FOUND");
    expect((await start(operator.id)).body.code).toBe("INSUFFICIENT_PERMISSIONS");
    expect((await recover(`${user.id}.${"x".repeat(43)}`)).body.code).toBe("RECOVERY_INVALID");
  });
});

describe("the audit log", () => {
  test("says what was done with an account, and by whom, also after its events were deleted", async () => {
    const user = await stack.user();
    const call = as(stack, user);
    await signIn({ username: user.username, password: user.password });
    await changePassword(user);
    const token = (await call("POST", "/auth/tokens", { name: "ci", permissions: ["resources.read"] })).body
      .data;
    await call("DELETE", `/auth/tokens/${token.id}`);
    await as(stack, operator)("POST", "/auth/impersonate", { user_id: user.id, reason: "asked for help" });
    await call("DELETE", "/events", { all: true });
    const entries = await auditOf(user);
    expect(entries.map(({ act, by }: { act: string; by: string }) => [act, by])).toEqual([
      ["impersonated", operator.username],
      ["token_ended", user.username],
      ["token_created", user.username],
      ["password_changed", user.username],
      ["session_ended", user.username],
      ["signed_in", user.username],
      ["signed_in", user.username],
      ["signed_up", user.username],
    ]);
    expect(entries[0].data).toEqual({ reason: "asked for help" });
    expect(entries[5].data).toMatchObject({ address: expect.any(String), program: expect.any(String) });
    const filtered = await call("GET", "/auth/audit?act=token_created");
    expect(filtered.body.data.entries).toHaveLength(1);
  });

  test("has a wrong password as somebody's, and is each user's own", async () => {
    const [user, other] = [await stack.user(), await stack.user()];
    await signIn({ username: user.username, password: "wrong password" });
    const failed = async () =>
      (await auditOf(user)).find(({ act }: { act: string }) => act === "sign_in_failed");
    await until(async () => (await failed()) !== undefined);
    expect(await failed()).toMatchObject({ by_id: null, by: null, data: { address: expect.any(String) } });
    expect((await auditOf(other)).map(({ act }: { act: string }) => act)).toEqual(["signed_in", "signed_up"]);
  });
});
