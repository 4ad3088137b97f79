import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { lacksChromium } from "../../harness/browser.ts";
import { type SharedStack, sharedStack } from "../../harness/shared-stack.ts";
import { until } from "../../harness/until.ts";
import { inStock } from "../routes/market/stock.ts";
import { signIn, visit, withoutRefusals } from "./visitor.ts";

const missing = lacksChromium();
let stack: SharedStack;
beforeAll(async () => {
  if (missing) return;
  stack = await sharedStack();
});
afterAll(() => stack?.stop());

/** More cores than a server of any other test has, so that the filter leaves it alone. */
const specs = { cpu_cores: 4_000, ram_gb: 64, country: "DE" };
const unique = (name: string) => `${name}-${crypto.randomUUID().slice(0, 8)}`;

test.skipIf(missing)(
  "by mouse: from a sign-up to a server, a container, a rule and a name, an extension and an invoice, with each change shown by itself",
  async () => {
    const { page, errors } = await visit(`${stack.url}/sign-up`);
    const [username, server] = [unique("mouse"), unique("by-mouse")];
    await inStock(stack, server, { specs });
    await page.getByLabel("User name").fill(username);
    await page.getByLabel("E-mail address").fill(`${username}@example.com`);
    await page.getByLabel("Password").fill("correct horse battery");
    await page.getByRole("button", { name: "Create the account" }).click();
    await page.getByRole("link", { name: "Top up" }).first().waitFor();

    // What a payment brings is seen without a reload.
    const [user] = await stack.db<{ id: string }[]>`SELECT id FROM accounts WHERE username = ${username}`;
    await stack.actors
      .wallet(user?.id ?? "")
      .credit({ amount: "50.00", reason: "flow", idempotency_key: "flow" });
    await page.getByRole("region", { name: "Balance" }).getByText("$50.00").waitFor();

    await page.getByRole("link", { name: "See the servers" }).click();
    await page.getByLabel("Cores").selectOption("64");
    await page.getByRole("button", { name: `Rent ${server}` }).click();
    await page.getByRole("dialog").getByText("$43.00").waitFor();
    await page.getByRole("button", { name: "Rent for $7.00" }).click();
    await page.getByRole("heading", { level: 1, name: server }).waitFor();

    await page.getByRole("link", { name: "Create a container" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Not a label");
    await page.getByRole("button", { name: "Create the container" }).click();
    await page.locator(".field-error").first().waitFor();
    await page.getByLabel("Name", { exact: true }).fill("shop");
    await page.getByLabel("Reference").fill("debian:13");
    await page.getByText("Variables, ports, limits and labels").click();
    await page.getByLabel("Variables", { exact: true }).fill("MODE=production\nQUERY=a=b");
    await page.getByLabel("Secret variables").fill("TOKEN=hunter2");
    await page.getByLabel("Ports").fill("web=8080");
    await page.getByLabel("Memory, MiB").fill("256");
    await page.getByRole("button", { name: "Create the container" }).click();
    await page.getByRole("heading", { level: 1, name: "shop" }).waitFor();
    for (const text of ["MODE=production, QUERY=a=b, TOKEN=(secret)", "web: 8080 (http)", "256 MiB memory"])
      await page.getByText(text).waitFor();

    await openTab(page, "Firewall");
    await page.getByRole("button", { name: "Add a rule" }).click();
    await page.getByText("This is the first rule").waitFor();
    await page.getByLabel("Preset").selectOption({ label: "SSH" });
    await page.getByRole("button", { name: "Add the rule" }).click();
    await page.getByRole("cell", { name: "tcp port 22", exact: true }).waitFor();
    await page.getByRole("checkbox", { name: /tcp port 22 is enabled/ }).click();
    await page.getByRole("checkbox", { name: /tcp port 22 is enabled/, checked: false }).waitFor();

    await openTab(page, "Names");
    await page.getByRole("button", { name: "Create a name" }).click();
    await page.getByLabel("Name", { exact: true }).fill("ab");
    await page.getByRole("button", { name: "Create the name" }).click();
    await page.locator(".field-error").first().waitFor();
    await page.getByLabel("Name", { exact: true }).fill("shop");
    await page.getByRole("button", { name: "Create the name" }).click();
    await page.getByRole("link", { name: new RegExp(`^shop\\.${server}`) }).waitFor();

    await openTab(page, "Events");
    await page.getByText("proxy_alias.created").waitFor();

    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Servers" }).click();
    await page.getByRole("link", { name: server }).click();
    await page.getByRole("button", { name: "Extend" }).click();
    await page.getByRole("button", { name: "Extend for $7.00" }).click();
    await page.getByText("$7.00 were charged").waitFor();

    await page
      .getByRole("navigation", { name: "Pages" })
      .getByRole("link", { name: /^Wallet/ })
      .click();
    await page.getByRole("region", { name: "Balance" }).getByText("$36.00").waitFor();
    await page.getByRole("button", { name: "Make an invoice" }).first().click();
    await openTab(page, "Invoices");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: /^PDF of INV-/ }).click();
    expect((await download).suggestedFilename()).toMatch(/^INV-\d{4}-\d+\.pdf$/);

    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(withoutRefusals(errors)).toEqual([]);
    await page.context().close();
  },
);

const openTab = (page: Page, name: string) =>
  page.locator("nav.tabs").getByRole("link", { name, exact: true }).click();

test.skipIf(missing)(
  "by keyboard alone: sign in, find by the palette, rent, create, add a rule and sign out",
  async () => {
    const owner = await stack.user({ balance: "50.00" });
    const server = unique("by-keys");
    await inStock(stack, server, { specs });
    const { page } = await visit(stack.url);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.keyboard.type(owner.username);
    await page.keyboard.press("Tab");
    await page.keyboard.type(owner.password);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Home" }).waitFor();

    await choose(page, "Marketplace");
    await page.getByRole("heading", { name: "Marketplace" }).waitFor();
    await page.getByRole("button", { name: `Rent ${server}` }).waitFor();
    await tabTo(page, `Rent ${server}`);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await tabTo(page, "Rent for $7.00");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: server }).waitFor();

    await choose(page, "Create a container");
    await page.getByRole("dialog").getByLabel("Name", { exact: true }).waitFor();
    await page.keyboard.type("keys");
    await tabTo(page, "Reference");
    await page.keyboard.type("debian:13");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "keys" }).waitFor();

    await tabTo(page, "Firewall");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Add a rule" }).waitFor();
    await tabTo(page, "Add a rule");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await tabTo(page, "Port");
    await page.keyboard.type("443");
    await page.keyboard.press("Enter");
    await page.getByRole("cell", { name: "tcp port 443", exact: true }).waitFor();

    await page.getByRole("dialog").waitFor({ state: "detached" });
    // A dialog gives the focus back to what opened it, whether it was sent or left.
    await until(async () => (await focused(page)).includes("Add a rule"));
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await until(async () => (await focused(page)).includes("Add a rule"));

    await choose(page, "Sign out");
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.context().close();
  },
);

/** Picks an entry of the palette by its name. */
async function choose(page: Page, name: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await page
    .getByRole("searchbox")
    .or(page.getByRole("combobox", { name: /Search pages/ }))
    .first()
    .waitFor();
  await page.keyboard.type(name);
  await page
    .getByRole("menuitem", { name: new RegExp(name) })
    .first()
    .waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
}

/** The names of what has the focus. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
    const { activeElement: it } = document;
    // Nothing has it; the body's text would be that of the whole page.
    if (it === document.body) return "";
    return [it.getAttribute("aria-label"), it.innerText, ...[...(it.labels ?? [])].map((label) => label.innerText)].join("|");
  })()`);

const TABS_MAX = 80;

async function tabTo(page: Page, name: string): Promise<void> {
  for (let tabs = 0; tabs < TABS_MAX; tabs++) {
    await page.keyboard.press("Tab");
    if ((await focused(page)).split(/[|\n]/).some((one) => one.trim() === name)) return;
  }
  throw new Error(`${name} is not reached by ${TABS_MAX} tabs`);
}

test.skipIf(missing)("a price that was raised meanwhile is refused, shown and asked again", async () => {
  const owner = await stack.user({ balance: "50.00" });
  const server = unique("raised");
  const id = await inStock(stack, server, { specs });
  const { page } = await visit(`${stack.url}/marketplace`);
  await signIn(page, owner);
  await page.getByRole("button", { name: `Rent ${server}` }).click();
  await stack.actors.server(id).update({ prices: { "7": 900 } });
  await page.getByRole("button", { name: "Rent for $7.00" }).click();
  await page.getByText("The price has changed").waitFor();
  await page.getByRole("button", { name: "Close" }).first().click();
  await page.getByRole("button", { name: `Rent ${server}` }).click();
  await page.getByRole("button", { name: "Rent for $9.00" }).click();
  await page.getByRole("heading", { level: 1, name: server }).waitFor();
  await page.context().close();
});
