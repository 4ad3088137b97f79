import { afterAll, beforeAll, expect, test } from "bun:test";
import { lacksChromium } from "../../harness/browser.ts";
import { type SharedStack, sharedStack, type TestUser } from "../../harness/shared-stack.ts";
import { axeFindings, goTo, signIn, visit } from "./visitor.ts";

const missing = lacksChromium();
let stack: SharedStack;
let operator: TestUser;
beforeAll(async () => {
  if (missing) return;
  stack = await sharedStack();
  operator = await stack.user({ role: "admin" });
});
afterAll(() => stack?.stop());

const PAGES = [
  "",
  "/servers",
  "/hosts",
  "/offers",
  "/reservations",
  "/images",
  "/reviews",
  "/notices",
  "/audit",
  "/cluster",
];

test.skipIf(missing).each([
  ["light", 1280],
  ["dark", 390],
] as const)(
  "axe finds nothing on an administrator's pages in %s colours, %d pixels wide, and each fits the screen",
  async (scheme, width) => {
    const { page, errors } = await visit(stack.url, { scheme, width });
    await signIn(page, operator);
    const found: Record<string, string[]> = {};
    for (const path of PAGES) {
      await goTo(page, `/operator${path}`);
      found[path] = await axeFindings(page);
      const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
      if (overflow !== 0) found[path]?.push(`${overflow} pixels wider than the screen`);
    }
    expect(Object.entries(found).filter(([, findings]) => findings.length > 0)).toEqual([]);
    expect(errors).toEqual([]);
  },
);

test.skipIf(missing)(
  "an administrator finds a user, credits the wallet, suspends and restores the account",
  async () => {
    const user = await stack.user({ balance: "1.00" });
    const { page } = await visit(`${stack.url}/operator?search=${user.username}`);
    await signIn(page, operator);
    await page.getByRole("link", { name: user.username }).click();
    await page.getByText("$1.00").waitFor();
    await page.getByRole("button", { name: "Credit the wallet" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Amount").fill("2.50");
    await dialog.getByLabel("Reason").fill("an outage");
    await dialog.getByRole("button", { name: "Credit the wallet" }).click();
    await page.getByText("$3.50").waitFor();
    const act = async (name: string, confirmed: string) => {
      await page.getByRole("button", { name, exact: true }).click();
      await dialog.getByLabel("Reason").fill("under review");
      await dialog.getByRole("button", { name: confirmed }).click();
      await dialog.waitFor({ state: "detached" });
    };
    const seen = async () => (await stack.call("GET", "/api/v1/auth/me", { token: user.token })).status;
    await act("Suspend", "Suspend the account");
    await page.getByText(/^under review, /).waitFor();
    expect(await seen()).not.toBe(200);
    await act("Restore", "Restore the account");
    await page.getByText("active", { exact: true }).waitFor();
    await goTo(page, "/operator/audit");
    await page.getByRole("cell", { name: user.username }).first().waitFor();
  },
);

test.skipIf(missing)("a server is added with its prices, and a price that is none is said", async () => {
  const { page } = await visit(`${stack.url}/operator/servers`);
  await signIn(page, operator);
  const name = await stack.serverName();
  await page.getByRole("button", { name: "Add a server" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill(name);
  await dialog.getByLabel("Cores").fill("8");
  await dialog.getByLabel("Prices").fill("thirty days: 19");
  await dialog.getByRole("button", { name: "Add the server" }).click();
  await dialog.getByText('"thirty days: 19" is no price').waitFor();
  await dialog.getByLabel("Prices").fill("1 1.50\n30 19.00");
  await dialog.getByRole("button", { name: "Add the server" }).click();
  await dialog.waitFor({ state: "detached" });
  const { body } = await stack.call("GET", "/api/v1/admin/servers?limit=500", { token: operator.token });
  const server = body.data.servers.find((one: { name: string }) => one.name === name);
  expect([server.prices, server.specs]).toEqual([{ 1: 150, 30: 1_900 }, { cpu_cores: 8 }]);
});

test.skipIf(missing)(
  "a host is added with the command that lets its machine join, drained and removed",
  async () => {
    const { page } = await visit(`${stack.url}/operator/hosts`);
    await signIn(page, operator);
    const name = `host-${crypto.randomUUID().slice(0, 8)}`;
    await page.getByRole("button", { name: "Add a host" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill(name);
    await page.getByRole("dialog").getByRole("button", { name: "Add the host" }).click();
    const command = page.getByRole("dialog", { name: `Let ${name} join` }).locator("code");
    expect(await command.textContent()).toMatch(/[0-9a-f]{24}\.[A-Za-z0-9_-]{43}/);
    await page.getByRole("button", { name: "I have copied it" }).click();
    await page.getByRole("button", { name: `Drain ${name}` }).click();
    await page.getByRole("cell", { name: "pending, draining" }).first().waitFor();
    await page.getByRole("button", { name: `Remove ${name}` }).click();
    await page.getByRole("button", { name: "Remove the host" }).click();
    await page.getByRole("cell", { name, exact: true }).waitFor({ state: "detached" });
  },
);

test.skipIf(missing)("who is no administrator neither sees nor reads the operator's pages", async () => {
  const { page } = await visit(`${stack.url}/operator`);
  await signIn(page, await stack.user());
  await page.getByRole("alert").waitFor();
  expect(await page.getByRole("link", { name: "Operator" }).count()).toBe(0);
});
