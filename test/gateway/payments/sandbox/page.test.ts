import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { returnAddress } from "../../../../gateway/payments/return-address.ts";
import { lacksChromium } from "../../../harness/browser.ts";
import { type EmbeddedStack, startEmbeddedStack, type TestUser } from "../../../harness/embedded-stack.ts";
import { openPage } from "../../../harness/open-page.ts";
import { localhostOf } from "../../../harness/virtual-authenticator.ts";
import {
  balanceOf,
  has,
  intentOf,
  opened,
  SANDBOX_ENV,
  SECRETS,
} from "../../routes/billing/top-up/processors.ts";
import { contrastOf } from "./contrast.ts";

let stack: EmbeddedStack;
let user: TestUser;
beforeAll(async () => {
  stack = await startEmbeddedStack({ env: SANDBOX_ENV });
  user = await stack.user();
});
afterAll(() => stack.stop());

const SHOTS = process.env.BERTH_SCREENSHOTS;

describe.skipIf(lacksChromium())("in Chromium", () => {
  test("the page says what is paid and to whom; Pay credits the wallet and leads to the return page", async () => {
    const { id, intent } = await opened(stack, user, "25");
    const { page, errors } = await openPage(intent.redirect_url);
    expect(await page.title()).toBe("Pay 25.00 USD · Berth");
    const text = await page.textContent("main");
    for (const part of ["Sandbox.", "25.00 USD", "Card payment (cardpay)", id]) expect(text).toContain(part);
    for (const name of ["Pay", "Fail", "Let it expire"]) {
      const button = page.getByRole("button", { name: new RegExp(`^${name}`) });
      expect((await button.locator("span").textContent())?.length).toBeGreaterThan(20);
    }
    await page.getByRole("button", { name: /^Pay/ }).click();
    await page.waitForURL(/\/payments\/return\?outcome=paid&/);
    await has(stack, user, id, "completed");
    // The page looks by itself until the payment is confirmed.
    await page.getByText("$25.00 was added to your balance.").waitFor();
    expect(await page.textContent(".amount")).toBe("$25.00");
    expect(await page.getByRole("link", { name: "To your wallet" }).getAttribute("href")).toBe("/wallet");
    expect(await balanceOf(stack, user)).toBe("25.00");

    await page.goto(intent.redirect_url);
    expect(await page.textContent("[role=status]")).toContain("Paid");
    expect(await page.getByRole("button").count()).toBe(0);
    await page.getByRole("link", { name: "Return" }).click();
    await page.waitForURL(/payments\/return/);
    expect(errors).toEqual([]);
  });

  test("by keyboard alone: Fail ends the intent, and Pay late credits it after all", async () => {
    const before = Number(await balanceOf(stack, user));
    const { id, intent } = await opened(stack, user, "30");
    const { page, errors } = await openPage(intent.redirect_url);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    expect(await page.evaluate<string>("document.activeElement.textContent")).toStartWith("Fail");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/payments\/return\?outcome=failed&/);
    expect(await page.textContent("[role=status]")).toContain("The payment failed");
    expect((await intentOf(stack, user, id)).status).toBe("failed");
    await page.goto(intent.redirect_url);
    expect(await page.textContent("[role=status]")).toContain("Failed");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL(/outcome=paid&/);
    await has(stack, user, id, "completed");
    expect(Number(await balanceOf(stack, user))).toBe(before + 30);
    expect(errors).toEqual([]);
  });

  test("whoever reaches this machine by another of its names comes back under that name", async () => {
    const here = localhostOf(stack.url);
    const { body } = await stack.call("POST", "/api/v1/wallet/payments/cardpay/checkout", {
      token: user.token,
      body: { amount: "20", idempotency_key: "by-another-name" },
      headers: { origin: here },
    });
    expect(body.data.checkout_url).toStartWith(`${here}/sandbox/`);
    const { page } = await openPage(body.data.checkout_url);
    await page.getByRole("button", { name: /^Pay/ }).click();
    await page.waitForURL(/\/payments\/return\?outcome=paid&/);
    expect(page.url()).toStartWith(here);
  });

  test("Let it expire ends the intent at once", async () => {
    const { id, intent } = await opened(stack, user, "25");
    const { page } = await openPage(intent.redirect_url);
    await page.getByRole("button", { name: /^Let it expire/ }).click();
    await page.waitForURL(/outcome=expired&/);
    expect((await intentOf(stack, user, id)).status).toBe("expired");
  });

  test.each([
    ["light", { width: 1000, height: 800 }],
    ["dark", { width: 1000, height: 800 }],
    ["light", { width: 320, height: 640 }],
    ["dark", { width: 320, height: 640 }],
  ] as const)(
    "in %s at %j nothing is cut off, and text stands out from its ground",
    async (colorScheme, viewport) => {
      const { intent } = await opened(stack, user, "9999.99");
      const { page, errors } = await openPage(intent.redirect_url, { colorScheme, viewport });
      const width = await page.evaluate<number>("document.documentElement.scrollWidth");
      expect(width).toBeLessThanOrEqual(viewport.width);
      for (const selector of [
        ".banner",
        ".amount",
        "dt",
        "button.pay",
        "button.pay span",
        "button.fail",
        "button span",
      ]) {
        const ratio = await contrastOf(page, selector);
        expect({ selector, isReadable: ratio >= 4.5 }).toEqual({ selector, isReadable: true });
      }
      if (SHOTS) await page.screenshot({ path: `${SHOTS}/${colorScheme}-${viewport.width}.png` });
      expect(errors).toEqual([]);
    },
  );
});

test("pages run no script, load nothing, and may not be framed", async () => {
  const { intent } = await opened(stack, user, "25");
  for (const url of [intent.redirect_url, `${stack.url}/payments/return?outcome=paid`]) {
    const response = await fetch(url);
    const policy = response.headers.get("content-security-policy") ?? "";
    const [, nonce = ""] = /style-src 'nonce-([\w-]+)'/.exec(policy) ?? [];
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("script-src");
    expect(await response.text()).toContain(`<style nonce="${nonce}">`);
    const again = await fetch(url);
    expect(again.headers.get("content-security-policy")).not.toBe(policy);
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
  }
});

test("a session that is not there has no page, and an outcome that nobody knows is shown as none", async () => {
  const { intent } = await opened(stack, user, "25");
  const other = intent.redirect_url.replace("/cardpay/", "/cryptopay/");
  for (const url of [other, `${stack.url}/sandbox/cardpay/sbx_${"0".repeat(40)}`]) {
    expect((await fetch(url)).status).toBe(404);
    expect((await fetch(url, { method: "POST", body: "action=pay" })).status).toBe(404);
  }
  const page = await (await fetch(`${stack.url}/payments/return?outcome=%3Cb%3E`)).text();
  expect(page).toContain("You are back");
  expect(page).not.toContain("<b>");
});

test("the return page says the state of the payment whose mark it has, looks again while that is open, and else says nothing", async () => {
  const { id, intent } = await opened(stack, user, "25");
  const left = await fetch(intent.redirect_url, {
    method: "POST",
    body: "action=expire",
    redirect: "manual",
  });
  const address = left.headers.get("location") ?? "";
  expect(new URL(address).searchParams.get("payment")).toStartWith(`${id}.`);
  const expired = await fetch(address);
  const said = await expired.text();
  expect(said).toContain("The payment has expired");
  // The same once more.
  expect(said).toContain('href="/wallet?top_up=true&amp;amount=25&amp;by=cardpay"');
  expect(expired.headers.get("refresh")).toBeNull();

  const open = await opened(stack, user, "33");
  const own = returnAddress(`${stack.url}/payments/return`, [SECRETS.older], open.id, "paid");
  const waiting = await fetch(own);
  const text = await waiting.text();
  for (const part of ["33.00", "Waiting for the confirmation"]) expect(text).toContain(part);
  const refresh = waiting.headers.get("refresh") ?? "";
  expect(refresh).toStartWith("3; url=/payments/return?outcome=paid&payment=");
  expect(refresh).toEndWith("&looks=1");
  expect((await fetch(`${own}&looks=100`)).headers.get("refresh")).toStartWith("30; ");
  expect((await fetch(`${own}&looks=500`)).headers.get("refresh")).toBeNull();

  const canceled = await (await fetch(own.replace("outcome=paid", "outcome=canceled"))).text();
  expect(canceled).toContain("The payment was left");
  expect(canceled).toContain(open.intent.redirect_url);
  for (const other of [own.replace(open.id, id), own.slice(0, -1), `${own}0`]) {
    const hidden = await (await fetch(other)).text();
    expect(hidden).toContain("Thank you");
    expect(hidden).not.toContain("33.00");
    expect(hidden).not.toContain("25.00");
  }
});
