import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { lacksChromium } from "../../harness/browser.ts";
import { type SharedStack, sharedStack, type TestUser } from "../../harness/shared-stack.ts";
import { until } from "../../harness/until.ts";
import { as, join, makePool } from "../routes/accounts/pool/team.ts";
import { axeFindings, goTo, signIn, visit } from "./visitor.ts";

const missing = lacksChromium();
let stack: SharedStack;
let user: TestUser;
beforeAll(async () => {
  if (missing) return;
  stack = await sharedStack();
  user = await stack.user();
});
afterAll(() => stack?.stop());

/** A page of the console, with the user signed in. */
async function open(path: string): Promise<Page> {
  const { page } = await visit(stack.url + path);
  await signIn(page, user);
  return page;
}

const credit = (amount: string) =>
  stack.actors.wallet(user.id).credit({ amount, reason: "test", idempotency_key: `credit ${amount}` });

test.skipIf(missing)(
  "new events are counted and move nothing until they are asked for, and a filter stays in the address",
  async () => {
    const page = await open("/events");
    const credits = page.getByText(/^\$\S+ was added to the balance$/);
    await page.getByText("Signed in", { exact: true }).first().waitFor();
    await credit("1.00");
    const show = page.getByRole("button", { name: /^Show \d+ new events?$/ });
    await show.waitFor();
    expect(await credits.count()).toBe(0);
    await credit("2.00");
    await show.click();
    // What came after the button was pressed waits behind the next one.
    await until(async () => {
      if (await show.isVisible()) await show.click();
      return (await credits.count()) === 2;
    });
    await page.getByLabel("What happened").selectOption("user.balance_credited");
    await until(async () => (await page.getByText("Signed in", { exact: true }).count()) === 0);
    expect(new URL(page.url()).search).toBe("?event_type=user.balance_credited");
    await until(async () => (await credits.count()) === 2);
  },
);

test.skipIf(missing)("the navigation counts what is unread, until it is read", async () => {
  for (const amount of ["3.00", "4.00"]) await credit(amount);
  const page = await open("/inbox");
  const unread = async () => Number((await badge.textContent().catch(() => "0"))?.split(" ")[0] ?? 0);
  const badge = page.getByRole("link", { name: /^Inbox/ }).locator(".badge");
  await badge.waitFor();
  const before = await unread();
  expect(before).toBeGreaterThan(1);
  await page
    .getByRole("button", { name: /^Mark as read/ })
    .first()
    .click();
  await until(async () => (await unread()) === before - 1);
  await page.getByRole("button", { name: "Mark all as read" }).click();
  await badge.waitFor({ state: "detached" });
});

test.skipIf(missing)(
  "what arrives in the inbox is counted and moves nothing until it is asked for, and whoever goes to what a message tells of has read it",
  async () => {
    await credit("5.00");
    const page = await open("/inbox");
    const messages = page.locator(".inbox li");
    await until(async () => (await messages.count()) > 0);
    const first = await messages.first().textContent();
    await credit("6.00");
    const show = page.getByRole("button", { name: "Show 1 new message" });
    await show.waitFor();
    expect(await messages.first().textContent()).toBe(first);
    await show.click();
    await messages.first().getByText("$6.00 was added").waitFor();
    await show.waitFor({ state: "detached" });
    const link = messages.first().getByRole("link", { name: "See it" });
    await link.click();
    await page.getByRole("heading", { name: "Wallet" }).waitFor();
    await page.goBack();
    await until(async () => (await messages.first().getByText("unread").count()) === 0);
  },
);

test.skipIf(missing)(
  "a token is made with what was chosen, shown once, and works until it is deleted",
  async () => {
    const page = await open("/account/tokens");
    await page.getByRole("button", { name: "Create a token" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("deploy");
    await page.getByLabel(/See balances/).check();
    await page.getByRole("button", { name: "Create the token" }).click();
    const token = (await page.getByRole("dialog", { name: "The token" }).locator("code").textContent()) ?? "";
    await page.getByRole("button", { name: "I have copied it" }).click();
    const statusOf = async (path: string) => (await stack.call("GET", path, { token })).status;
    expect(await statusOf("/api/v1/wallet/balances")).toBe(200);
    expect(await statusOf("/api/v1/events")).toBe(403);
    await page.getByRole("button", { name: "Delete deploy" }).click();
    await page.getByRole("button", { name: "Delete the token" }).click();
    await page.getByText("No API tokens yet").waitFor();
    expect(await statusOf("/api/v1/wallet/balances")).toBe(401);
  },
);

test.skipIf(missing)(
  "a credential for a registry is added, its password is shown nowhere, and it is removed",
  async () => {
    const { body } = await stack.call("POST", "/api/v1/projects", {
      token: user.token,
      body: { name: "with-registry" },
    });
    const registries = async () =>
      (
        await stack.call("GET", `/api/v1/projects/${body.data.id}/registry-credentials`, {
          token: user.token,
        })
      ).body.data.registry_credentials;
    const page = await open("/images/registries");
    await page.getByLabel("Project").selectOption({ label: "with-registry" });
    await page.getByRole("button", { name: "Add a registry" }).click();
    await page.getByRole("textbox", { name: "Registry" }).fill("ghcr.io");
    await page.getByRole("textbox", { name: "User" }).fill("ann");
    await page.getByLabel("Password or access token").fill("never-shown-1");
    await page.getByRole("button", { name: "Save the credential" }).click();
    await page.getByRole("cell", { name: "ghcr.io", exact: true }).waitFor();
    expect(await registries()).toMatchObject([{ registry: "ghcr.io", username: "ann" }]);
    expect(await page.content()).not.toContain("never-shown-1");
    await page.getByRole("button", { name: "Remove ghcr.io" }).click();
    await page.getByRole("button", { name: "Remove the credential" }).click();
    await page.getByText("No registries yet").waitFor();
    expect(await registries()).toEqual([]);
  },
);

test.skipIf(missing)(
  "a webhook is made, its secret shown once, and a test delivery is in its log, with how often it was tried and when it is next",
  async () => {
    const page = await open("/account/webhooks");
    await page.getByRole("button", { name: "Create a webhook" }).click();
    await page.getByLabel("Address").fill("https://hooks.invalid/berth");
    await page.getByLabel("What for").fill("to the chat");
    await page.getByRole("button", { name: "Create the webhook" }).click();
    expect(await page.getByRole("dialog", { name: "The secret" }).locator("code").textContent()).toStartWith(
      "whsec_",
    );
    await page.getByRole("button", { name: "I have copied it" }).click();
    await page.getByRole("link", { name: "https://hooks.invalid/berth" }).click();
    await page.getByRole("heading", { name: "to the chat" }).waitFor();
    await page.getByRole("button", { name: "Send a test" }).click();
    const deliveries = page.getByRole("cell", { name: "webhook.test" });
    await deliveries.first().waitFor();
    await page
      .getByRole("row", { name: /pending: \d attempts? failed · the next (within a minute|in )/ })
      .waitFor();
    await page.getByRole("button", { name: "Send again: webhook.test" }).dblclick();
    await page.getByText("It is sent again").waitFor();
    await until(async () => (await deliveries.count()) > 1);
    const { pathname } = new URL(page.url());
    const listed = `/api/v1${pathname.replace("/account", "")}/deliveries`;
    const { body } = await stack.call("GET", listed, { token: user.token });
    expect(body.data.deliveries).toHaveLength(2);
  },
);

test.skipIf(missing)(
  "a wrong password is said beside its field; a right one ends the other sessions",
  async () => {
    const page = await open("/account");
    const form = page.locator("form", { hasText: "New password" });
    const current = form.getByLabel("Current password");
    await current.fill("not the password");
    await form.getByLabel("New password").fill("a better horse battery");
    await form.getByRole("button", { name: "Change the password" }).click();
    await until(async () => (await current.getAttribute("aria-invalid")) === "true");
    await current.fill(user.password);
    await form.getByRole("button", { name: "Change the password" }).click();
    await page.getByText(/The password is changed; \d+ other/).waitFor();
    await goTo(page, "/account/sessions");
    await page.getByText("this session").waitFor();
    expect(await page.getByRole("row").count()).toBe(2);
  },
);

test.skipIf(missing)(
  "an account is deleted after what is in its way has ended, by its name and password",
  async () => {
    const leaver = await stack.user({ balance: "2.00" });
    const friend = await stack.user();
    const pool = await makePool(stack, leaver, "team");
    await join(stack, leaver, pool, friend, "user");
    const { page } = await visit(`${stack.url}/account`);
    await signIn(page, leaver);
    const open = page.getByRole("button", { name: "Delete the account", exact: true });
    await open.click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("link", { name: "The pool with other members team" }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Close" }).click();
    await as(stack, leaver)("DELETE", `/pools/${pool}/members/${friend.id}`);

    await open.click();
    await dialog.getByText("You give up the balance of $2.00.").waitFor();
    await dialog.getByLabel("Your user name").fill("somebody-else");
    await dialog.getByLabel("Current password").fill(leaver.password);
    const confirm = dialog.getByRole("button", { name: "Delete the account for good" });
    await confirm.click();
    await dialog.getByText(`Type ${leaver.username} to confirm.`).nth(1).waitFor();
    await dialog.getByLabel("Your user name").fill(leaver.username);
    await confirm.click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.getByText("The account is deleted").waitFor();
    const body = { username: leaver.username, password: leaver.password };
    expect((await stack.call("POST", "/api/v1/auth/login", { body })).body.code).toBe("INVALID_CREDENTIALS");
  },
);
