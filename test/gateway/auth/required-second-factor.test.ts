import { afterAll, beforeAll, expect, test } from "bun:test";
import { lacksChromium } from "../../harness/browser.ts";
import { type EmbeddedStack, startEmbeddedStack } from "../../harness/embedded-stack.ts";
import { axeFindings, visit } from "../console/visitor.ts";
import { codeOf, setUpTotp } from "../routes/accounts/account/second-factor.ts";
import { as } from "../routes/accounts/pool/team.ts";

let stack: EmbeddedStack;
beforeAll(async () => {
  stack = await startEmbeddedStack({ env: { BERTH_REQUIRE_ADMIN_SECOND_FACTOR: "on" } });
});
afterAll(() => stack.stop());

test("an administrator without a second factor can do nothing but set one up, and then everything but remove it", async () => {
  const operator = await stack.user({ role: "admin" });
  const call = as(stack, operator);
  const codeOfReply = async (method: string, path: string, body?: unknown) =>
    (await call(method, path, body)).body.code;
  for (const [method, path] of [
    ["GET", "/admin/users"],
    ["GET", "/wallet/balances"],
    ["GET", "/containers"],
    ["POST", "/auth/tokens"],
    ["PUT", "/auth/email"],
  ] as const)
    expect(await codeOfReply(method, path)).toBe("SECOND_FACTOR_SETUP_REQUIRED");
  expect((await call("GET", "/auth/me")).status).toBe(200);
  expect((await call("GET", "/auth/second-factor")).body.data).toMatchObject({
    enabled: false,
    required: true,
  });

  const { secret } = await setUpTotp(stack, operator);
  expect((await call("GET", "/admin/users")).status).toBe(200);
  const proven = { current_password: operator.password, code: codeOf(secret, 1) };
  expect(await codeOfReply("DELETE", "/auth/second-factor/totp", proven)).toBe(
    "SECOND_FACTOR_SETUP_REQUIRED",
  );
  expect((await call("GET", "/admin/users")).status).toBe(200);
});

test.skipIf(lacksChromium())(
  "in the console an administrator sets a second factor up before anything else",
  async () => {
    const operator = await stack.user({ role: "admin" });
    const { page } = await visit(`${stack.url}/operator/users`);
    await page.getByLabel("User name or e-mail address").fill(operator.username);
    await page.getByLabel("Password", { exact: true }).fill(operator.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Set up a second factor" }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole("button", { name: "Set up an app" }).click();
    await page.getByLabel("Current password").fill(operator.password);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("img", { name: "QR code of the secret" }).waitFor();
    const secret = (await page.getByRole("dialog").locator(".copyable code").first().textContent()) ?? "";
    await page.getByLabel("The first code of the app").fill(codeOf(secret));
    await page.getByRole("button", { name: "Turn it on" }).click();
    await page.getByRole("button", { name: "I have kept them" }).click();
    await page.getByRole("row", { name: new RegExp(operator.username) }).waitFor();
  },
);

test("the requirement binds an administrator's API tokens, and nobody else", async () => {
  const [operator, user] = [await stack.user({ role: "admin" }), await stack.user()];
  const id = "0123456789abcdef01234567";
  const token = `berth_${id}_${"s".repeat(43)}`;
  const hash = new Bun.CryptoHasher("sha256").update(token).digest("hex");
  const asked = {
    id,
    hash,
    name: "ci",
    permissions: ["resources.read" as const],
    expires_at: null,
    realm_id: null,
  };
  await stack.actors.token(operator.id).create(asked);
  const refused = await stack.call("GET", "/api/v1/containers", { token });
  expect([refused.status, refused.body.code]).toEqual([403, "SECOND_FACTOR_SETUP_REQUIRED"]);
  expect((await as(stack, user)("GET", "/containers")).status).toBe(200);
});
