import { afterAll, beforeAll, expect, test } from "bun:test";
import { lacksChromium } from "../../harness/browser.ts";
import { type EmbeddedStack, startEmbeddedStack } from "../../harness/embedded-stack.ts";
import { until } from "../../harness/until.ts";
import { makePool } from "../routes/accounts/pool/team.ts";
import { SANDBOX_ENV } from "../routes/billing/top-up/processors.ts";
import { inStock } from "../routes/market/stock.ts";
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

test.skipIf(missing)(
  "who lacks the money for an order tops up, and comes back to the order with all that was chosen",
  async () => {
    const user = await stack.user();
    const pool = await makePool(stack, user, "team");
    const name = `back-${crypto.randomUUID().slice(0, 8)}`;
    const id = await inStock(stack, name);
    const { page } = await visit(`${stack.url}/marketplace`);
    await signIn(page, user);
    await page.getByRole("button", { name: `Rent ${name}` }).click();
    const dialog = page.getByRole("dialog", { name: `Rent ${name}` });
    await dialog.getByLabel("For how long").selectOption({ label: "30 days: $25.00" });
    await dialog.getByLabel("Pool").selectOption({ label: "team" });
    await dialog.getByRole("link", { name: "Top up" }).click();
    await page.getByText("The payment leads back to your order.").waitFor();
    await page.getByRole("button", { name: "Go to the payment page" }).click();
    const leave = page.getByRole("link", { name: "Back to your order" });
    expect(await leave.getAttribute("href")).toBe(`/marketplace?rent=%22${id}%22&days=30&pool=%22${pool}%22`);
    await page.locator("button.pay").click();
    await page.getByText("Paid").first().waitFor();
    await page.getByRole("link", { name: "To your wallet" }).waitFor();
    await page.getByRole("link", { name: "Go on with your order" }).click();
    await dialog.waitFor();
    expect(await dialog.getByLabel("For how long").inputValue()).toBe("30");
    await until(async () => (await dialog.getByLabel("Pool").inputValue()) === pool);
    await dialog.getByRole("button", { name: "Rent for $25.00" }).click();
    await page.getByRole("heading", { level: 1, name }).waitFor();

    // Too little for an extension as well: it is asked for with its duration.
    await page.getByRole("button", { name: "Extend", exact: true }).click();
    const extension = page.getByRole("dialog", { name: `Extend ${name}` });
    await extension.getByLabel("For how long").selectOption("30");
    const { pathname } = new URL(page.url());
    const way = await extension.getByRole("link", { name: "Top up" }).getAttribute("href");
    expect(new URLSearchParams(way?.split("?")[1]).get("back")).toBe(`${pathname}?open=extend&days=30`);
    await page.goto(`${stack.url}${pathname}?open=extend&days=30`);
    await extension.waitFor();
    expect(await extension.getByLabel("For how long").inputValue()).toBe("30");

    // Somebody else has rented it meanwhile.
    await page.goto(`${stack.url}/marketplace?rent=%22${id}%22&days=30`);
    await page.getByText("The server that you wanted to rent is no longer in stock.").waitFor();
  },
);

test("the way back from a payment leads to pages of this Berth alone", async () => {
  const back = async (path: string) => {
    const cookie = `other=1; berth-way-back=${encodeURIComponent(path)}`;
    const page = await (await fetch(`${stack.url}/payments/return`, { headers: { cookie } })).text();
    return /href="([^"]*)" autofocus/.exec(page)?.[1];
  };
  if (missing) return;
  expect(await back("/servers/0123?open=extend&days=7")).toBe("/servers/0123?open=extend&amp;days=7");
  for (const path of [
    "//evil.example/x",
    "https://evil.example",
    "/\\evil.example",
    '/a"><b>',
    "javascript:x",
    "",
  ])
    expect(await back(path)).toBe("/wallet");
});
