import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { lacksChromium } from "../../harness/browser.ts";
import { type SharedStack, sharedStack, type TestUser } from "../../harness/shared-stack.ts";
import { until } from "../../harness/until.ts";
import { rented } from "../routes/market/stock.ts";
import { axeFindings, drawn, goTo, signIn, visit, withoutRefusals } from "./visitor.ts";

const missing = lacksChromium();
let stack: SharedStack;
let user: TestUser;
beforeAll(async () => {
  if (missing) return;
  stack = await sharedStack();
  user = await stack.user({ balance: "100.00" });
  const name = `console-${crypto.randomUUID().slice(0, 8)}`;
  const { serverId, rental } = await rented(stack, user, name, { specs: { cpu_cores: 4, ram_gb: 8 } });
  const token = user.token;
  const project = await stack.call("POST", "/api/v1/projects", { token, body: { name: "shop" } });
  const { body } = await stack.call("POST", "/api/v1/containers", {
    token,
    body: { project_id: project.body.data.id, server_id: serverId, name: "web" },
  });
  const container = `/containers/${body.data.id}`;
  await stack.call("POST", `/api/v1${container}/firewall/ingress`, {
    token,
    body: { action: "allow", protocol: "tcp", destination_port: "443", description: "web" },
  });
  await stack.call("POST", "/api/v1/proxy/aliases", {
    token,
    body: { container_id: body.data.id, program: "http", port: 80 },
  });
  pages = [
    "/",
    "/containers",
    "/containers?create=true",
    container,
    ...["logs", "terminal", "firewall", "names", "events", "settings"].map((tab) => `${container}/${tab}`),
    "/servers",
    `/servers/${rental.id}`,
    "/marketplace",
    "/wallet",
    "/wallet/invoices",
    "/wallet/methods",
    "/names",
    "/images",
    "/pools",
    "/events",
    "/inbox",
    "/account",
    "/account/sessions",
    "/account/tokens",
    "/account/webhooks",
    "/account/audit",
    "/nowhere-that-anybody-knows",
  ];
});
afterAll(() => stack?.stop());

/** The pages, of a user who rents a server with a container on it. */
let pages: string[];

/** How often a page is looked at: one that is still being drawn has no heading for a moment. */
const LOOKS_MAX = 3;

async function settledFindings(page: Page): Promise<string[]> {
  let findings = await axeFindings(page);
  for (let looks = 1; findings.length > 0 && looks < LOOKS_MAX; looks++) {
    await drawn(page);
    findings = await axeFindings(page);
  }
  return findings;
}

test.skipIf(missing).each([
  ["light", 1280],
  ["dark", 390],
] as const)(
  "axe finds nothing on any page in %s colours, %d pixels wide, and each fits the screen",
  async (scheme, width) => {
    const { page, errors } = await visit(stack.url, { scheme, width });
    const found: Record<string, string[]> = { "/sign-in": await axeFindings(page) };
    await signIn(page, user);
    for (const path of pages) {
      await goTo(page, path);
      found[path] = await settledFindings(page);
      const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
      if (overflow !== 0) found[path]?.push(`${overflow} pixels wider than the screen`);
    }
    expect(Object.entries(found).filter(([, findings]) => findings.length > 0)).toEqual([]);
    expect(withoutRefusals(errors)).toEqual([]);
  },
);

test.skipIf(missing)("an error is shown beside its field, and nothing that was typed is lost", async () => {
  const { page } = await visit(`${stack.url}/sign-up`);
  await page.getByLabel("User name").fill(user.username);
  await page.getByLabel("E-mail address").fill("someone@example.com");
  await page.getByLabel("Password").fill("correct horse battery");
  await page.getByRole("button", { name: "Create the account" }).click();
  const name = page.getByLabel("User name");
  await until(async () => (await name.getAttribute("aria-invalid")) === "true");
  const described = await name.getAttribute("aria-describedby");
  const texts = await Promise.all(
    (described ?? "").split(" ").map((id) => page.locator(`[id="${id}"]`).textContent()),
  );
  expect(texts.join(" ")).toContain("taken");
  expect(await name.inputValue()).toBe(user.username);
});

test.skipIf(missing)(
  "a session outlives a reload, reaches every tab, and ends in all of them; a change shows in each by itself",
  async () => {
    const owner = await stack.user({ balance: "20.00" });
    const { page } = await visit(stack.url);
    await signIn(page, owner);
    await page.reload();
    const other = await page.context().newPage();
    await other.goto(stack.url);
    const balances = [page, other].map((tab) => tab.getByRole("region", { name: "Balance" }));
    for (const balance of balances) await balance.getByText("$20.00").waitFor();
    // Both are told by the one stream of events that their browser has.
    await stack.actors.wallet(owner.id).credit({ amount: "5.00", reason: "test", idempotency_key: "more" });
    for (const balance of balances) await balance.getByText("$25.00").waitFor();
    await other.getByRole("button", { name: "Sign out" }).click();
    for (const tab of [page, other]) await tab.getByRole("heading", { name: "Sign in" }).waitFor();
  },
);
