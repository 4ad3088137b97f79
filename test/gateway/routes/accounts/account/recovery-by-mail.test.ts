import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type EmbeddedStack, startEmbeddedStack } from "../../../../harness/embedded-stack.ts";

import { mailServer, type ReceivedMail, type TestMailServer } from "../../../../harness/mail-server.ts";
import { until } from "../../../../harness/until.ts";
import type { TestUser } from "../../../../harness/users.ts";
import { as } from "../pool/team.ts";
import { codeOf, setUpTotp } from "./second-factor.ts";

const NEW_PASSWORD = "a new and longer one";

let mails: TestMailServer;
let stack: EmbeddedStack;
beforeAll(async () => {
  mails = await mailServer();
  stack = await startEmbeddedStack({
    env: { ...mails.env, BERTH_TRUSTED_PROXIES: "127.0.0.1,::1" },
  });
});
afterAll(async () => {
  await stack?.stop();
  await mails?.stop();
});

const mailboxOf = ({ username }: TestUser) => `${username}@example.com`;
const ask = (email: string, from = "10.1.2.3") =>
  stack.call("POST", "/api/v1/auth/recovery", { body: { email }, headers: { "x-forwarded-for": from } });
const recover = (token: string, new_password = NEW_PASSWORD) =>
  stack.call("POST", "/api/v1/auth/recover", { body: { token, new_password } });
const signIn = (user: TestUser, password: string) =>
  stack.call("POST", "/api/v1/auth/login", { body: { username: user.username, password } });
const tokenIn = ({ text }: ReceivedMail) => /\/recover\/(\S+)/.exec(text)?.[1] ?? "";
const linkOf = async (user: TestUser, count = 1) => tokenIn(await mails.mailTo(mailboxOf(user), count));
const auditOf = async (user: TestUser) => (await as(stack, user)("GET", "/auth/audit")).body.data.entries;

describe("a mailed link", () => {
  test("sets a new password once, ends all sessions, and leads to the console's address", async () => {
    const user = await stack.user();
    const { status, body } = await ask(mailboxOf(user).toUpperCase());
    expect([status, body]).toEqual([
      202,
      { statusCode: 202, message: "If an account has this address, a link is on its way" },
    ]);
    const mail = await mails.mailTo(mailboxOf(user));
    expect([mail.from, mail.to, mail.isEncrypted, mail.subject]).toEqual([
      "no-reply@berth.example",
      [mailboxOf(user)],
      true,
      "Set a new password",
    ]);
    const token = tokenIn(mail);
    for (const part of [mail.text, mail.html]) {
      expect(part).toContain(`https://berth.example/recover/${token}`);
      expect(part).toContain(user.username);
      expect(part).toContain("UTC");
    }
    expect((await recover(token)).body.data).toEqual({ ended: 1 });
    expect((await stack.call("GET", "/api/v1/auth/me", { token: user.token })).status).toBe(401);
    expect((await signIn(user, user.password)).status).toBe(401);
    expect((await signIn(user, NEW_PASSWORD)).status).toBe(200);
    expect((await recover(token)).body.code).toBe("RECOVERY_INVALID");
  });

  test("keeps the second factor, and the audit log says how it came about", async () => {
    const user = await stack.user();
    const { secret } = await setUpTotp(stack, user);
    await ask(mailboxOf(user));
    expect((await recover(await linkOf(user))).status).toBe(200);
    const refused = await signIn(user, NEW_PASSWORD);
    expect(refused.body.code).toBe("SECOND_FACTOR_REQUIRED");
    const { challenge } = refused.body.data;
    const { body } = await stack.call("POST", "/api/v1/auth/login/second-factor", {
      body: { challenge, code: codeOf(secret, 1) },
    });
    const entries = await auditOf({ ...user, token: body.data.access_token });
    expect(entries).toContainEqual(
      expect.objectContaining({
        act: "recovered",
        by_id: null,
        data: expect.objectContaining({ by_mail: true, second_factor_removed: false }),
      }),
    );
    expect(entries).toContainEqual(
      expect.objectContaining({ act: "recovery_started", by_id: null, data: { by_mail: true } }),
    );
  });

  test("is replaced by a newer one, and ends with a change of the password or the address", async () => {
    const user = await stack.user();
    await ask(mailboxOf(user));
    const first = await linkOf(user);
    await ask(mailboxOf(user));
    const second = await linkOf(user, 2);
    expect((await recover(first)).body.code).toBe("RECOVERY_INVALID");
    const email = `new-${mailboxOf(user)}`;
    await as(stack, user)("PUT", "/auth/email", { email, current_password: user.password });
    expect((await recover(second)).body.code).toBe("RECOVERY_INVALID");
    await ask(email);
    const third = tokenIn(await mails.mailTo(email));
    const change = { current_password: user.password, new_password: NEW_PASSWORD };
    await as(stack, user)("PUT", "/auth/password", change);
    expect((await recover(third)).body.code).toBe("RECOVERY_INVALID");
  });

  test("leaves the link of an administrator good", async () => {
    const [user, operator] = [await stack.user(), await stack.user({ role: "admin" })];
    const started = await as(stack, operator)("POST", `/admin/users/${user.id}/recovery`, {
      reason: "phoned",
    });
    await ask(mailboxOf(user));
    await linkOf(user);
    expect((await recover(started.body.data.token)).status).toBe(200);
  });

  test("is good for an hour", async () => {
    const user = await stack.user();
    await ask(mailboxOf(user));
    const token = await linkOf(user);
    const [row] = await stack.db`SELECT mail_recovery FROM accounts WHERE id = ${user.id}`;
    const lifeMs = Date.parse(row?.mail_recovery.expires_at) - Date.now();
    expect(lifeMs).toBeGreaterThan(55 * 60_000);
    expect(lifeMs).toBeLessThanOrEqual(60 * 60_000);
    const past = { ...row?.mail_recovery, expires_at: "2020-01-01T00:00:00.000Z" };
    await stack.db`UPDATE accounts SET mail_recovery = ${stack.db.json(past)} WHERE id = ${user.id}`;
    expect((await recover(token)).body.code).toBe("RECOVERY_INVALID");
  });

  test("is in no table and in no log", async () => {
    const user = await stack.user();
    await ask(mailboxOf(user));
    const secret = (await linkOf(user)).split(".")[1] ?? "";
    await until(
      async () =>
        (
          await stack.db`SELECT FROM mails WHERE user_id = ${user.id} AND kind = 'recovery' AND status = 'sent'`
        ).length === 1,
    );
    for (const table of ["mails", "outbox", "receipts", "accounts", "audit_entries", "recovery_requests"]) {
      const rows = await stack.db`SELECT t::text AS row FROM ${stack.db(table)} t`;
      expect(rows.filter(({ row }) => row.includes(secret))).toEqual([]);
    }
    for (const log of ["gateway.log", "actors-1.log"])
      expect(readFileSync(join(stack.logs, log), "utf8")).not.toContain(secret);
  });
});

describe("whoever asks", () => {
  test("learns nothing of whether an account has the address, and no mail goes where none has", async () => {
    const user = await stack.user();
    const nobody = `nobody-${crypto.randomUUID()}@example.com`;
    const [one, other] = [await ask(mailboxOf(user)), await ask(nobody)];
    expect([other.status, other.body]).toEqual([one.status, one.body]);
    await linkOf(user);
    expect(mails.asked(nobody)).toBe(0);
    for (let i = 0; i < 2; i++) await Promise.all([ask(mailboxOf(user)), ask(nobody)]);
    const refused = [await ask(mailboxOf(user)), await ask(nobody)];
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual([
      [429, "RATE_LIMITED"],
      [429, "RATE_LIMITED"],
    ]);
  });

  test("is limited by address at the network as well, and cannot fill a mailbox from many of them", async () => {
    const user = await stack.user();
    for (let i = 0; i < 6; i++) await ask(mailboxOf(user), `10.9.9.${i}`);
    await linkOf(user, 3);
    const sent = await stack.db`SELECT FROM mails WHERE user_id = ${user.id} AND kind = 'recovery'`;
    expect(sent).toHaveLength(3);
    for (let i = 0; i < 30; i++) await ask(`nobody-${i}@example.com`, "10.8.8.8");
    expect((await ask("nobody-30@example.com", "10.8.8.8")).status).toBe(429);
  });

  test("for a suspended account gets nothing", async () => {
    const [user, operator] = [await stack.user(), await stack.user({ role: "admin" })];
    await as(stack, operator)("POST", `/admin/users/${user.id}/suspend`, { reason: "test" });
    const other = await stack.user();
    expect((await ask(mailboxOf(user))).status).toBe(202);
    await ask(mailboxOf(other));
    await linkOf(other);
    expect(await stack.db`SELECT FROM mails WHERE user_id = ${user.id} AND kind = 'recovery'`).toHaveLength(
      0,
    );
  });

  test("as an administrator gets a link with a second factor alone", async () => {
    const operator = await stack.user({ role: "admin" });
    await ask(mailboxOf(operator));
    const refused = await mails.mailTo(mailboxOf(operator));
    expect([refused.subject, tokenIn(refused)]).toEqual(["Your password cannot be set by mail", ""]);
    await setUpTotp(stack, operator);
    await ask(mailboxOf(operator));
    expect((await recover(await linkOf(operator, 2))).status).toBe(200);
  });
});

describe("the pages", () => {
  const post = (path: string, form: Record<string, string>) =>
    fetch(`${stack.url}${path}`, { method: "POST", body: new URLSearchParams(form) });

  test("ask for the address, and set the password", async () => {
    const user = await stack.user();
    expect(await (await fetch(`${stack.url}/recover`)).text()).toContain("Forgot your password?");
    const wrong = await post("/recover", { email: "nonsense" });
    expect([wrong.status, await wrong.text()]).toEqual([
      400,
      expect.stringContaining("Give an e-mail address"),
    ]);
    const asked = await post("/recover", { email: ` ${mailboxOf(user)} ` });
    expect([asked.status, await asked.text()]).toEqual([200, expect.stringContaining("Look at your mail")]);
    const path = `/recover/${await linkOf(user)}`;
    expect(await (await fetch(`${stack.url}${path}`)).text()).toContain("a second factor stays");
    expect(await (await post(path, { new_password: "short" })).text()).toContain("10 to 256 characters");
    expect(await (await post(path, { new_password: NEW_PASSWORD })).text()).toContain("Your password is set");
    expect((await signIn(user, NEW_PASSWORD)).status).toBe(200);
    const used = await fetch(`${stack.url}${path}`);
    expect([used.status, await used.text()]).toEqual([400, expect.stringContaining('href="/recover"')]);
  });

  test("say when too many links were asked for", async () => {
    const user = await stack.user();
    for (let i = 0; i < 3; i++) await post("/recover", { email: mailboxOf(user) });
    const { status, headers } = await post("/recover", { email: mailboxOf(user) });
    expect([status, headers.get("content-type")]).toEqual([429, expect.stringContaining("text/html")]);
  });
});
