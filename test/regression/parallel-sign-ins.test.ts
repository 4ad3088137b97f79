import { afterAll, beforeAll, expect, test } from "bun:test";
import { PASSWORDS_MAX } from "../../gateway/auth/passwords.ts";
import { type Stack, startStack } from "../harness/stack.ts";

/** Sixty sign-ins at once filled the thread pool with Argon2, and new tokens waited for seconds to be checked. */

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ env: { BERTH_TRUSTED_PROXIES: "127.0.0.1,::1" } });
});
afterAll(() => stack.stop());

test("of many sign-ins at once those past the queue are turned away, and a new token is checked before the queue is through", async () => {
  const user = await stack.user();
  let answered = 0;
  const signIns = Array.from({ length: PASSWORDS_MAX + 30 }, async (_, i) => {
    const body = { username: `nobody-${i}`, password: "wrong password" };
    // Each from an address of its own: one address is not let so far.
    const headers = { "x-forwarded-for": `10.0.${i >> 8}.${i & 255}` };
    const answer = await stack.call("POST", "/api/v1/auth/login", { body, headers });
    if (answer.status === 401) answered++;
    return answer;
  });
  const turnedAway = await Promise.any(
    signIns.map(async (answer) => ((await answer).status === 503 ? answer : Promise.reject(new Error("no")))),
  );
  expect(turnedAway.body.code).toBe("OVERLOADED");
  expect(turnedAway.headers.get("retry-after")).toBe("1");

  // The first look at this token, while the queue is full.
  expect((await stack.call("GET", "/api/v1/auth/me", { token: user.token })).status).toBe(200);
  const before = answered;
  const answers = await Promise.all(signIns);
  expect(answers.every(({ status }) => status === 401 || status === 503)).toBe(true);
  expect(before).toBeLessThan(answered);
});
