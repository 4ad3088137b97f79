import { afterAll, beforeAll, expect, test } from "bun:test";
import { lacksChromium } from "../../harness/browser.ts";
import { type EmbeddedStack, startEmbeddedStack } from "../../harness/embedded-stack.ts";
import { SANDBOX_ENV } from "../routes/billing/top-up/processors.ts";
import { signIn, visit } from "./visitor.ts";

const missing = lacksChromium();
let stack: EmbeddedStack;
beforeAll(async () => {
  if (!missing) stack = await startEmbeddedStack({ env: SANDBOX_ENV });
});
afterAll(() => stack?.stop());

test.skipIf(missing)(
  "what is missing is suggested for a top-up, and whoever comes back from its page finds it unpaid, and no dialog over it",
  async () => {
    const { page } = await visit(`${stack.url}/wallet?top_up=true&amount=37`);
    await signIn(page, await stack.user());
    const dialog = page.getByRole("dialog", { name: "Top up" });
    expect(await dialog.getByLabel("Amount").inputValue()).toBe("37");
    await dialog.getByRole("button", { name: "Go to the payment page" }).click();
    await page.waitForURL("**/sandbox/cardpay/*");
    await page.goBack();
    await page.getByRole("link", { name: "Pay $37.00" }).waitFor();
    expect(await dialog.count()).toBe(0);

    // No less than the least that the processor takes.
    await page.goto(`${stack.url}/wallet?top_up=true&amount=1`);
    await dialog.waitFor();
    expect(await dialog.getByLabel("Amount").inputValue()).toBe("5");
  },
);
