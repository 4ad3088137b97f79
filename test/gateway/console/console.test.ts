import { afterAll, beforeAll, expect, test } from "bun:test";
import { lacksChromium } from "../../harness/browser.ts";
import { type SharedStack, sharedStack, type TestUser } from "../../harness/shared-stack.ts";
import { until } from "../../harness/until.ts";
import { axeFindings, goTo, signIn, visit } from "./visitor.ts";

const missing = lacksChromium();
let stack: SharedStack;
let user: TestUser;
beforeAll(async () => {
  if (missing) return;
  stack = await sharedStack();
  user = await stack.user({ balance: "100.00" });
});
afterAll(() => stack?.stop());

/** Pages that need nothing but an account. */
const PAGES = ["/"];

test.skipIf(missing).each(["light", "dark"] as const)(
  "axe finds nothing on any page in %s colours, on a wide and on a narrow screen",
  async (scheme) => {
    const { page, errors } = await visit(stack.url, { scheme });
    const found: Record<string, string[]> = { "/sign-in": await axeFindings(page) };
    await signIn(page, user);
    for (const path of PAGES) {
      await goTo(page, path);
      found[path] = await axeFindings(page);
      await page.setViewportSize({ width: 390, height: 844 });
      found[`${path}, narrow`] = await axeFindings(page);
      const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
      expect([path, overflow]).toEqual([path, 0]);
      await page.setViewportSize({ width: 1280, height: 900 });
    }
    expect(Object.entries(found).filter(([, findings]) => findings.length > 0)).toEqual([]);
    expect(errors).toEqual([]);
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
