import { afterAll, beforeAll, expect, test } from "bun:test";
import { newId } from "../../../actors/platform/ids.ts";
import { lacksChromium } from "../../harness/browser.ts";
import { type EmbeddedStack, startEmbeddedStack } from "../../harness/embedded-stack.ts";
import { until } from "../../harness/until.ts";
import { as } from "../routes/accounts/pool/team.ts";
import { opened, SANDBOX_ENV } from "../routes/billing/top-up/processors.ts";
import { balanceOf, rent, rented } from "../routes/market/stock.ts";
import { goTo, signIn, visit } from "./visitor.ts";

const missing = lacksChromium();
let stack: EmbeddedStack;
beforeAll(async () => {
  if (!missing) stack = await startEmbeddedStack({ env: SANDBOX_ENV });
});
afterAll(() => stack?.stop());

test.skipIf(missing)(
  "a rental, a reservation and an unpaid top-up are given up by a button that says first what that means",
  async () => {
    const user = await stack.user({ balance: "20.00" });
    const { rental } = await rented(stack, user, "given-up");
    const offer = newId();
    await stack.actors
      .offer(offer)
      .create({ name: "to-order", lead_time_hours: 1, pricing_rules: { "7": 300 }, specs: {} });
    const reserve = { days: 7, max_charge_cents: 300, idempotency_key: "reserved" };
    await as(stack, user)("POST", `/offers/${offer}/reserve`, reserve);
    await opened(stack, user, "25");
    expect(await balanceOf(stack, user)).toBe("10.00");

    const { page } = await visit(`${stack.url}/wallet`);
    await signIn(page, user);
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Cancel" }).click();
    await dialog.getByText("A payment that still arrives is added").waitFor();
    await dialog.getByRole("button", { name: "Cancel the top-up" }).click();
    await until(async () => (await page.getByText("Not paid yet").count()) === 0);

    await goTo(page, "/");
    await page.getByText("to-order: being prepared").waitFor();
    await page.getByRole("link", { name: "to-order", exact: true }).click();
    await page.getByRole("heading", { name: "Reserved for you" }).waitFor();
    await page.getByRole("cell", { name: "being prepared" }).waitFor();
    await page.getByRole("button", { name: "Cancel to-order" }).click();
    await dialog.getByText("$3.00 return to your balance").waitFor();
    await dialog.getByRole("button", { name: "Cancel the reservation" }).click();
    await page.getByRole("heading", { name: "Reserved for you" }).waitFor({ state: "detached" });
    await goTo(page, "/marketplace");
    await page.getByText("cancelled, $3.00 returned", { exact: true }).waitFor();
    await until(async () => (await balanceOf(stack, user)) === "13.00");

    await goTo(page, `/servers/${rental.id}`);
    await page.getByRole("button", { name: "End the rental" }).click();
    await dialog.getByText("Nothing is refunded").waitFor();
    await dialog.getByRole("button", { name: "End the rental" }).click();
    await page.getByText("Ended", { exact: true }).waitFor();
    expect(await balanceOf(stack, user)).toBe("13.00");
  },
);

test.skipIf(missing)(
  "a server that was never delivered is given up by a dialog that promises the money back, which comes",
  async () => {
    const user = await stack.user({ balance: "20.00" });
    const server = newId();
    await stack.actors.server(server).create({
      name: "late",
      specs: {},
      prices: { "7": 700 },
      setup_fee_cents: 300,
      delivered_by_hand: true,
    });
    const { body } = await rent(stack, user, server, { rental_days: 7, max_charge_cents: 1_000 });
    const { page } = await visit(`${stack.url}/servers/${body.data.id}`);
    await signIn(page, user);
    await page.getByText("7 days, from when it is ready").waitFor();
    await goTo(page, "/account");
    await page.getByRole("button", { name: "Delete the account" }).click();
    await page.getByRole("dialog").getByText("late, which is not delivered yet").waitFor();
    await page.keyboard.press("Escape");
    await goTo(page, `/servers/${body.data.id}`);
    await page.getByRole("button", { name: "End the rental" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("All that you paid for it returns to your balance").waitFor();
    await dialog.getByRole("button", { name: "End the rental" }).click();
    await page.getByText("Ended", { exact: true }).waitFor();
    await until(async () => (await balanceOf(stack, user)) === "20.00");
    // The navigation has it without a reload.
    await page.getByRole("link", { name: "Balance" }).getByText("$20.00").waitFor();
  },
);

test.skipIf(missing)(
  "a payment that came to nothing is tried again with the amount and the way that it had",
  async () => {
    const { page } = await visit(`${stack.url}/wallet?top_up=true&amount=30.5&by=cryptopay`);
    await signIn(page, await stack.user());
    const dialog = page.getByRole("dialog", { name: "Top up" });
    expect(await dialog.getByLabel("Amount").inputValue()).toBe("30.5");
    expect(await dialog.getByLabel("Pay by").inputValue()).toBe("cryptopay");
    await dialog.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Top up" }).click();
    expect(await dialog.getByLabel("Amount").inputValue()).toBe("25");
  },
);
