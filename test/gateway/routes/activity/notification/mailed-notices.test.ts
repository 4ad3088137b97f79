import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newId } from "../../../../../actors/platform/ids.ts";
import { type EmbeddedStack, startEmbeddedStack } from "../../../../harness/embedded-stack.ts";
import { mailServer, type ReceivedMail, type TestMailServer } from "../../../../harness/mail-server.ts";
import { until } from "../../../../harness/until.ts";
import type { TestUser } from "../../../../harness/users.ts";
import { as } from "../../accounts/pool/team.ts";

const RESOURCE_ID = "0123456789abcdef01234567";
const VERIFY = "Verify your e-mail address";
let mails: TestMailServer;
let stack: EmbeddedStack;
beforeAll(async () => {
  mails = await mailServer();
  stack = await startEmbeddedStack({ env: { ...mails.env, BERTH_TRUSTED_PROXIES: "127.0.0.1,::1" } });
});
afterAll(async () => {
  await stack?.stop();
  await mails?.stop();
});

const mailboxOf = ({ username }: TestUser) => `${username}@example.com`;
const verificationOf = ({ text }: ReceivedMail) => /\/verify-email\/(\S+)/.exec(text)?.[1] ?? "";
const verify = (token: string) => stack.call("POST", "/api/v1/auth/email/verify", { body: { token } });
const settingsOf = async (user: TestUser) => (await as(stack, user)("GET", "/notifications/mail")).body.data;
const change = (user: TestUser, body: object) => as(stack, user)("PATCH", "/notifications/mail", body);
async function verifiedUser(balance?: string): Promise<TestUser> {
  const user = await stack.user(balance === undefined ? {} : { balance });
  await verify(verificationOf(await mails.mailTo(mailboxOf(user), 1, VERIFY)));
  return user;
}
const signInFrom = (user: TestUser, address: string, agent: string) =>
  stack.call("POST", "/api/v1/auth/login", {
    body: { username: user.username, password: user.password },
    headers: { "x-forwarded-for": address, "user-agent": agent },
  });
/** Every notice that a user got so far, once what was asked for is sent. */
async function noticesTo(user: TestUser): Promise<string[]> {
  await until(async () => {
    const waiting = await stack.db`SELECT FROM mails WHERE user_id = ${user.id} AND status = 'pending'`;
    const [behind] = await stack.db<{ n: number }[]>`
      SELECT count(*)::int AS n FROM outbox o JOIN outbox_progress p USING (partition) WHERE o.seq > p.seq`;
    return waiting.length === 0 && behind?.n === 0;
  });
  const to = mails.received.filter((mail) => mail.to.includes(mailboxOf(user)));
  return to.map(({ subject }) => subject).filter((subject) => subject !== VERIFY);
}

describe("an address", () => {
  test("is verified by the link that the sign-up sends, and not by opening it", async () => {
    const user = await stack.user();
    const token = verificationOf(await mails.mailTo(mailboxOf(user), 1, VERIFY));
    expect((await settingsOf(user)).email_verified).toBe(false);
    const page = `${stack.url}/verify-email/${token}`;
    const asks = await (await fetch(page)).text();
    for (const part of ["Verify the address", mailboxOf(user), user.username]) expect(asks).toContain(part);
    expect((await settingsOf(user)).email_verified).toBe(false);
    expect(await (await fetch(page, { method: "POST" })).text()).toContain("Your address is verified");
    expect((await settingsOf(user)).email_verified).toBe(true);
    expect((await verify(`${"0".repeat(24)}.${"x".repeat(43)}`)).body.code).toBe("RECOVERY_INVALID");
  });

  test("says that it is verified when its link is used or opened again, until the account has another address", async () => {
    const user = await stack.user();
    const token = verificationOf(await mails.mailTo(mailboxOf(user), 1, VERIFY));
    const page = `${stack.url}/verify-email/${token}`;
    await verify(token);
    const verifiedAt = async () =>
      (await stack.db`SELECT email_verified_at AS at FROM accounts WHERE id = ${user.id}`)[0]?.at;
    const first = await verifiedAt();
    for (const method of ["GET", "POST"]) {
      const again = await fetch(page, { method });
      expect([again.status, await again.text()]).toEqual([
        200,
        expect.stringContaining("Your address is verified"),
      ]);
    }
    expect(await verifiedAt()).toEqual(first);
    const email = `other-${mailboxOf(user)}`;
    await as(stack, user)("PUT", "/auth/email", { email, current_password: user.password });
    for (const method of ["GET", "POST"]) {
      const refused = await fetch(page, { method });
      const text = await refused.text();
      expect([refused.status, text]).toEqual([400, expect.stringContaining('href="/account/notifications"')]);
      expect(text).not.toContain('href="/recover"');
    }
    expect((await verify(token)).body.code).toBe("RECOVERY_INVALID");
    expect((await settingsOf(user)).email_verified).toBe(false);
  });

  test("that changes is verified again, and the former one is told", async () => {
    const user = await verifiedUser();
    const email = `new-${mailboxOf(user)}`;
    await as(stack, user)("PUT", "/auth/email", { email, current_password: user.password });
    const told = await mails.mailTo(mailboxOf(user), 1, "E-mail address changed");
    expect(told.text).toContain(email);
    // Whoever reads mail at a former address must not silence the present one.
    expect(told.raw).not.toContain("List-Unsubscribe");
    expect(await settingsOf(user)).toMatchObject({ email, email_verified: false });
    await verify(verificationOf(await mails.mailTo(email, 1, VERIFY)));
    expect((await settingsOf(user)).email_verified).toBe(true);
  });

  test("gets another link when its user asks, five an hour at most", async () => {
    const user = await stack.user();
    const ask = () => as(stack, user)("POST", "/auth/email/verification");
    expect((await ask()).status).toBe(202);
    const newest = await mails.mailTo(mailboxOf(user), 2, VERIFY);
    expect((await verify(verificationOf(newest))).status).toBe(200);
    for (let i = 0; i < 4; i++) await ask();
    expect((await ask()).body.code).toBe("RATE_LIMITED");
  });

  test("is verified by a recovery link as well", async () => {
    const user = await stack.user();
    await stack.call("POST", "/api/v1/auth/recovery", { body: { email: mailboxOf(user) } });
    const token = /\/recover\/(\S+)/.exec((await mails.mailTo(mailboxOf(user))).text)?.[1];
    const body = { token, new_password: "a new and longer one" };
    await stack.call("POST", "/api/v1/auth/recover", { body });
    const [row] = await stack.db`SELECT email_verified_at FROM accounts WHERE id = ${user.id}`;
    expect(row?.email_verified_at).toBeInstanceOf(Date);
    expect(await noticesTo(user)).toContain("New password");
    // Whoever did not do it does not know the new password.
    const { text } = await mails.mailTo(mailboxOf(user), 1, "New password");
    expect(text).toMatch(/https:\/\/berth\.example\/recover\r\n/);
    expect(text).not.toContain("Change your password");
  });
});

/** The link by which a mail program switches notices off (RFC 8058), as a path. */
function unsubscribePath({ raw }: ReceivedMail): string {
  expect(raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
  const [, path = ""] = /^List-Unsubscribe:\s+<https:\/\/berth\.example(\/[^>]+)>\r$/m.exec(raw) ?? [];
  return path;
}

describe("a notice that a mail program switches off", () => {
  test("is switched off by one click, with all of its kind, and by no opening of the link", async () => {
    const user = await verifiedUser();
    await signInFrom(user, "10.1.0.1", "Browser/1");
    await signInFrom(user, "192.0.2.7", "Browser/1");
    const notice = await mails.mailTo(mailboxOf(user), 1, "A sign-in from somewhere new");
    const link = `${stack.url}${unsubscribePath(notice)}`;
    const page = await fetch(link);
    expect(page.status).toBe(200);
    const asks = await page.text();
    for (const part of ["Notices about the security of your account are sent to", mailboxOf(user)])
      expect(asks).toContain(part);
    expect((await settingsOf(user)).security).toBe(true);
    const clicked = await fetch(link, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "List-Unsubscribe=One-Click",
    });
    expect(clicked.status).toBe(200);
    expect(await settingsOf(user)).toMatchObject({ security: false, money: true });
    await signInFrom(user, "198.51.100.7", "Browser/1");
    expect(await noticesTo(user)).toEqual(["A sign-in from somewhere new"]);
    // Again, as programs do that were not answered.
    expect((await fetch(link, { method: "POST" })).status).toBe(200);
    const opened = await (await fetch(link)).text();
    expect(opened).toContain("These mails are switched off");
    expect(opened).not.toContain("<form");
    await change(user, { security: true });
    expect(await (await fetch(link)).text()).toContain("Stop these mails");
  });

  test("is switched off by a link whose mail is deleted from the log, until the account has another address", async () => {
    const user = await verifiedUser();
    await signInFrom(user, "10.1.0.1", "Browser/1");
    await signInFrom(user, "192.0.2.7", "Browser/1");
    const notice = await mails.mailTo(mailboxOf(user), 1, "A sign-in from somewhere new");
    const link = `${stack.url}${unsubscribePath(notice)}`;
    await noticesTo(user);
    await stack.db`DELETE FROM mails WHERE user_id = ${user.id}`;
    expect((await fetch(link, { method: "POST" })).status).toBe(200);
    expect((await settingsOf(user)).security).toBe(false);
    await change(user, { security: true });
    const email = `newer-${mailboxOf(user)}`;
    await as(stack, user)("PUT", "/auth/email", { email, current_password: user.password });
    expect((await fetch(link, { method: "POST" })).status).toBe(400);
    expect((await settingsOf(user)).security).toBe(true);
  });

  test("is not switched off by a link that was not sent", async () => {
    const user = await verifiedUser();
    const link = `${stack.url}/unsubscribe/${user.id}.${"x".repeat(43)}`;
    expect((await fetch(link)).status).toBe(400);
    expect((await fetch(link, { method: "POST" })).status).toBe(400);
    expect((await settingsOf(user)).security).toBe(true);
  });
});

describe.each(["verify-email", "recover", "unsubscribe"])("a link of /%s that a mail has cut", (path) => {
  const ask = (method: string, accept: string) =>
    fetch(`${stack.url}/${path}/${"0".repeat(24)}.cut`, {
      method,
      headers: { accept, "content-type": "application/x-www-form-urlencoded" },
      ...(method === "POST" ? { body: "new_password=a+new+and+longer+one" } : {}),
    });

  test("is a page that says so, with a way on, as for a link that is unknown", async () => {
    for (const method of ["GET", "POST"])
      for (const accept of ["text/html,*/*;q=0.8", "*/*"]) {
        const response = await ask(method, accept);
        const page = await response.text();
        expect([response.status, response.headers.get("content-type")]).toEqual([
          400,
          "text/html; charset=utf-8",
        ]);
        expect(page).toContain("open all of the address in the mail");
        expect(page).toMatch(/<a class="button" href="\/(recover|account\/notifications)">/);
      }
  });

  test("is an error in JSON for a program that asks for JSON", async () => {
    for (const method of ["GET", "POST"]) {
      const response = await ask(method, "application/json");
      expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
        400,
        "RECOVERY_INVALID",
      ]);
    }
  });
});

test("a mail of a link that somebody asked for cannot be switched off", async () => {
  const user = await stack.user();
  expect((await mails.mailTo(mailboxOf(user), 1, VERIFY)).raw).not.toContain("List-Unsubscribe");
});

describe("a notice of security", () => {
  test("tells of a sign-in from somewhere new, and of a changed password, and says how it is switched off", async () => {
    const user = await verifiedUser();
    await signInFrom(user, "10.1.0.1", "Browser/1");
    // The same line and program, with another number each.
    await signInFrom(user, "10.1.7.9", "Browser/2");
    expect(await noticesTo(user)).toEqual([]);
    await signInFrom(user, "192.0.2.1", "Browser/1");
    const { text, html } = await mails.mailTo(mailboxOf(user), 1, "A sign-in from somewhere new");
    for (const part of [text, html]) {
      expect(part).toContain("from 192.0.2.1 with Browser/1");
      expect(part).toContain("https://berth.example/account/notifications");
    }
    const passwords = { current_password: user.password, new_password: "a new and longer one" };
    await as(stack, user)("PUT", "/auth/password", passwords);
    expect(await noticesTo(user)).toEqual(["A sign-in from somewhere new", "Password changed"]);
  });

  test("is not mailed where it is switched off, nor to an address that nobody verified", async () => {
    const [off, unverified] = [await verifiedUser(), await stack.user()];
    expect((await change(off, { security: false })).body.data).toMatchObject({
      security: false,
      money: true,
    });
    for (const user of [off, unverified]) {
      await signInFrom(user, "10.1.0.1", "Browser/1");
      await signInFrom(user, "192.0.2.1", "Browser/1");
      expect(await noticesTo(user)).toEqual([]);
      // It is in the inbox all the same.
      const titles = async () =>
        (await as(stack, user)("GET", "/notifications")).body.data.notifications.map(
          ({ title }: { title: string }) => title,
        );
      await until(async () => (await titles()).includes("A sign-in from somewhere new"));
    }
  });
});

describe("a notice of money", () => {
  test("of a low balance is mailed once each time the balance falls below what the user set", async () => {
    const user = await verifiedUser("20.00");
    expect((await change(user, { low_balance_below: "10" })).body.data.low_balance_below).toBe("10.00");
    const spend = (amount: string) => as(stack, user)("POST", "/wallet/transfers", { amount });
    const low = async () => (await noticesTo(user)).filter((title) => title === "Your balance is low").length;
    await spend("10");
    expect(await low()).toBe(0);
    await spend("1");
    await spend("1");
    expect(await low()).toBe(1);
    const { text } = await mails.mailTo(mailboxOf(user), 1, "Your balance is low");
    expect(text).toContain("It is $9.00, below the $10.00 that you set");
    await stack.actors.wallet(user.id).credit({ amount: "5", reason: "test", idempotency_key: "again" });
    await spend("5");
    expect(await low()).toBe(2);
    await change(user, { low_balance_below: null });
    await stack.actors.wallet(user.id).credit({ amount: "9", reason: "test", idempotency_key: "third" });
    await spend("9");
    expect(await low()).toBe(2);
  });

  test("of an event of the inbox is mailed with its text, and those of containers only where they are wanted", async () => {
    const user = await verifiedUser();
    const post = (event_type: string, title: string) => {
      const id = crypto.randomUUID().replaceAll("-", "").slice(0, 24);
      const resource_type = event_type.split(".")[0];
      const event = { id, event_type, resource_type, resource_id: RESOURCE_ID, realm_id: null };
      const notice = {
        id,
        title,
        body: `Body of ${title}`,
        level: "warning",
        public: false,
        page: null,
        event,
      };
      return stack.actors.inbox(user.id).post(notice as never);
    };
    await post("server.updated", "The rental ends");
    await post("container.error", "A container failed");
    expect(await noticesTo(user)).toEqual(["The rental ends"]);
    const { text, html } = await mails.mailTo(mailboxOf(user), 1, "The rental ends");
    expect(text).toContain("Body of The rental ends");
    for (const part of [text, html])
      for (const said of ["Open the server", `https://berth.example/servers/${RESOURCE_ID}`])
        expect(part).toContain(said);
    await change(user, { containers: true });
    await post("container.error", "Another failed");
    expect(await noticesTo(user)).toEqual(["The rental ends", "Another failed"]);
    expect((await mails.mailTo(mailboxOf(user), 1, "Another failed")).text).toContain(
      `https://berth.example/containers/${RESOURCE_ID}`,
    );
  });

  test("of a reservation that was delivered is mailed, since its days have begun", async () => {
    const user = await verifiedUser("10.00");
    const [offer, server] = [newId(), newId()];
    await stack.actors
      .offer(offer)
      .create({ name: "to-order", lead_time_hours: 1, pricing_rules: { "7": 300 }, specs: {} });
    const order = { days: 7, max_charge_cents: 300, idempotency_key: "mailed" };
    const reserved = await as(stack, user)("POST", `/offers/${offer}/reserve`, order);
    await stack.actors.server(server).create({ name: "mailed-of", specs: {} });
    await stack.actors.server(server).join({});
    await stack.actors.reservation(reserved.body.data.id).deliver({ server_id: server });
    const mail = await mails.mailTo(mailboxOf(user), 1, "Your server is ready: mailed-of");
    expect(mail.text).toContain("Its 7 days have begun.");
  });

  test("comes thirty times an hour at most", async () => {
    const user = await verifiedUser();
    await stack.db`
      INSERT INTO mails (id, user_id, address, kind, content, status)
      SELECT ${user.id} || n, ${user.id}, 'x@example.com', 'notice', '{}', 'sent' FROM generate_series(1, 30) n`;
    await signInFrom(user, "10.1.0.1", "Browser/1");
    await signInFrom(user, "192.0.2.1", "Browser/1");
    expect(await noticesTo(user)).toEqual([]);
  });
});
