import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { lacksChromium } from "../../harness/browser.ts";
import { type SharedStack, sharedStack, type TestUser } from "../../harness/shared-stack.ts";
import { until } from "../../harness/until.ts";
import { rented } from "../routes/market/stock.ts";
import { signIn, visit } from "./visitor.ts";

/** Forms and dialogs in the hands of a person who is in a hurry, or wrong. */

const missing = lacksChromium();
let stack: SharedStack;
let user: TestUser;
beforeAll(async () => {
  if (missing) return;
  stack = await sharedStack();
  user = await stack.user({ balance: "100.00" });
  const name = `forms-${crypto.randomUUID().slice(0, 8)}`;
  await rented(stack, user, name, { specs: { cpu_cores: 2, ram_gb: 4 } });
});
afterAll(() => stack?.stop());

test.skipIf(missing)("Back closes a dialog, and leaves the page where it is", async () => {
  const { page } = await visit(`${stack.url}/wallet`);
  await signIn(page, user);
  await page.getByRole("link", { name: "Pools", exact: true }).click();
  await page.getByRole("button", { name: "Create a pool" }).first().click();
  await page.getByRole("dialog").waitFor();
  await page.goBack();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("heading", { level: 1, name: "Pools" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/pools");
  // Without a dialog it leads back, as ever.
  await page.goBack();
  await page.getByRole("heading", { level: 1, name: "Wallet" }).waitFor();
});

test.skipIf(missing)(
  "a click meets its target though the field that it leaves gets an error above it",
  async () => {
    const page = await createContainer();
    await page.getByLabel("Name", { exact: true }).pressSequentially("Not a label");
    await page.getByText(MORE).click();
    await page.getByLabel("Variables", { exact: true }).waitFor();
    await page.locator(".field-error").getByText("Only small letters").waitFor();
  },
);

test.skipIf(missing)("what the API refuses stands beside its field, and the field is in view", async () => {
  const page = await createContainer();
  await page.getByLabel("Name", { exact: true }).fill("refused");
  await page.getByLabel("Reference").fill("no such image!!");
  await page.getByText(MORE).click();
  await expectRefusal(page, "Reference", /./);
  await page.getByLabel("Reference").fill("debian:13");
  await page.getByLabel("Cores").fill("64");
  await expectRefusal(page, "Cores", /^Must be at most 2/);
  await page.getByLabel("Cores").fill("");
  await page.getByLabel("Variables", { exact: true }).fill("MODE=1\nA B=1");
  await expectRefusal(page, "Variables", /^Line 2: /);
  expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("refused");
});

const MORE = "Variables, ports, limits and labels";

async function createContainer(): Promise<Page> {
  const { page } = await visit(`${stack.url}/containers?create=true`);
  await signIn(page, user);
  await page.getByRole("button", { name: "Create the container" }).waitFor();
  return page;
}

async function expectRefusal(page: Page, label: string, message: RegExp): Promise<void> {
  await page.getByRole("button", { name: "Create the container" }).click();
  const field = page.getByLabel(label, { exact: true });
  const error = page.locator(".field").filter({ has: field }).locator(".field-error");
  await error.getByText(message).waitFor();
  await until(() => field.evaluate((one) => one === one.ownerDocument.activeElement));
}
