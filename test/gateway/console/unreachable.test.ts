import { afterAll, beforeAll, expect, test } from "bun:test";
import { lacksChromium } from "../../harness/browser.ts";
import { type SharedStack, sharedStack, type TestUser } from "../../harness/shared-stack.ts";
import { signIn, visit } from "./visitor.ts";

/** The console of a person who is signed in, while Berth cannot be reached. */

const missing = lacksChromium();
let stack: SharedStack;
let user: TestUser;
beforeAll(async () => {
  if (missing) return;
  stack = await sharedStack();
  user = await stack.user();
});
afterAll(() => stack?.stop());

test.skipIf(missing)(
  "a page that is loaded then says so, asks for no password, and appears by itself",
  async () => {
    const { page } = await visit(`${stack.url}/pools`);
    await signIn(page, user);
    await page.route("**/console/session/refresh", (route) => route.abort());
    await page.reload();
    await page.getByRole("status").getByText("Berth cannot be reached").waitFor();
    expect(await page.getByLabel("Password").count()).toBe(0);
    await page.unroute("**/console/session/refresh");
    await page.getByRole("heading", { level: 1, name: "Pools" }).waitFor();
  },
);

test.skipIf(missing)(
  "a device without a network is told at once, and no longer when it has one",
  async () => {
    const { page } = await visit(`${stack.url}/pools`);
    await signIn(page, user);
    await page.context().setOffline(true);
    const note = page.getByRole("status").getByText("You are offline");
    await note.waitFor();
    await page.context().setOffline(false);
    await note.waitFor({ state: "detached" });
  },
);

test.skipIf(missing).each(["/", "/servers"])(
  "the page %s says what cannot be read, and offers to try again",
  async (path) => {
    const { page } = await visit(`${stack.url}/account`);
    await signIn(page, user);
    await page.route("**/api/v1/rentals*", (route) =>
      route.fulfill({
        status: 403,
        json: { statusCode: 403, error: "Forbidden", message: "Not today", code: "FORBIDDEN" },
      }),
    );
    await page.goto(`${stack.url}${path}`);
    await page.getByText("Not today").first().waitFor();
    await page.getByRole("button", { name: "Try again" }).first().waitFor();
  },
);
