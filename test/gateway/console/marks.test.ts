import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { lacksChromium } from "../../harness/browser.ts";
import { type SharedStack, sharedStack, type TestUser } from "../../harness/shared-stack.ts";
import { as } from "../routes/accounts/pool/team.ts";
import { rented } from "../routes/market/stock.ts";
import { drawn, goTo, signIn, visit } from "./visitor.ts";

/** What is dangerous, and what is written from right to left, as a person sees it. */

const missing = lacksChromium();
const PROJECT = "متجر (2)";
let stack: SharedStack;
let user: TestUser;
let page: Page;
let project: string;
let container: string;
beforeAll(async () => {
  if (missing) return;
  stack = await sharedStack();
  user = await stack.user({ balance: "100.00" });
  const call = as(stack, user);
  const { serverId } = await rented(stack, user, `marks-${crypto.randomUUID().slice(0, 8)}`);
  project = (await call("POST", "/projects", { name: PROJECT })).body.data.id;
  const { body } = await call("POST", "/containers", {
    project_id: project,
    server_id: serverId,
    name: "web",
  });
  container = `/containers/${body.data.id}`;
  const rule = { action: "allow", protocol: "tcp", destination_port: "80", description: "" };
  await call("POST", `${container}/firewall/ingress`, rule);
  await call("POST", "/auth/tokens", { name: "مفتاح 3", permissions: ["resources.read"] });
});
beforeEach(async () => {
  if (missing) return;
  ({ page } = await visit(stack.url));
  await signIn(page, user);
});
afterAll(() => stack?.stop());

const DANGEROUS = /^(Stop|Delete|Remove|Reset|End|Leave|Withdraw)/;

test.skipIf(missing)(
  "whatever stops, ends or deletes has the colour of danger and a mark, everywhere",
  async () => {
    const met: string[] = [];
    for (const [path, least] of [
      [container, 1],
      [`${container}/firewall`, 3],
      [`${container}/settings`, 2],
      ["/containers", 2],
      [`/projects/${project}`, 1],
      ["/account/tokens", 1],
      ["/account/sessions", 1],
      ["/account", 1],
    ] as const) {
      await goTo(page, path);
      await drawn(page);
      if (path === "/containers") await page.getByLabel("Select web").check();
      const buttons = page.locator("#page").getByRole("button", { name: DANGEROUS });
      await buttons.first().waitFor();
      expect([path, (await buttons.count()) >= least]).toEqual([path, true]);
      for (const button of await buttons.all())
        met.push(
          await button.evaluate((one, at) => {
            const { defaultView } = one.ownerDocument;
            const probe = one.ownerDocument.createElement("i");
            probe.style.color = "var(--bad)";
            one.append(probe);
            const isRed = [one, probe].map((each) => defaultView?.getComputedStyle(each).color);
            probe.remove();
            const isMarked = one.querySelector("svg") !== null && isRed[0] === isRed[1];
            return isMarked ? "marked" : `${at}: ${one.textContent}`;
          }, path),
        );
    }
    expect(new Set(met)).toEqual(new Set(["marked"]));
  },
);

test.skipIf(missing)("a confirmation of what cannot be undone has a mark besides its colour", async () => {
  await goTo(page, "/account/tokens");
  await page.getByRole("button", { name: "Delete مفتاح 3" }).click();
  const confirm = page.getByRole("dialog").getByRole("button", { name: "Delete the token" });
  await confirm.locator("svg").waitFor();
  await page.getByRole("button", { name: "Close" }).click();
});

test.skipIf(missing)(
  "a name from right to left stays in its place of a sentence, and what follows it behind it",
  async () => {
    await goTo(page, "/account/tokens");
    const cell = page.locator("td strong").getByText("مفتاح 3");
    expect(
      await cell.evaluate((one) => one.ownerDocument.defaultView?.getComputedStyle(one).unicodeBidi),
    ).toBe("isolate");
    await goTo(page, `/projects/${project}`);
    await page.getByRole("heading", { level: 1, name: PROJECT }).waitFor();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    const title = page.getByRole("dialog").getByRole("heading");
    expect(await title.textContent()).toBe(`Delete the project \u2068${PROJECT}\u2069?`);
    // From left to right: the words, the whole name with its brackets, and the question mark.
    const places = await title.evaluate((heading, name) => {
      const text = heading.firstChild;
      const all = heading.textContent ?? "";
      const box = (from: number, to: number) => {
        const range = heading.ownerDocument.createRange();
        if (text === null) throw new Error("no text");
        range.setStart(text, from);
        range.setEnd(text, to);
        const { left, right } = range.getBoundingClientRect();
        return [left, right];
      };
      const at = all.indexOf(name);
      return [box(0, at - 2), box(at, at + name.length), box(all.length - 1, all.length)].flat();
    }, PROJECT);
    expect(places.map(Math.round)).toEqual(places.map(Math.round).toSorted((a, b) => a - b));
    await page.getByRole("button", { name: "Close" }).click();
  },
);
