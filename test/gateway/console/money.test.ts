import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { lacksChromium } from "../../harness/browser.ts";
import { type SharedStack, sharedStack, type TestUser } from "../../harness/shared-stack.ts";
import { inStock, rent, rented } from "../routes/market/stock.ts";
import { drawn, goTo, signIn, visit } from "./visitor.ts";

/** What customers do about money: a rental that extends itself, whom invoices are made out to, and a month in one document. */

const missing = lacksChromium();
let stack: SharedStack;
let user: TestUser;
let page: Page;
let rentalId: string;
beforeAll(async () => {
  if (missing) return;
  stack = await sharedStack();
  user = await stack.user({ balance: "100.00" });
  ({
    rental: { id: rentalId },
  } = await rented(stack, user, `money-${crypto.randomUUID().slice(0, 8)}`));
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
  test("lets a rental extend itself, sees what it costs and when, and switches it off", async () => {
    await show(`/servers/${rentalId}`);
    await page.getByRole("button", { name: "Let it extend itself" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("At most, each time").fill("6.99");
    await dialog.getByRole("button", { name: "Let it extend itself" }).click();
    await dialog.getByText("One extension costs $7.00; raise the most that it may cost.").waitFor();
    await dialog.getByLabel("By how much at a time").selectOption("30");
    // What was typed stays.
    expect(await dialog.getByLabel("At most, each time").inputValue()).toBe("6.99");
    await dialog.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Let it extend itself" }).click();
    await dialog.getByLabel("By how much at a time").selectOption("30");
    // Another time has its own price, until one is typed.
    expect(await dialog.getByLabel("At most, each time").inputValue()).toBe("25.00");
    await dialog.getByRole("button", { name: "Let it extend itself" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText("By 30 days for $25.00").waitFor();
    await page.getByText(/^Next on /).waitFor();
    await show("/servers");
    await page.getByText("extends itself", { exact: true }).waitFor();
    await show(`/servers/${rentalId}`);
    await page.getByRole("button", { name: "Change" }).click();
    await dialog.getByRole("button", { name: "Switch it off" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Let it extend itself" }).waitFor();
  });

  test("is told before the click that a rental which ends within a day is extended and charged at once", async () => {
    const customer = await stack.user({ balance: "13.50" });
    const serverId = await inStock(stack, `near-${crypto.randomUUID().slice(0, 8)}`, {
      prices: { "1": 350 },
    });
    const { body } = await rent(stack, customer, serverId, { rental_days: 1, max_charge_cents: 350 });
    // Within the last quarter of a day.
    await stack.db`UPDATE rentals SET rental_end = now() + interval '5 hours' WHERE id = ${body.data.id}`;
    const { page } = await visit(`${stack.url}/servers/${body.data.id}`);
    await signIn(page, customer);
    await page.getByRole("button", { name: "Let it extend itself" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("extended and charged now, $3.50 at most. Your balance is $6.50 then.").waitFor();
    await dialog.getByRole("button", { name: "Extend now for $3.50" }).waitFor();
  });

  test.each([1280, 390])(
    "reads why the rental could not extend itself within its panel at %i pixels, and is led to what helps",
    async (width) => {
      const failure = {
        ...{ days: 7, maxChargeCents: 700, nextAt: new Date(Date.now() + 3_600_000).toISOString() },
        lastFailure: { code: "INSUFFICIENT_BALANCE", priceCents: 700, failedAt: new Date().toISOString() },
      };
      const other = await rented(stack, user, `failed-${crypto.randomUUID().slice(0, 8)}`);
      await stack.db`UPDATE rentals SET auto_extension = ${stack.db.json(failure)} WHERE id = ${other.rental.id}`;
      await page.setViewportSize({ width, height: 900 });
      await show(`/servers/${other.rental.id}`);
      const said = page.getByText("Could not be extended: your balance is too low");
      const place = await said.boundingBox();
      const panel = await page.locator("section.panel").first().boundingBox();
      if (place === null || panel === null) throw new Error("it is not shown");
      expect(place.x + place.width).toBeLessThan(panel.x + panel.width);
      await page.getByText(/^Tried again on /).waitFor();
      await page.getByRole("definition").getByRole("link", { name: "Top up" }).click();
      await page.getByRole("dialog", { name: "Top up" }).waitFor();
    },
  );

  test("gives billing details, and is told beside the field what is wrong with them", async () => {
    await show("/wallet/invoices");
    await page.getByRole("button", { name: "Add billing details" }).click();
    const dialog = page.getByRole("dialog");
    // Sent empty: the first field has the focus, and each says what it lacks.
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("Choose one.").waitFor();
    expect(await page.evaluate<string>("document.activeElement.name")).toBe("name");
    await dialog.getByLabel("Name or company").fill("Harbour Ltd");
    await dialog.getByLabel("Address").fill("Quay 1\n2nd floor");
    await dialog.getByLabel("Postal code").fill("20457");
    await dialog.getByRole("textbox", { name: "City" }).fill("Hamburg");
    await dialog.getByLabel("Country").selectOption("DE");
    await dialog.getByLabel("VAT id").fill("DE12");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("must be DE and then 9 digits").waitFor();
    await dialog.getByLabel("VAT id").fill("DE 123 456 789");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    for (const line of ["Harbour Ltd", "2nd floor", "20457 Hamburg", "VAT id DE123456789"])
      await page.getByText(line, { exact: true }).waitFor();
  });

  test("sees what a month did to the balance, and saves it as a file", async () => {
    await show("/wallet/statements");
    const lines = page.locator(".sum");
    await lines.getByText("-$21.00", { exact: true }).waitFor();
    for (const line of ["Opening balance$0.00", "3 × rental-$21.00", "Balance now$79.00"])
      expect(await lines.textContent()).toContain(line);
    await page.getByLabel("Month (UTC)").selectOption({ index: 1 });
    await lines.getByText("Nothing came or went").waitFor();
    await page.getByLabel("Month (UTC)").selectOption({ index: 0 });
    await lines.getByText("-$21.00", { exact: true }).waitFor();
    const month = new Date().toISOString().slice(0, 7);
    for (const kind of ["PDF", "CSV"]) {
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name: `Save as ${kind}` }).click();
      expect((await download).suggestedFilename()).toBe(`statement-${month}.${kind.toLowerCase()}`);
    }
  });
});
