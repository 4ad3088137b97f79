import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { lacksChromium } from "../../harness/browser.ts";
import { type SharedStack, sharedStack, type TestUser } from "../../harness/shared-stack.ts";
import { until } from "../../harness/until.ts";
import { rented } from "../routes/market/stock.ts";
import { axeFindings, drawn, goTo, signIn, visit } from "./visitor.ts";

/** What a customer reads before and after money is spent. */

/** The second click of a double click does nothing. */
const DOUBLE_CLICK_MS = 500;
const missing = lacksChromium();
let stack: SharedStack;
let user: TestUser;
let page: Page;
let rental: { id: string; server_id: string };
beforeAll(async () => {
  if (missing) return;
  stack = await sharedStack();
  user = await stack.user({ balance: "100.00" });
  ({ rental } = await rented(stack, user, `spent-${crypto.randomUUID().slice(0, 8)}`));
});
beforeEach(async () => {
  if (missing) return;
  ({ page } = await visit(stack.url));
  await signIn(page, user);
});
afterAll(() => stack?.stop());

const show = async (path: string) => {
  await goTo(page, path);
  await drawn(page);
};

describe.skipIf(missing)("a customer", () => {
  test("sees what an extension leaves of the balance, and is led to top up what is missing", async () => {
    await show(`/servers/${rental.id}`);
    await page.getByRole("button", { name: "Extend", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Your balance after it").waitFor();
    await dialog.getByText("$86.00", { exact: true }).waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
    await stack.actors
      .wallet(user.id)
      .charge({ amount_cents: 8_950, transaction_type: "rental", reason: "x" });
    await page.reload();
    await page.getByRole("button", { name: "Extend", exact: true }).click();
    await dialog.getByText("$3.50 are missing").waitFor();
    await dialog.getByRole("link", { name: "Top up" }).click();
    await page.waitForURL(
      ({ pathname, searchParams: asked }) =>
        pathname === "/wallet" &&
        asked.get("amount") === "4" &&
        Boolean(asked.get("back")?.startsWith(`/servers/${rental.id}?open=extend`)),
    );
    await stack.actors.wallet(user.id).credit({ amount: "89.50", reason: "x", idempotency_key: "back" });
  });

  test("is asked for billing details before the first invoice, and not again once it was issued without", async () => {
    await show("/wallet");
    const make = page.getByRole("button", { name: "Make an invoice" });
    await make.first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("An invoice that is issued stays as it is.").waitFor();
    await dialog.getByRole("button", { name: "Issue it without" }).click();
    await page.getByRole("button", { name: /^PDF of INV-/ }).waitFor();
    const issuedAt = performance.now();
    await until(async () => performance.now() - issuedAt > DOUBLE_CLICK_MS);
    await make.first().click();
    await page
      .getByRole("button", { name: /^PDF of INV-/ })
      .nth(1)
      .waitFor();
  });

  test("reads beside the reason of a refund what was refunded", async () => {
    const charge = { amount_cents: 200, transaction_type: "rental", reason: "A week of node-9" } as const;
    const { value } = await stack.actors.wallet(user.id).charge(charge);
    const admin = await stack.user({ role: "admin" });
    const body = { reason: "An hour down", idempotency_key: crypto.randomUUID() };
    const path = `/api/v1/admin/transactions/${value.transaction_id}/refund`;
    await stack.call("POST", path, { token: admin.token, body });
    await show("/wallet");
    const row = page.getByRole("row", { name: /An hour down/ });
    await row.getByText("Refund of A week of node-9").waitFor();
    // A credit note corrects an invoice: there is none yet.
    expect(await row.getByRole("button").count()).toBe(0);
    await page.getByRole("button", { name: "Make an invoice: A week of node-9" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Issue it without" }).click();
    await row.getByRole("button", { name: "Make a credit note: An hour down" }).waitFor();
  });

  test("gets no invoice of money that nobody has paid, and what is at an operator's address is not found", async () => {
    const gift = { amount: "1.00", reason: "A present", idempotency_key: "present" };
    await stack.actors.wallet(user.id).credit(gift);
    await show("/wallet");
    const row = page.getByRole("row", { name: /A present/ });
    await row.waitFor();
    expect(await row.getByRole("button").count()).toBe(0);
    await show("/operator/users");
    await page.getByRole("heading", { level: 1, name: "Not found" }).waitFor();
  });

  test("comes to the rental by the id of its server, which events and notices name", async () => {
    await show(`/servers/${rental.server_id}`);
    await page.getByRole("button", { name: "Extend", exact: true }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });
});
