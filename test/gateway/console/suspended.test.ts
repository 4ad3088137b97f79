import { afterAll, beforeAll, expect, test } from "bun:test";
import { lacksChromium } from "../../harness/browser.ts";
import { type SharedStack, sharedStack } from "../../harness/shared-stack.ts";
import { signIn, visit } from "./visitor.ts";

let stack: SharedStack;
beforeAll(async () => {
  stack = await sharedStack();
});
afterAll(() => stack.stop());

async function suspend(userId: string): Promise<void> {
  const operator = await stack.user({ role: "admin" });
  const path = `/api/v1/admin/users/${userId}/suspend`;
  const { status } = await stack.call("POST", path, { token: operator.token, body: { reason: "unpaid" } });
  expect(status).toBe(200);
}

const session = (path: string, cookie: string, body?: unknown) =>
  stack.call("POST", `/console/session${path}`, {
    body,
    headers: { "sec-fetch-site": "same-origin", cookie },
  });

test("a session that a suspension has ended says so, to whom it was; an invented one says nothing of the account", async () => {
  const user = await stack.user();
  const begun = await session("", "", { username: user.username, password: user.password });
  const cookie = (begun.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  await suspend(user.id);
  const { status, body } = await session("/refresh", cookie);
  expect([status, body.code]).toEqual([403, "ACCOUNT_SUSPENDED"]);
  const [, token = ""] = cookie.split("=");
  const [userId, sessionId, , ...rest] = token.split(".");
  const invented = [userId, sessionId, "A".repeat(22), ...rest].join(".");
  expect((await session("/refresh", `berth_refresh=${invented}`)).body.code).toBe("INVALID_TOKEN");
});

test.skipIf(lacksChromium())(
  "a person whose account is suspended is told that, by the page that is open",
  async () => {
    const user = await stack.user();
    const { page } = await visit(`${stack.url}/pools`);
    await signIn(page, user);
    await suspend(user.id);
    await page.getByText("this account is suspended").waitFor();
  },
);
