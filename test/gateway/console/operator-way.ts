import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { join as joinHost } from "../../../agents/join/join.ts";
import { temporaryFolder } from "../../harness/servers.ts";
import type { Hands } from "./hands.ts";

/** An operator's whole way through the console: a host, the stock, a user, and a refund. */

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).first();
const tab = (page: Page, name: string) => page.locator("nav.tabs").getByRole("link", { name, exact: true });

export interface Operated {
  /** Where a new host joins. */
  readonly url: string;
  /** The name of that host, and of the server that it is in the stock. */
  readonly host: string;
  /** Who rented this server, and has money left. */
  readonly customer: string;
  readonly server: string;
}

/** @param page of an administrator who is signed in */
export async function walkAsOperator(page: Page, hands: Hands, operated: Operated): Promise<void> {
  await hands.goTo("Operator");
  await hands.press(tab(page, "Hosts"));
  await addHost(page, hands, operated);
  await hands.press(tab(page, "Servers"));
  await addServer(page, hands, operated.host);
  await changeByCsv(page, hands, operated.host);
  await hands.press(tab(page, "Users"));
  await manageUser(page, hands, operated.customer);
  await refund(page, hands, operated.server);
}

const dialogOf = (page: Page) => page.getByRole("dialog");
/** A dialog gives the focus back to what opened it. */
const closed = (page: Page) => dialogOf(page).waitFor({ state: "detached" });

/** The command that a host joins by is shown; the host joins, is seen by itself, and is drained. */
async function addHost(page: Page, hands: Hands, { url, host }: Operated): Promise<void> {
  await hands.press(button(page, "Add a host"));
  await hands.write(page.getByRole("textbox", { name: "Name" }), host);
  await hands.press(dialogOf(page).getByRole("button", { name: "Add the host" }));
  const command = page.getByRole("dialog", { name: `Let ${host} join` }).locator("code");
  const [token = ""] = /[0-9a-f]{24}\.[A-Za-z0-9_-]{43}/.exec((await command.textContent()) ?? "") ?? [];
  await hands.press(button(page, "I have copied it"));
  await closed(page);
  const row = page.getByRole("row", { name: new RegExp(host) });
  await row.getByText("has not joined yet").waitFor();
  await joinHost({ url, token, folder: join(temporaryFolder(), "agent"), driver: "process" });
  await row.getByText(/cores/).waitFor();
  await hands.press(button(page, `Drain ${host}`));
  await hands.press(dialogOf(page).getByRole("button", { name: "Drain the host" }));
  await closed(page);
  await row.getByText(/, draining/).waitFor();
}

async function addServer(page: Page, hands: Hands, host: string): Promise<void> {
  await hands.press(button(page, "Add a server"));
  const dialog = dialogOf(page);
  await hands.write(dialog.getByLabel("Name", { exact: true }), host);
  await hands.write(dialog.getByLabel("Prices"), "7 16.50");
  await hands.press(dialog.getByRole("button", { name: "Add the server" }));
  await closed(page);
  await page.getByRole("row", { name: new RegExp(host) }).waitFor();
}

/** The stock goes out, a price is changed, and it comes in again. */
async function changeByCsv(page: Page, hands: Hands, host: string): Promise<void> {
  const download = page.waitForEvent("download");
  await hands.press(button(page, "Export CSV"));
  const stock = readFileSync(await (await download).path(), "utf8");
  const changed = stock.replace("16.50", "17.00");
  expect(changed).not.toBe(stock);
  await hands.press(button(page, "Import CSV"));
  const dialog = dialogOf(page);
  const chooser = page.waitForEvent("filechooser");
  await hands.press(dialog.getByLabel("File"));
  const buffer = Buffer.from(changed);
  await (await chooser).setFiles({ name: "stock.csv", mimeType: "text/csv", buffer });
  await hands.press(dialog.getByRole("button", { name: "Check the file" }));
  await dialog.getByText("price_7: 16.50 → 17.00").waitFor();
  await hands.press(dialog.getByRole("button", { name: "Change 1 server" }));
  await closed(page);
  await page
    .getByRole("row", { name: new RegExp(host) })
    .getByText("$17.00")
    .waitFor();
}

/** A user is found, credited, suspended and restored. */
async function manageUser(page: Page, hands: Hands, name: string): Promise<void> {
  await hands.write(page.getByRole("searchbox", { name: "Search" }), name);
  await hands.press(page.getByRole("link", { name, exact: true }));
  const dialog = dialogOf(page);
  await hands.press(button(page, "Credit the wallet"));
  await hands.write(dialog.getByLabel("Amount"), "2.50");
  await hands.write(dialog.getByLabel("Reason"), "an outage");
  await hands.press(dialog.getByRole("button", { name: "Credit the wallet" }));
  await closed(page);
  await page.getByRole("cell", { name: "an outage" }).waitFor();
  for (const [act, confirmed, state] of [
    ["Suspend", "Suspend the account", "suspended"],
    ["Restore", "Restore the account", "active"],
  ] as const) {
    await hands.press(button(page, act));
    await hands.write(dialog.getByLabel("Reason"), "under review");
    await hands.press(dialog.getByRole("button", { name: confirmed }));
    await closed(page);
    await page.locator("h1").getByText(state).waitFor();
  }
}

async function refund(page: Page, hands: Hands, server: string): Promise<void> {
  const charge = page.getByRole("button", { name: new RegExp(`^Refund Rent of ${server} `) });
  await hands.press(charge);
  const dialog = dialogOf(page);
  await hands.write(dialog.getByLabel("Reason"), "an outage");
  await hands.press(dialog.getByRole("button", { name: "Refund it" }));
  await closed(page);
  await charge.waitFor({ state: "detached" });
}
