import { afterAll, beforeAll, expect, test } from "bun:test";
import { type EmbeddedStack, startEmbeddedStack } from "../../harness/embedded-stack.ts";
import { apiToken, basic, codeOf } from "../routes/accounts/token/credentials.ts";

let stack: EmbeddedStack;
beforeAll(async () => {
  stack = await startEmbeddedStack();
});
afterAll(() => stack.stop());

/** Wrong tokens that an address may show in a minute. */
const WRONG_MAX = 100;

test("a valid credential that a route refuses is no wrong credential of its address", async () => {
  const user = await stack.user();
  const { token } = await apiToken(stack, user, ["resources.read"]);
  for (let i = 0; i <= WRONG_MAX; i++) {
    const credential = i % 2 === 0 ? { token } : { headers: basic(user.username, token) };
    const answer = await stack.call("GET", "/api/v1/wallet/balances", credential);
    expect(codeOf(answer)).toBe("403 INSUFFICIENT_PERMISSIONS");
  }
  const wrong = await stack.call("GET", "/api/v1/wallet/balances", { token: `${token.slice(0, -4)}AAAA` });
  expect(codeOf(wrong)).toBe("401 INVALID_TOKEN");
  const fresh = await apiToken(stack, user, ["wallet.read"]);
  const read = await stack.call("GET", "/api/v1/wallet/balances", { token: fresh.token });
  expect(read.status).toBe(200);
});
