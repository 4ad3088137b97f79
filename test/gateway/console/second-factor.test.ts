import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { lacksChromium } from "../../harness/browser.ts";
import { type SharedStack, sharedStack, type TestUser } from "../../harness/shared-stack.ts";
import { until } from "../../harness/until.ts";
import { addAuthenticator, localhostOf } from "../../harness/virtual-authenticator.ts";
import { codeOf, setUpTotp } from "../routes/accounts/account/second-factor.ts";
import { axeFindings, goTo, signIn, visit } from "./visitor.ts";

const missing = lacksChromium();
let stack: SharedStack;
beforeAll(async () => {
  if (!missing) stack = await sharedStack();
});
afterAll(() => stack?.stop());

const signedIn = (page: Page) =>
  page.getByRole("navigation", { name: "Pages" }).waitFor({ state: "attached" });
async function enterPassword(page: Page, { username, password }: TestUser): Promise<void> {
  await page.getByLabel("User name or e-mail address").fill(username);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

test.skipIf(missing)(
  "an app is set up by its code, its recovery codes are shown once, and the sign-in asks for them",
  async () => {
    const user = await stack.user();
    const { page } = await visit(`${stack.url}/account/second-factor`);
    await signIn(page, user);
    await page.getByRole("button", { name: "Set up an app" }).click();
    await page.getByLabel("Current password").fill(user.password);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("img", { name: "QR code of the secret" }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    const secret = (await page.getByRole("dialog").locator(".copyable code").first().textContent()) ?? "";
    const first = page.getByLabel("The first code of the app");
    await first.fill("000000");
    await page.getByRole("button", { name: "Turn it on" }).click();
    await until(async () => (await first.getAttribute("aria-invalid")) === "true");
    await first.fill(codeOf(secret));
    await page.getByRole("button", { name: "Turn it on" }).click();
    const codes = (await page.locator(".recovery-codes").textContent()) ?? "";
    expect(codes.split("\n")).toHaveLength(10);
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole("button", { name: "I have kept them" }).click();
    await page.getByText("10 codes are left").waitFor();

    const other = (await visit(stack.url)).page;
    await enterPassword(other, user);
    const code = other.getByLabel("Code", { exact: true });
    await code.fill("123456");
    await other.getByRole("button", { name: "Sign in" }).click();
    await until(async () => (await code.getAttribute("aria-invalid")) === "true");
    expect(await axeFindings(other)).toEqual([]);
    await other.getByRole("button", { name: "Use a recovery code" }).click();
    await other.getByLabel("Recovery code").fill(codes.split("\n")[0] ?? "");
    await other.getByRole("button", { name: "Sign in" }).click();
    await signedIn(other);
    await other.getByText("9 recovery codes are left").waitFor();
    expect(await axeFindings(other)).toEqual([]);
    await other.getByRole("link", { name: "Make new ones" }).click();
    await other.getByText("9 codes are left").waitFor();
    expect(await other.getByText("9 recovery codes are left").count()).toBe(0);
  },
);

test.skipIf(missing)(
  "a passkey is added, signs in by itself and as second factor, and is removed",
  async () => {
    const user = await stack.user();
    const { page } = await visit(`${localhostOf(stack.url)}/account/second-factor`);
    await addAuthenticator(page);
    await signIn(page, user);
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("laptop");
    await page.getByLabel("Current password").fill(user.password);
    await page.getByRole("button", { name: "Add the passkey" }).click();
    await page.getByRole("button", { name: "I have kept them" }).click();
    await page.getByRole("cell", { name: "laptop", exact: true }).waitFor();

    const signOut = () => page.getByRole("button", { name: "Sign out" }).click();
    await signOut();
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await signedIn(page);
    await signOut();
    await enterPassword(page, user);
    await page.getByRole("button", { name: "Use the passkey" }).click();
    await signedIn(page);
    // An address of numbers has no passkeys: it leads to where they are.
    const { page: elsewhere } = await visit(stack.url);
    await enterPassword(elsewhere, user);
    await elsewhere.getByText("Your passkeys do not work at this address, but at localhost.").waitFor();
    // Whoever has signed out begins at the home page.
    await goTo(page, "/account/second-factor");
    await page.getByRole("button", { name: "Remove laptop" }).click();
    await page.getByLabel("Current password").fill(user.password);
    await page.getByRole("button", { name: "Remove the passkey" }).click();
    await page.getByRole("cell", { name: "laptop", exact: true }).waitFor({ state: "detached" });
  },
);

test.skipIf(missing)("a program's code shows what asks, and signs it in as whoever approves it", async () => {
  const user = await stack.user();
  const asked = await stack.call("POST", "/api/v1/auth/device", { body: { client_name: "backup on nas" } });
  const { device_code, user_code } = asked.body.data;
  const { page } = await visit(`${stack.url}/device?code=${user_code}`);
  await signIn(page, user);
  await page.getByText("backup on nas").waitFor();
  await page.getByText(stack.address).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole("button", { name: "Sign it in" }).click();
  await page.getByRole("heading", { name: "The program is signed in" }).waitFor();
  const redeemed = await stack.call("POST", "/api/v1/auth/device/token", { body: { device_code } });
  expect(redeemed.body.data.user.id).toBe(user.id);
  await page.getByRole("button", { name: "Take it back" }).click();
  await page.getByRole("heading", { name: "The program has its session already" }).waitFor();

  await page.goto(`${stack.url}/device`);
  const code = page.getByRole("textbox", { name: "Code" });
  await code.fill("BBBB-BBBB");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.locator("[slot=errorMessage]").getByText("The code is wrong").waitFor();
  expect(await code.getAttribute("aria-invalid")).toBe("true");
});

test.skipIf(missing)("what is wrong at the sign-in does not move its button", async () => {
  const user = await stack.user();
  await setUpTotp(stack, user);
  for (const width of [1280, 390]) {
    const { page } = await visit(stack.url, { width });
    const button = page.getByRole("button", { name: "Sign in" });
    const before = await button.boundingBox();
    await page.getByLabel("User name or e-mail address").fill(user.username);
    const password = page.getByLabel("Password", { exact: true });
    await password.fill("not the password");
    await button.click();
    await until(async () => (await password.getAttribute("aria-invalid")) === "true");
    expect(await button.boundingBox()).toEqual(before);
  }
});
