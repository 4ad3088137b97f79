import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { until } from "../../harness/until.ts";
import type { Hands } from "./hands.ts";
import { picture } from "./pictures.ts";

/** A customer's whole way through the console, from the sign-up to the invoice. */

const PASSWORD = "correct horse battery";

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true }).first();
const tab = (page: Page, name: string) => page.locator("nav.tabs").getByRole("link", { name, exact: true });

export interface Customer {
  readonly name: string;
  /** The server to rent, and what the first of its durations costs. */
  readonly server: string;
  readonly price: string;
  /** Chooses what the new container is made of: a program that greets on port 8080. */
  chooseImage(page: Page, hands: Hands): Promise<void>;
}

/** @param page at the sign-up */
export async function walkAsCustomer(page: Page, hands: Hands, customer: Customer): Promise<void> {
  const { name, server, price } = customer;
  await signUp(page, hands, name);
  await topUp(page, hands);
  await rent(page, hands, server, price);
  await createContainer(page, hands, customer);
  await openToTheWorld(page, hands, name);
  await runInTerminal(page, hands);
  await uploadFile(page, hands);
  await hands.press(tab(page, "Logs"));
  await page.getByText("web server: port 8080").waitFor();
  await hands.press(tab(page, "Events"));
  await page.getByText("container.terminal_opened").waitFor();
  await extendAndInvoice(page, hands, server, price);
  await hands.goTo("Home");
  await page.getByText("Invoice INV-").waitFor();
  await picture(page, "home");
  await hands.press(button(page, "Sign out"));
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
}

async function signUp(page: Page, hands: Hands, name: string): Promise<void> {
  await hands.write(field(page, "User name"), name);
  await hands.write(field(page, "E-mail address"), `${name}@example.com`);
  await hands.write(field(page, "Password"), PASSWORD);
  await hands.press(button(page, "Create the account"));
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
}

async function topUp(page: Page, hands: Hands): Promise<void> {
  await hands.press(page.locator(".steps").getByRole("link", { name: "Top up" }));
  await hands.write(field(page, "Amount"), "40");
  await hands.press(button(page, "Go to the payment page"));
  await hands.press(page.getByRole("button", { name: /^Pay/ }));
  await hands.press(page.getByRole("link", { name: "To your wallet" }));
  await page
    .locator("#page")
    .getByRole("region", { name: "Balance", exact: true })
    .getByText("$40.00")
    .waitFor();
}

async function rent(page: Page, hands: Hands, server: string, price: string): Promise<void> {
  await hands.goTo("Marketplace");
  await page.getByRole("button", { name: `Rent ${server}` }).waitFor();
  await picture(page, "marketplace");
  await hands.press(button(page, `Rent ${server}`));
  await hands.press(button(page, `Rent for ${price}`));
  await page.getByRole("heading", { level: 1, name: server }).waitFor();
}

async function createContainer(page: Page, hands: Hands, { chooseImage }: Customer): Promise<void> {
  await hands.press(page.getByRole("link", { name: "Create a container" }));
  await hands.write(field(page, "Name"), "shop");
  await chooseImage(page, hands);
  await hands.press(button(page, "Create the container"));
  // It says by itself that it runs.
  await page.locator("h1").getByText("running").waitFor();
}

/** A rule, a name, and what a stranger sees under it. */
async function openToTheWorld(page: Page, hands: Hands, name: string): Promise<void> {
  await hands.press(tab(page, "Firewall"));
  await hands.press(button(page, "Add a rule"));
  await hands.write(field(page, "Port"), "8080");
  await hands.press(button(page, "Add the rule"));
  await page.getByRole("cell", { name: "TCP port 8080", exact: true }).waitFor();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  // A dialog gives the focus back to what opened it.
  const opener = button(page, "Add a rule");
  await until(() => opener.evaluate((element) => element === element.ownerDocument.activeElement));
  await hands.press(tab(page, "Names"));
  await hands.press(button(page, "Create a name"));
  await hands.write(field(page, "Name"), `${name}-shop`);
  await hands.write(field(page, "Port"), "8080");
  await hands.press(button(page, "Create the name"));
  const link = page.getByRole("link", { name: new RegExp(`^${name}-shop\\.`) });
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const opened = page.context().waitForEvent("page");
  await hands.press(link);
  const shop = await opened;
  await shop.getByText("Hello from shop, a container of an image.").waitFor();
  await shop.close();
}

async function runInTerminal(page: Page, hands: Hands): Promise<void> {
  await hands.press(tab(page, "Terminal"));
  const frame = page.frameLocator("iframe");
  await frame.locator("#terminal[data-state=connected]").waitFor();
  await hands.press(frame.locator("textarea").first());
  await page.keyboard.type("echo it-is-$((40 + 2))");
  await page.keyboard.press("Enter");
  const text = () =>
    frame.locator("body").evaluate(() => {
      const { terminal } = globalThis as unknown as {
        terminal: { selectAll(): void; getSelection(): string; clearSelection(): void };
      };
      terminal.selectAll();
      const all = terminal.getSelection();
      terminal.clearSelection();
      return all;
    });
  await until(async () => (await text()).includes("it-is-42"));
  await picture(page, "terminal", { scheme: "dark" });
}

async function uploadFile(page: Page, hands: Hands): Promise<void> {
  await hands.press(tab(page, "Files"));
  const chooser = page.waitForEvent("filechooser");
  await hands.press(button(page, "Upload files"));
  const file = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("a note\n") };
  await (await chooser).setFiles(file);
  await button(page, "Download notes.txt").waitFor();
}

async function extendAndInvoice(page: Page, hands: Hands, server: string, price: string): Promise<void> {
  await hands.goTo("Servers");
  await hands.press(page.getByRole("link", { name: server, exact: true }));
  await hands.press(button(page, "Extend"));
  await hands.press(button(page, `Extend for ${price}`));
  await page.getByText(`${price} was charged`).waitFor();
  await hands.goTo("Wallet");
  await hands.press(button(page, /^Make an invoice: /));
  await hands.press(button(page, "Issue it without"));
  const file = page.getByRole("button", { name: /^PDF of INV-/ });
  await file.waitFor();
  const download = page.waitForEvent("download");
  await hands.press(file);
  expect((await download).suggestedFilename()).toMatch(/^INV-\d{4}-\d+\.pdf$/);
  await picture(page, "wallet");
}
