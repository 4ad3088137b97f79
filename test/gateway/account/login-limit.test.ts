import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Stack, startStack } from "../../harness/stack.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

const login = (username: string, password: string) =>
  stack.call("POST", "/api/v1/auth/login", { body: { username, password } });

test("after ten wrong passwords in a minute not even the right one is let in", async () => {
  const { username, password } = await stack.user();
  for (let left = 9; left >= 0; left--) {
    // Letter case is no way around it.
    const { status, headers } = await login(
      left % 2 === 0 ? username : username.toUpperCase(),
      "wrong password",
    );
    expect(status).toBe(401);
    expect(headers.get("ratelimit-policy")).toBe('"login";q=10;w=60');
    expect(headers.get("ratelimit")).toStartWith(`"login";r=${left};t=`);
  }
  const { status, headers, body } = await login(username, password);
  expect({ status, code: body.code }).toEqual({ status: 429, code: "RATE_LIMITED" });
  expect(Number(headers.get("retry-after"))).toBeWithin(1, 61);
  expect(body.data.retry_after_seconds).toBe(Number(headers.get("retry-after")));
});

test("one name's wrong passwords do not keep another out", async () => {
  const [victim, other] = [await stack.user(), await stack.user()];
  await Promise.all(Array.from({ length: 12 }, () => login(victim.username, "wrong password")));
  expect((await login(victim.username, victim.password)).status).toBe(429);
  expect((await login(other.username, other.password)).status).toBe(200);
});

test("who gets it right is forgiven the tries before", async () => {
  const { username, password } = await stack.user();
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 8; i++) await login(username, "wrong password");
    expect((await login(username, password)).status).toBe(200);
  }
});

test("one address cannot try its way through many names", async () => {
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, i) => login(`name-${i}`, "wrong password")),
  );
  const turnedAway = answers.filter(({ status }) => status === 429);
  expect(turnedAway.length).toBeGreaterThan(0);
  expect(answers.every(({ status }) => status === 401 || status === 429)).toBe(true);
  expect(turnedAway[0]?.headers.get("ratelimit-policy")).toBe('"address";q=100;w=60');
});
