import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { lacksChromium } from "../../harness/browser.ts";
import { type SharedStack, sharedStack } from "../../harness/shared-stack.ts";
import { until } from "../../harness/until.ts";
import { axeFindings, signIn, visit } from "./visitor.ts";

/** What nobody can read again stays until its own button closes it; what is not there has a way back. */

const DOUBLE_CLICK_MS = 500;
const missing = lacksChromium();
let stack: SharedStack;
beforeAll(async () => {
  if (!missing) stack = await sharedStack();
});
afterAll(() => stack?.stop());

async function open(path: string): Promise<Page> {
  const { page } = await visit(stack.url + path);
  await signIn(page, await stack.user());
  return page;
}

test.skipIf(missing)("a new token stays on Escape, on a click beside it and on Back", async () => {
  const page = await open("/account");
  await page.getByRole("link", { name: "API tokens" }).click();
  await page.getByRole("button", { name: "Create a token" }).click();
  const form = page.getByRole("dialog", { name: "Create a token" });
  await page.keyboard.press("Escape");
  await form.waitFor({ state: "detached" });

  await page.getByRole("button", { name: "Create a token" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("deploy");
  await page.getByRole("button", { name: "Create the token" }).click();
  const shown = page.getByRole("dialog", { name: "The token" });
  await shown.waitFor();
  await page.keyboard.press("Escape");
  // Later than the second click of a double click, which is not meant for what is beside the dialog.
  const shownAt = await page.evaluate<number>("performance.now()");
  await until(async () => (await page.evaluate<number>("performance.now()")) - shownAt > DOUBLE_CLICK_MS);
  await page.mouse.click(5, 890);
  await shown.waitFor();
  await page.evaluate("history.back()");
  expect(await shown.getByRole("button", { name: "Close" }).count()).toBe(0);
  await shown.getByRole("button", { name: "I have copied it" }).click();
  await shown.waitFor({ state: "detached" });
  expect(new URL(page.url()).pathname).toBe("/account/tokens");
});

test.skipIf(missing)(
  "a user name of 63 letters stays within the dialog that deletes the account",
  async () => {
    const name = crypto.randomUUID().slice(0, 8);
    const username = name.padEnd(63, "w");
    const body = { username, email: `${name}@example.com`, password: "correct horse battery" };
    await stack.call("POST", "/api/v1/auth/signup", { body });
    const { page } = await visit(`${stack.url}/account`);
    await signIn(page, body);
    await page.getByRole("button", { name: "Delete the account" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Your user name").fill("another");
    await dialog.getByLabel("Current password").fill("whatever it is");
    await dialog.getByRole("button", { name: "Delete the account for good" }).click();
    await dialog.getByRole("alert").waitFor();
    const overflow = await dialog.evaluate((element) => element.scrollWidth - element.clientWidth);
    expect(overflow).toBe(0);
  },
);

test.skipIf(missing).each([
  ["/containers/000000000000000000000000", "/containers"],
  ["/containers/000000000000000000000000/firewall", "/containers"],
  ["/servers/000000000000000000000000", "/servers"],
  ["/pools/nonsense", "/pools"],
  ["/account/webhooks/000000000000000000000000", "/account/webhooks"],
])("%s, which is not there, leads back to %s", async (path, list) => {
  const page = await open(path);
  const back = page.getByRole("link", { name: "Back to the list" });
  await back.waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await back.click();
  await page.waitForURL(`**${list}`);
});
