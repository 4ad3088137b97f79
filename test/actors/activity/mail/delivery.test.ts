import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { type EmbeddedStack, startEmbeddedStack } from "../../../harness/embedded-stack.ts";
import { mailServer, type TestMailServer } from "../../../harness/mail-server.ts";
import { freePort } from "../../../harness/servers.ts";
import { until } from "../../../harness/until.ts";
import type { TestUser } from "../../../harness/users.ts";

const PROXIED = { BERTH_TRUSTED_PROXIES: "127.0.0.1,::1" };
const mailboxOf = ({ username }: TestUser) => `${username}@example.com`;
const ask = ({ call }: EmbeddedStack, user: TestUser) =>
  call("POST", "/api/v1/auth/recovery", {
    body: { email: mailboxOf(user) },
    // Requests are limited by address: each comes from one of its own.
    headers: { "x-forwarded-for": `10.${[...crypto.getRandomValues(new Uint8Array(3))].join(".")}` },
  });

interface Row {
  id: string;
  status: string;
  attempts: number;
  error: string | null;
}
const rowsOf = ({ db }: EmbeddedStack, user: TestUser) =>
  db<
    Row[]
  >`SELECT id, status, attempts, error FROM mails WHERE user_id = ${user.id} AND kind = 'recovery' ORDER BY created_at`;
const ended = (stack: EmbeddedStack, user: TestUser) =>
  until(async () => {
    const [row] = await rowsOf(stack, user);
    return row?.status === "pending" ? undefined : row;
  });

describe("with a mail server that works", () => {
  let mails: TestMailServer;
  let stack: EmbeddedStack;
  beforeAll(async () => {
    mails = await mailServer();
    // Two hosts share the queue.
    stack = await startEmbeddedStack({ actorHosts: 2, env: { ...PROXIED, ...mails.env } });
  });
  afterAll(async () => {
    await stack?.stop();
    await mails?.stop();
  });

  /** A user whose mail of the sign-up has come: what is answered from now on is about others. */
  async function settledUser(): Promise<TestUser> {
    const user = await stack.user();
    await mails.mailTo(mailboxOf(user), 1, "Verify your e-mail address");
    return user;
  }

  test("a mail that is put off is sent again until it is taken, and each time with a link that is good", async () => {
    const user = await settledUser();
    mails.answer(mailboxOf(user), 451, 450);
    await ask(stack, user);
    const { text } = await mails.mailTo(mailboxOf(user));
    expect(await ended(stack, user)).toMatchObject({ status: "sent", attempts: 3, error: null });
    expect(mails.asked(mailboxOf(user))).toBe(1 + 3);
    const token = /\/recover\/(\S+)/.exec(text)?.[1];
    const body = { token, new_password: "a new and longer one" };
    expect((await stack.call("POST", "/api/v1/auth/recover", { body })).status).toBe(200);
  });

  test("a recipient that the server does not know is given up at once, and the log says why", async () => {
    const user = await settledUser();
    mails.answer(mailboxOf(user), 550, 550);
    await ask(stack, user);
    expect(await ended(stack, user)).toMatchObject({
      status: "failed",
      attempts: 1,
      error: "the mail server answered 550 after RCPT TO",
    });
    const logs = ["actors-1.log", "actors-2.log"].map((log) => readFileSync(join(stack.logs, log), "utf8"));
    const line = logs.flatMap((text) => text.split("\n")).find((one) => one.includes(user.id));
    expect(line).toContain("a mail was not sent");
    expect(line).not.toContain(mailboxOf(user));
  });

  test("many mails are each sent once, whichever host takes them", async () => {
    const users = await Promise.all(Array.from({ length: 30 }, () => stack.user()));
    await Promise.all(users.map((user) => ask(stack, user)));
    for (const user of users) expect((await ended(stack, user))?.status).toBe("sent");
    const recoveries = mails.received.filter(({ subject }) => subject === "Set a new password");
    const counts = users.map((user) => recoveries.filter(({ to }) => to.includes(mailboxOf(user))).length);
    expect(counts).toEqual(users.map(() => 1));
  });

  test("a mail that a host left behind is sent when its claim runs out, under the same message id", async () => {
    const user = await stack.user();
    await ask(stack, user);
    const { raw } = await mails.mailTo(mailboxOf(user));
    const { id } = (await ended(stack, user)) as Row;
    // As if the host had died before it wrote what came of it.
    await stack.db`
      UPDATE mails SET status = 'pending', finished_at = NULL, next_attempt_at = now() WHERE id = ${id}`;
    await ask(stack, await stack.user());
    const again = await mails.mailTo(mailboxOf(user), 2);
    expect([raw, again.raw].map((one) => /^Message-ID: (.*)$/m.exec(one)?.[1]?.trim())).toEqual([
      `<${id}@berth.example>`,
      `<${id}@berth.example>`,
    ]);
  });
});

/** A stack whose mail server is at an address, and a mail that it is to send. */
async function stackWith(env: Record<string, string>): Promise<{ stack: EmbeddedStack; user: TestUser }> {
  const stack = await startEmbeddedStack({
    env: {
      ...PROXIED,
      BERTH_MAIL_FROM: "no-reply@berth.example",
      BERTH_PUBLIC_URL: "https://berth.example",
      BERTH_MAIL_FIRST_RETRY_MS: "50",
      ...env,
    },
  });
  const user = await stack.user();
  await ask(stack, user);
  return { stack, user };
}
const attempted = (stack: EmbeddedStack, user: TestUser, attempts: number) =>
  until(async () => {
    const [row] = await rowsOf(stack, user);
    return row !== undefined && row.attempts >= attempts && row.error !== null ? row : undefined;
  });

test("a server that hangs holds up nothing for longer than the time of an attempt, and is tried again", async () => {
  const sockets = new Set<{ destroy(): void }>();
  const silent: Server = createServer((socket) => void sockets.add(socket));
  const port = await freePort();
  await new Promise<void>((resolve) => silent.listen(port, "127.0.0.1", resolve));
  const { stack, user } = await stackWith({
    BERTH_SMTP_URL: `smtp://127.0.0.1:${port}`,
    BERTH_MAIL_TIMEOUT_MS: "150",
  });
  try {
    const row = await attempted(stack, user, 2);
    expect(row.error).toMatch(/^the mail server could not be used: E(TIMEDOUT|SOCKET)/);
    expect(row.status).toBe("pending");
    // The API does not wait for it.
    expect((await ask(stack, await stack.user())).status).toBe(202);
  } finally {
    await stack.stop();
    for (const socket of sockets) socket.destroy();
    silent.close();
  }
});

test("without STARTTLS nothing is sent where TLS is required, and all is sent where the operator asks for less", async () => {
  const mails = await mailServer({ hasTls: false });
  const url = { BERTH_SMTP_URL: `smtp://127.0.0.1:${mails.port}` };
  const strict = await stackWith({ ...url, BERTH_SMTP_TLS: "required" });
  try {
    expect((await attempted(strict.stack, strict.user, 1)).error).toContain("the mail server");
    expect(mails.received).toHaveLength(0);
  } finally {
    await strict.stack.stop();
  }
  // On this machine TLS is no requirement.
  const loose = await stackWith(url);
  try {
    expect((await mails.mailTo(mailboxOf(loose.user))).isEncrypted).toBe(false);
  } finally {
    await loose.stack.stop();
    await mails.stop();
  }
});

test("a certificate that does not hold, and a password that is wrong, send nothing, and an operator may put them right", async () => {
  const mails = await mailServer();
  const { BERTH_SMTP_CA_FILE: _, ...withoutAuthority } = mails.env;
  const forged = await stackWith(withoutAuthority);
  try {
    const row = await attempted(forged.stack, forged.user, 1);
    expect([row.status, mails.received.length]).toEqual(["pending", 0]);
  } finally {
    await forged.stack.stop();
  }
  const { BERTH_SMTP_PASSWORD_FILE: __, ...rest } = mails.env;
  const wrong = await stackWith({ ...rest, BERTH_SMTP_URL: `smtp://berth:wrong@127.0.0.1:${mails.port}` });
  try {
    const row = await attempted(wrong.stack, wrong.user, 1);
    expect([row.status, row.error]).toEqual(["pending", expect.stringContaining("535")]);
    expect(readFileSync(join(wrong.stack.logs, "actors-1.log"), "utf8")).not.toContain("wrong");
  } finally {
    await wrong.stack.stop();
    await mails.stop();
  }
});

test("without a mail server nothing offers mail", async () => {
  const stack = await startEmbeddedStack();
  try {
    const { status, body } = await ask(stack, await stack.user());
    expect([status, body.code]).toEqual([409, "MAIL_NOT_CONFIGURED"]);
    const page = await fetch(`${stack.url}/recover`);
    expect([page.status, await page.text()]).toEqual([409, expect.stringContaining("sends no mail")]);
    expect(await stack.db`SELECT FROM recovery_requests`).toHaveLength(0);
  } finally {
    await stack.stop();
  }
});
