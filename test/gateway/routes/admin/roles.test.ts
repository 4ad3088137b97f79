import { afterAll, beforeAll, expect, test } from "bun:test";
import { setRole } from "../../../../scripts/administrators.ts";
import {
  type Answer,
  type EmbeddedStack,
  startEmbeddedStack,
  type TestUser,
} from "../../../harness/embedded-stack.ts";
import { setUpTotp, codeOf as totpOf } from "../accounts/account/second-factor.ts";
import { codeOf } from "../accounts/token/credentials.ts";

/** Administrators are made and unmade. A stack of its own: the last administrator of an installation is looked for. */

let stack: EmbeddedStack;
let admin: TestUser;
beforeAll(async () => {
  stack = await startEmbeddedStack({ actorHosts: 2 });
  admin = await stack.user({ role: "admin" });
});
afterAll(() => stack.stop());

const ask = (by: TestUser, id: string, body: object, token = by.token): Promise<Answer> =>
  stack.call("PATCH", `/api/v1/admin/users/${id}`, {
    token,
    body: { reason: "test", current_password: by.password, ...body },
  });
/** Signs in as a program does. */
async function signedIn({ username, password }: TestUser): Promise<string> {
  const { body } = await stack.call("POST", "/api/v1/auth/login", { body: { username, password } });
  return body.data.access_token;
}
const mayOperate = async (token: string) =>
  (await stack.call("GET", "/api/v1/admin/users", { token })).status;
const command = async (role: "admin" | "user", who: string) => {
  const lines: string[] = [];
  const env = {
    DATABASE_URL: stack.databaseUrls.gateway,
    NATS_URL: stack.natsUrl,
    BERTH_DATA: "/nonexistent",
  };
  await setRole(env, (line) => lines.push(line), { who, role, reason: "by a command" });
  return lines.join();
};
const audited = async (userId: string) =>
  (await stack.call("GET", `/api/v1/admin/audit?user_id=${userId}&act=role_changed`, { token: admin.token }))
    .body.data.entries;

test("an administrator makes another one with the own password; both logs name who, whom and why", async () => {
  const user = await stack.user();
  expect(await mayOperate(await signedIn(user))).toBe(403);
  expect(codeOf(await ask(admin, user.id, { role: "admin", current_password: "wrong" }))).toBe(
    "403 WRONG_PASSWORD",
  );
  const { status, body } = await ask(admin, user.id, { role: "admin" });
  expect([status, body.data.role]).toEqual([200, "admin"]);
  const token = await signedIn(user);
  expect(await mayOperate(token)).toBe(200);
  expect(await audited(user.id)).toMatchObject([
    { by_id: admin.id, data: { from: "user", to: "admin", reason: "test" } },
  ]);
  const own = await stack.call("GET", "/api/v1/auth/audit?act=role_changed", { token });
  expect(own.body.data.entries).toMatchObject([{ by: admin.username }]);
});

test("an administrator with a second factor needs it to make another one, and each code once", async () => {
  const other = await stack.user({ role: "admin" });
  const [user, next] = [await stack.user(), await stack.user()];
  const { secret, codes } = await setUpTotp(stack, other);
  expect(codeOf(await ask(other, user.id, { role: "admin" }))).toBe("403 SECOND_FACTOR_WRONG");
  const code = totpOf(secret, 1);
  expect((await ask(other, user.id, { role: "admin", code })).body.data.role).toBe("admin");
  expect(codeOf(await ask(other, next.id, { role: "admin", code }))).toBe("403 SECOND_FACTOR_WRONG");
  expect((await ask(other, next.id, { role: "admin", code: codes[0] })).body.data.role).toBe("admin");
});

test("an administrator demotes nobody else, and gives up the own role: all sessions end", async () => {
  const other = await stack.user({ role: "admin" });
  expect(codeOf(await ask(admin, other.id, { role: "user" }))).toBe("403 INSUFFICIENT_PERMISSIONS");
  const token = await signedIn(other);
  expect((await ask(other, other.id, { role: "user" }, token)).body.data.role).toBe("user");
  expect(await mayOperate(token)).toBe(401);
  expect(await mayOperate(await signedIn(other))).toBe(403);
});

test("a user makes nobody an administrator, and a suspended account becomes none", async () => {
  const [user, suspended] = [await stack.user(), await stack.user()];
  expect(codeOf(await ask(user, user.id, { role: "admin" }))).toBe("403 INSUFFICIENT_PERMISSIONS");
  await stack.call("POST", `/api/v1/admin/users/${suspended.id}/suspend`, {
    token: admin.token,
    body: { reason: "test" },
  });
  expect(codeOf(await ask(admin, suspended.id, { role: "admin" }))).toBe("403 ACCOUNT_SUSPENDED");
  expect(codeOf(await ask(admin, "0".repeat(24), { role: "admin" }))).toBe("404 USER_NOT_FOUND");
});

test("the command makes an administrator by address or name beside running hosts, and takes the role away at once", async () => {
  const user = await stack.user();
  const { body } = await stack.call("GET", `/api/v1/admin/users/${user.id}`, { token: admin.token });
  expect(await command("admin", body.data.email)).toBe(
    `${user.username} is an administrator from the next sign-in on`,
  );
  expect(await command("admin", user.username)).toBe(`${user.username} is an administrator already`);
  const token = await signedIn(user);
  expect(await mayOperate(token)).toBe(200);
  expect(await command("user", user.username)).toContain("signed out everywhere");
  expect(await mayOperate(token)).toBe(401);
  expect(await mayOperate(await signedIn(user))).toBe(403);
  const [demoted, promoted] = await audited(user.id);
  expect(promoted).toMatchObject({ by_id: null, by: null, data: { reason: "by a command" } });
  expect(promoted.address).toEqual(expect.any(String));
  expect(demoted.data).toMatchObject({ from: "admin", to: "user" });
  expect(command("admin", "nobody@example.invalid")).rejects.toThrow("no account has the name or address");
});

test("of two last administrators who leave at the same moment one stays", async () => {
  const [one, two] = [await stack.user({ role: "admin" }), await stack.user({ role: "admin" })];
  const others = await stack.db<{ username: string }[]>`
    SELECT username FROM accounts WHERE role = 'admin' AND deletion IS NULL AND id NOT IN (${one.id}, ${two.id})`;
  for (const { username } of others) await command("user", username);
  const left = await Promise.allSettled([command("user", one.username), command("user", two.username)]);
  expect(left.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const refused = left.find((result) => result.status === "rejected");
  expect(String(refused?.reason)).toContain("last administrator");
  const [{ count } = { count: 0 }] = await stack.db<{ count: number }[]>`
    SELECT count(*)::int AS count FROM accounts WHERE role = 'admin' AND deletion IS NULL`;
  expect(count).toBe(1);
});
