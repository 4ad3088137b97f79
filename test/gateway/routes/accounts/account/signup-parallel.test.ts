import { afterAll, beforeAll, expect, test } from "bun:test";
import { type EmbeddedStack, startEmbeddedStack } from "../../../../harness/embedded-stack.ts";

let stack: EmbeddedStack;
beforeAll(async () => {
  stack = await startEmbeddedStack({ actorHosts: 2 });
});
afterAll(() => stack.stop());

const signup = (username: string, email: string) =>
  stack.call("POST", "/api/v1/auth/signup", { body: { username, email, password: "correct horse battery" } });

/** How often each answer came. */
const counted = (answers: { status: number; body: { code?: string } }[]) =>
  Object.fromEntries(
    Map.groupBy(answers, ({ status, body }) => body.code ?? status)
      .entries()
      .map(([what, same]) => [what, same.length]),
  );

test("of twenty who sign up at once under one name exactly one gets it", async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      signup(i % 2 === 0 ? "Winner" : "wINNER", `winner-${i}@example.com`),
    ),
  );
  expect(counted(answers)).toEqual({ 201: 1, USERNAME_TAKEN: 19 });
  const rows = await stack.db`SELECT id FROM accounts WHERE lower(username) = 'winner'`;
  expect(rows.map((row) => row.id)).toEqual([
    answers.find(({ status }) => status === 201)?.body.data.user.id,
  ]);
  const sessions = await stack.db`SELECT 1 FROM sessions`;
  expect(sessions).toHaveLength(1);
});

test("of nine who sign up at once under one e-mail address exactly one gets it", async () => {
  const answers = await Promise.all(
    Array.from({ length: 9 }, (_, i) => signup(`mail-${i}`, "One@Example.com")),
  );
  expect(counted(answers)).toEqual({ 201: 1, EMAIL_TAKEN: 8 });
});

test("more than thirty sign-ups of one address in a minute are turned away, with the time to wait", async () => {
  const answers = await Promise.all(
    Array.from({ length: 4 }, (_, i) => signup(`late-${i}`, `late-${i}@example.com`)),
  );
  const turnedAway = answers.filter(({ status }) => status === 429);
  expect(turnedAway).toHaveLength(3);
  for (const { headers, body } of turnedAway) {
    expect(body.code).toBe("RATE_LIMITED");
    expect(Number(headers.get("retry-after"))).toBeWithin(1, 61);
  }
  expect(await stack.db`SELECT 1 FROM accounts WHERE username LIKE 'late-%'`).toHaveLength(1);
});
