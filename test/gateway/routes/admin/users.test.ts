import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { pino } from "pino";
import { suspendedContainersReconciler } from "../../../../actors/hosting/container/suspended.ts";
import { type SharedStack, sharedStack, type TestUser } from "../../../harness/shared-stack.ts";
import { until } from "../../../harness/until.ts";
import { setUpTotp } from "../accounts/account/second-factor.ts";
import { as } from "../accounts/pool/team.ts";
import { tenant } from "../hosting/container/hosting.ts";

let stack: SharedStack;
let operator: TestUser;
beforeAll(async () => {
  stack = await sharedStack();
  operator = await stack.user({ role: "admin" });
});
afterAll(() => stack.stop());

const read = async (id: string) => (await as(stack, operator)("GET", `/admin/users/${id}`)).body.data;
const suspend = (id: string, reason = "unpaid") =>
  as(stack, operator)("POST", `/admin/users/${id}/suspend`, { reason });
const restore = (id: string) => as(stack, operator)("POST", `/admin/users/${id}/restore`, { reason: "paid" });
const signIn = ({ username, password }: TestUser) =>
  stack.call("POST", "/api/v1/auth/login", { body: { username, password } });
const isGood = async (token: string) =>
  (await stack.call("GET", "/api/v1/auth/me", { token })).status === 200;

test("an administrator finds a user by a part of the name, of the address, or by the id", async () => {
  const user = await stack.user({ balance: "12.50" });
  const find = async (search: string, status = "") =>
    (await as(stack, operator)("GET", `/admin/users?search=${encodeURIComponent(search)}${status}`)).body
      .data;
  for (const search of [user.username.toUpperCase().slice(2), `${user.username}@example.com`, user.id]) {
    const { users, total } = await find(search);
    expect([total, users.map(({ id }: { id: string }) => id)]).toEqual([1, [user.id]]);
  }
  expect((await find(`%${user.username}`)).total).toBe(0);
  expect((await find(user.id, "&status=suspended")).total).toBe(0);
  expect(await read(user.id)).toMatchObject({
    username: user.username,
    status: "active",
    email_verified: false,
    second_factor: false,
    suspension: null,
    general_balance: "12.50",
    sessions: 1,
    api_tokens: 0,
    rentals: [],
    containers: [],
    last_signed_in_at: expect.stringMatching(/Z$/),
  });
  const missing = await as(stack, operator)("GET", `/admin/users/${"0".repeat(24)}`);
  expect([missing.status, missing.body.code]).toEqual([404, "USER_NOT_FOUND"]);
});

test("an administrator sees whether the address is verified and the sign-in takes a second factor", async () => {
  const user = await stack.user();
  await setUpTotp(stack, user);
  // An account that is still recording its sign-in writes its whole row once more.
  const seen = await until(async () => {
    await stack.db`UPDATE accounts SET email_verified_at = now() WHERE id = ${user.id}`;
    const one = await read(user.id);
    return one.email_verified && one;
  });
  expect(seen).toMatchObject({ email_verified: true, second_factor: true });
});

test("an administrator reads the PDF of a user's invoice, and none of another user", async () => {
  const [user, other] = [await stack.user({ balance: "5.00" }), await stack.user()];
  const { data } = (await as(stack, user)("GET", "/wallet/transactions")).body;
  const made = await as(stack, user)("POST", `/wallet/invoices/generate/${data[0].id}`);
  const { invoice_id } = made.body.data;
  const pdfOf = (userId: string, token: string) =>
    fetch(`${stack.url}/api/v1/admin/users/${userId}/invoices/${invoice_id}/pdf`, {
      headers: { authorization: `Bearer ${token}` },
    });
  const pdf = await pdfOf(user.id, operator.token);
  expect([pdf.status, pdf.headers.get("content-type")]).toEqual([200, "application/pdf"]);
  expect(await pdf.text()).toStartWith("%PDF-");
  expect((await pdfOf(other.id, operator.token)).status).toBe(404);
  expect((await pdfOf(user.id, user.token)).status).toBe(403);
});

describe("a suspended user", () => {
  test("loses all sessions and tokens at once, and cannot sign in until the account is restored", async () => {
    const user = await stack.user();
    const made = await as(stack, user)("POST", "/auth/tokens", {
      name: "ci",
      permissions: ["resources.read_account"],
    });
    const apiToken = made.body.data.token;
    expect([await isGood(user.token), await isGood(apiToken)]).toEqual([true, true]);

    const { status, body } = await suspend(user.id);
    expect([status, body.data.status, body.data.sessions]).toEqual([200, "suspended", 0]);
    expect(body.data.suspension).toMatchObject({ reason: "unpaid", by_id: operator.id });
    expect([await isGood(user.token), await isGood(apiToken)]).toEqual([false, false]);
    const refreshed = await stack.call("POST", "/api/v1/auth/refresh", {
      body: { refresh_token: user.refreshToken },
    });
    expect(refreshed.status).toBe(401);
    const refused = await signIn(user);
    expect([refused.status, refused.body.code]).toEqual([403, "ACCOUNT_SUSPENDED"]);
    expect((await signIn({ ...user, password: "not the password" })).body.code).toBe("INVALID_CREDENTIALS");

    expect((await restore(user.id)).body.data).toMatchObject({ status: "active", suspension: null });
    expect((await signIn(user)).status).toBe(200);
    // The tokens have ended for good, and the audit log says by whom.
    await until(async () => (await read(user.id)).api_tokens === 0);
    expect(await isGood(apiToken)).toBe(false);
    const ended = await stack.db`
      SELECT by_id FROM audit_entries WHERE user_id = ${user.id} AND act IN ('token_ended', 'session_ended')`;
    expect(ended.map(({ by_id }) => by_id)).toEqual([operator.id, operator.id]);
  });

  test("is suspended once and restored once, and an administrator never", async () => {
    const user = await stack.user();
    const answers = await Promise.all([suspend(user.id), suspend(user.id)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    await restore(user.id);
    expect((await restore(user.id)).body.code).toBe("ACCOUNT_STATE_CONFLICT");
    const other = await stack.user({ role: "admin" });
    expect((await suspend(other.id)).body.code).toBe("INSUFFICIENT_PERMISSIONS");
    expect(await isGood(other.token)).toBe(true);
    expect((await suspend(user.id, " ")).body.data.field).toBe("body.reason");
    expect((await suspend("0".repeat(24))).body.code).toBe("USER_NOT_FOUND");
  });

  test("has containers that run on, or that are stopped where the operator set so", async () => {
    const { user, container, call } = await tenant(stack, "suspended");
    const id = await container("app");
    const stateOf = async () =>
      (await stack.db`SELECT desired_state FROM containers WHERE id = ${id}`)[0]?.desired_state;
    expect((await call("GET", `/${id}`)).status).toBe(200);
    const reconciler = suspendedContainersReconciler({
      db: stack.db,
      actors: stack.actors,
      log: pino({ level: "silent" }),
      owns: () => true,
    });
    await reconciler.reconcile(new AbortController().signal);
    expect(await stateOf()).toBe("running");
    const acting = await as(stack, operator)("POST", "/auth/impersonate", {
      user_id: user.id,
      reason: "help",
    });
    expect(acting.status).toBe(201);
    // A member of the user's pool can reach the container, but it is not the member's.
    const member = await stack.user();
    const [pool] = await stack.db`SELECT id FROM pools WHERE owner_id = ${user.id} AND is_default`;
    await stack.db`UPDATE rentals SET pool_id = ${pool?.id} WHERE user_id = ${user.id}`;
    await stack.db`INSERT INTO pool_members (pool_id, user_id, role, joined_at)
      VALUES (${pool?.id}, ${member.id}, 'user', now())`;
    expect((await stack.call("GET", `/api/v1/containers/${id}`, { token: member.token })).status).toBe(200);
    expect((await read(member.id)).containers).toEqual([]);
    await suspend(user.id);
    const refused = await as(stack, operator)("POST", "/auth/impersonate", {
      user_id: user.id,
      reason: "help",
    });
    expect([refused.status, refused.body.code]).toEqual([403, "ACCOUNT_SUSPENDED"]);
    expect((await read(user.id)).containers).toMatchObject([{ id, name: "app" }]);
    expect(await stateOf()).toBe("running");
    await reconciler.reconcile(new AbortController().signal);
    expect(await stateOf()).toBe("stopped");
  });
});
