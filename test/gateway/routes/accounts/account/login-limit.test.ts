import { afterAll, beforeAll, expect, test } from "bun:test";
import { type EmbeddedStack, startEmbeddedStack } from "../../../../harness/embedded-stack.ts";

let stack: EmbeddedStack;
beforeAll(async () => {
  // The tests are the proxy, and say from where each request comes.
  stack = await startEmbeddedStack({ env: { BERTH_TRUSTED_PROXIES: "127.0.0.1,::1" } });
});
afterAll(() => stack.stop());

const login = (username: string, password: string, from = "203.0.113.5") =>
  stack.call("POST", "/api/v1/auth/login", {
    body: username.includes("@") ? { email: username, password } : { username, password },
    headers: { "x-forwarded-for": from },
  });

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

test("who guesses at an account from one address does not lock its owner out at another", async () => {
  const { username, password } = await stack.user();
  await Promise.all(Array.from({ length: 12 }, () => login(username, "wrong password", "198.51.100.66")));
  expect((await login(username, password, "198.51.100.66")).status).toBe(429);
  expect((await login(username, password, "203.0.113.6")).status).toBe(200);
});

test("user name and e-mail address are one account, and the tries at it are counted together", async () => {
  const { username, password } = await stack.user();
  const email = `${username}@example.com`;
  for (let i = 0; i < 10; i++) {
    expect((await login(i % 2 === 0 ? username : email.toUpperCase(), "wrong password")).status).toBe(401);
  }
  for (const name of [username, email]) expect((await login(name, password)).status).toBe(429);
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
    Array.from({ length: 101 }, (_, i) => login(`name-${i}`, "wrong password", "203.0.113.77")),
  );
  const turnedAway = answers.filter(({ status }) => status === 429);
  expect(turnedAway.length).toBeGreaterThan(0);
  // 503: so many at once are more than the gateway hashes passwords for.
  expect(answers.every(({ status }) => [401, 429, 503].includes(status))).toBe(true);
  expect(turnedAway[0]?.headers.get("ratelimit-policy")).toBe('"address";q=100;w=60');
});
