import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { lacksChromium } from "../../harness/browser.ts";
import { type SharedStack, sharedStack, type TestUser } from "../../harness/shared-stack.ts";
import { until } from "../../harness/until.ts";
import { rented } from "../routes/market/stock.ts";
import {
  axeFindings,
  drawn,
  goTo,
  signIn,
  takeShift,
  visit,
  watchShifts,
  withoutRefusals,
} from "./visitor.ts";

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
    body: { project_id: project.body.data.id, server_id: serverId, name: "web", labels: LONG_LABEL },
  });
  const container = `/containers/${body.data.id}`;
  const share = await stack.call("POST", "/api/v1/storage-shares", {
    token,
    body: { project_id: project.body.data.id, server_id: serverId, name: "data", size_bytes: 2 ** 30 },
  });
  await stack.call("POST", `/api/v1${container}/firewall/ingress`, {
    token,
    body: { action: "allow", protocol: "tcp", destination_port: "443", description: "web" },
  });
  await stack.call("POST", "/api/v1/proxy/aliases", {
    token,
    body: { container_id: body.data.id, program: "http", port: 80 },
  });
  const pools = await stack.call("GET", "/api/v1/pools", { token });
  const webhook = await stack.call("POST", "/api/v1/webhooks", {
    token,
    body: { url: "https://hooks.invalid/" },
  });
  dialogs = [
    [`${container}/firewall`, "Add a rule"],
    [`${container}/names`, "Create a name"],
    [`${container}/people`, "Share access"],
    [`${container}/settings`, "Delete web"],
    [`/servers/${rental.id}`, "Extend"],
    [`/servers/${rental.id}`, "Let it extend itself"],
    ["/wallet/invoices", "Add billing details"],
    ["/wallet", "Top up"],
    ["/wallet", "Transfer to AI credit"],
    ["/pools", "Create a pool"],
    [`/pools/${pools.body.data[0].id}`, "Invite"],
    ["/images/registries", "Add a registry"],
    ["/projects", "Create a project"],
    [`/projects/${project.body.data.id}`, "Rename or describe"],
    [`/projects/${project.body.data.id}`, "Delete"],
    ["/names", "Add a domain"],
    ["/account/tokens", "Create a token"],
    ["/account/webhooks", "Create a webhook"],
  ];
  pages = [
    "/",
    "/containers",
    "/containers?create=true",
    container,
    ...[
      "logs",
      "terminal",
      "files",
      "metrics",
      "volumes",
      "firewall",
      "names",
      "events",
      "people",
      "settings",
    ].map((tab) => `${container}/${tab}`),
    "/servers",
    `/servers/${rental.id}`,
    "/storage",
    "/storage?create=true",
    `/storage/${share.body.data.id}`,
    "/marketplace",
    "/wallet",
    "/wallet/statements",
    "/wallet/invoices",
    "/wallet/methods",
    "/projects",
    "/projects/compose",
    `/projects/${project.body.data.id}`,
    "/names",
    "/images",
    "/images/registries",
    "/pools",
    `/pools/${pools.body.data[0].id}`,
    "/events",
    "/inbox",
    "/account",
    "/account/second-factor",
    "/device",
    "/account/sessions",
    "/account/tokens",
    "/account/webhooks",
    "/account/limits",
    "/account/notifications",
    `/account/webhooks/${webhook.body.data.id}`,
    "/account/audit",
    "/nowhere-that-anybody-knows",
  ];
});
afterAll(() => stack?.stop());

/** No list is wider than the screen because of it. */
const LONG_LABEL = { "example.com/a-rather-long-name-of-a-label": "with-as-long-a-value-as-people-give" };

/** Pages, each with a button that opens a dialog. */
let dialogs: readonly (readonly [string, string])[];

/** The pages, of a user who rents a server with a container on it. */
let pages: string[];

/** Of the page, or of its navigation. */
const OVERFLOW = `Math.max(...[document.documentElement, document.querySelector(".navigation")].map((one) => one.scrollWidth - one.clientWidth))`;

const WORDLESS_STATES = `[...document.querySelectorAll(".status")].filter((state) => state.textContent.trim() === "").length`;

/** How much wider the page is than a small phone, measured before the browser draws it so. */
const OVERFLOW_AT_320 = `(({ style }) => {
  style.width = "320px";
  const { scrollWidth, clientWidth } = document.getElementById("page");
  style.width = "";
  return scrollWidth - clientWidth;
})(document.getElementById("page"))`;

/** What a finger does not hit for sure. Labels of containers narrow the list, which the field above it does as well. */
const TOO_SMALL = `[...document.querySelectorAll("#page :is(.button, select, input:not([type=checkbox], [type=radio]))")]
  .filter((one) => one.checkVisibility() && one.offsetHeight < 44 && !one.closest(".chips"))
  .map((one) => one.ariaLabel || one.textContent || one.name)`;

/** How often a page is looked at: one that is still being drawn has no heading for a moment. */
const LOOKS_MAX = 3;

/** A tenth is what browsers' makers call good. */
const SHIFT_MAX = 0.02;

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
  "axe finds nothing on any page in %s colours, %d pixels wide, each fits the screen, and nothing moves once it is drawn",
  async (scheme, width) => {
    const { page, errors } = await visit(stack.url, { scheme, width });
    const found: Record<string, string[]> = { "/sign-in": await settledFindings(page) };
    const signUp = await visit(`${stack.url}/sign-up`, { scheme, width });
    await signUp.page.getByRole("heading", { name: "Sign up" }).waitFor();
    found["/sign-up"] = await settledFindings(signUp.page);
    await signIn(page, user);
    await watchShifts(page);
    const titles = new Map<string, string>();
    for (const path of pages) {
      await goTo(page, path);
      if (!path.includes("?")) titles.set(path, await page.title());
      found[path] = await settledFindings(page);
      const overflow = await page.evaluate(OVERFLOW);
      if (overflow !== 0) found[path]?.push(`${overflow} pixels wider than the screen`);
      if (width < 800) {
        const more = await page.evaluate(OVERFLOW_AT_320);
        if (more !== 0) found[path]?.push(`${more} pixels wider than a screen of 320`);
        const small = await page.evaluate<string[]>(TOO_SMALL);
        if (small.length > 0) found[path]?.push(`too small for a finger: ${small.join(", ")}`);
      }
      const wordless = await page.evaluate(WORDLESS_STATES);
      if (wordless !== 0) found[path]?.push(`${wordless} states are said by colour alone`);
      const shift = await takeShift(page);
      if (shift > SHIFT_MAX) found[path]?.push(`what is on the page moves by ${shift.toFixed(3)}`);
    }
    expect(Object.entries(found).filter(([, findings]) => findings.length > 0)).toEqual([]);
    expect(withoutRefusals(errors)).toEqual([]);
    expect(new Set(titles.values()).size).toBe(titles.size);
  },
);

test.skipIf(missing).each(["servers/available", "offers", "reservations"])(
  "nothing on the marketplace moves when %s arrive last",
  async (last) => {
    const { page } = await visit(`${stack.url}/account`);
    await signIn(page, user);
    await drawn(page);
    const arrived = Promise.withResolvers<void>();
    await page.route(`**/api/v1/${last}*`, async (route) => {
      await arrived.promise;
      await route.continue();
    });
    const others = ["servers/available", "offers", "reservations"]
      .filter((path) => path !== last)
      .map((path) => page.waitForResponse((response) => response.url().includes(`/api/v1/${path}`)));
    await page.evaluate(
      `history.pushState(null, "", "/marketplace"); dispatchEvent(new PopStateEvent("popstate"));`,
    );
    for (const response of await Promise.all(others)) await response.finished();
    await page.locator(".skeleton").waitFor();
    expect(await page.getByRole("heading", { name: "Delivered to order" }).count()).toBe(0);
    await watchShifts(page);
    arrived.resolve();
    await page.getByRole("heading", { name: "Delivered to order" }).waitFor();
    await drawn(page);
    expect(await takeShift(page)).toBeLessThanOrEqual(SHIFT_MAX);
  },
);

test.skipIf(missing)(
  "dialogs open by keyboard, have the focus in them, give it back, and axe finds nothing in them",
  async () => {
    const { page } = await visit(stack.url, { scheme: "dark" });
    await signIn(page, user);
    const found: string[] = [];
    for (const [path, name] of dialogs) {
      await goTo(page, path);
      const opener = page.getByRole("button", { name, exact: true }).first();
      await opener.focus();
      await page.keyboard.press("Enter");
      const dialog = page.getByRole("dialog");
      await dialog.waitFor();
      await page.locator(".skeleton").first().waitFor({ state: "detached" });
      await until(() => dialog.evaluate((element) => element.contains(element.ownerDocument.activeElement)));
      found.push(...(await axeFindings(page)).map((finding) => `${path}, ${name}: ${finding}`));
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await until(() => opener.evaluate((element) => element === element.ownerDocument.activeElement));
    }
    expect(found).toEqual([]);
  },
);

test.skipIf(missing)(
  "settings that were changed and not saved are asked about before they are left",
  async () => {
    const { page } = await visit(stack.url);
    await signIn(page, user);
    const settings = pages.find((path) => path.endsWith("/settings")) ?? "";
    await goTo(page, settings);
    const name = page.getByRole("textbox", { name: "Name", exact: true });
    const logs = page.getByRole("link", { name: "Logs" });
    await name.fill("another");
    await logs.click();
    const question = page.getByRole("dialog", { name: "Leave without saving?" });
    await question.waitFor();
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
    expect([new URL(page.url()).pathname, await name.inputValue()]).toEqual([settings, "another"]);
    await logs.click();
    await question.getByRole("button", { name: "Leave without saving" }).click();
    await page.waitForURL(/\/logs$/);
    await goTo(page, settings);
    await logs.click();
    await page.waitForURL(/\/logs$/);
  },
);

test.skipIf(missing)("whoever signs out leaves neither messages nor a page to the next user", async () => {
  const { page } = await visit(`${stack.url}/projects`);
  await signIn(page, user);
  await page.getByRole("button", { name: "Create a project" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill(`left-${crypto.randomUUID().slice(0, 8)}`);
  await page.getByRole("button", { name: "Create the project" }).click();
  await page.locator(".toast").first().waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await page.waitForURL((url) => url.pathname === "/");
  expect(await page.locator(".toast").count()).toBe(0);
});

test.skipIf(missing)("what is typed while the palette is still on its way is in its field", async () => {
  const { page } = await visit(`${stack.url}/wallet`);
  await signIn(page, user);
  await drawn(page);
  const arrived = Promise.withResolvers<void>();
  await page.route("**/palette-*", async (route) => {
    await arrived.promise;
    await route.continue();
  });
  await page.keyboard.press("Control+k");
  await page.keyboard.type("sto");
  arrived.resolve();
  const field = page.getByRole("combobox", { name: /^Search/ });
  await field.waitFor();
  await until(() => field.evaluate((element) => element === element.ownerDocument.activeElement));
  await page.keyboard.type("rage");
  expect(await field.inputValue()).toBe("storage");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("s");
  expect(await field.inputValue()).toBe("storages");
});

test.skipIf(missing)(
  "tabs stay where they are, and the palette gives the focus back, or to the page that it leads to",
  async () => {
    const { page } = await visit(`${stack.url}/wallet`);
    await signIn(page, user);
    const tabs = page.locator("nav.tabs a");
    await drawn(page);
    // In every frame, so that a flash of an empty page counts as well.
    await page.evaluate(`{
      window.places = new Set();
      const look = () => {
        const links = [...document.querySelectorAll("nav.tabs a")];
        places.add(JSON.stringify(links.map((link) => link.getBoundingClientRect().x)));
        requestAnimationFrame(look);
      };
      look();
    }`);
    const tabCount = await tabs.count();
    for (let tab = 1; tab <= 2 * tabCount; tab++) {
      const link = tabs.nth(tab % tabCount);
      await link.click();
      await until(async () => (await link.getAttribute("aria-current")) === "page");
    }
    expect(await page.evaluate<number>("places.size")).toBe(1);

    const focused = () => page.evaluate<string>("document.activeElement.textContent");
    await tabs.first().focus();
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog", { name: "Search" }).waitFor();
    await page.keyboard.press("Escape");
    await until(async () => (await focused()) === (await tabs.first().textContent()));
    await page.keyboard.press("Control+k");
    await page.keyboard.type("Names");
    await page.getByRole("option", { name: /^Names/ }).waitFor();
    await page.keyboard.press("Enter");
    await until(async () => (await focused()) === "Names");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("logs of web");
    await page.getByRole("option", { name: /^Logs of web/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "web: logs" }).waitFor();

    const found = async (text: string, entry: RegExp) => {
      await page.keyboard.press("Control+k");
      await page.keyboard.type(text);
      await page.getByRole("option", { name: entry }).first().waitFor();
    };
    // Things are found by what one wants to do with them, in any order of the words.
    for (const [text, entry] of [
      ["web terminal", /^Terminal of web/],
      ["stop web", /^Stop web/],
      ["new container", /^Create a container/],
      ["new token", /^Create an API token/],
      ["transfer", /^Transfer to AI credit/],
      ["theme", /^Dark colours/],
      ["log out", /^Sign out/],
      ["invite", /^Create a pool/],
    ] as const) {
      await found(text, entry);
      await page.keyboard.press("Escape");
    }
    await found("web", /^Webhooks/);
    const palette = page.getByRole("dialog", { name: "Search" });
    expect(await palette.getByRole("option").first().textContent()).toBe("webcontainer");
    await palette
      .getByRole("status")
      .filter({ hasText: / entries found$/ })
      .waitFor();
    await page.keyboard.press("Escape");
    for (const [text, entry, dialog] of [
      ["extend", /^Extend (?!a server)/, /^Extend /],
      ["end the rental", /^End the rental of/, /^End the rental/],
      ["delete web", /^Delete web/, "Delete the container web?"],
      ["add a firewall rule to web", /^Add a firewall rule to web/, "Add a rule"],
      ["create an api token", /^Create an API token/, "Create a token"],
    ] as const) {
      await found(text, entry);
      await page.getByRole("option", { name: entry }).first().click();
      await page.getByRole("dialog", { name: dialog }).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      expect(new URL(page.url()).search).toBe("");
      // No button has opened it: the focus is on the page.
      await until(() => page.evaluate<boolean>("document.activeElement.closest('#page') !== null"));
    }
  },
);

test.skipIf(missing)(
  "a field's error goes while it is mended, so that one click sends the form",
  async () => {
    const { page } = await visit(`${stack.url}/sign-up`);
    const name = `mended-${crypto.randomUUID().slice(0, 8)}`;
    const type = (label: string, text: string) => page.getByLabel(label).pressSequentially(text);
    const button = page.getByRole("button", { name: "Create the account" });
    await type("User name", `${name}!`);
    await type("E-mail address", `${name}@example.com`);
    await type("Password", "short");
    await button.click();
    const errors = page.locator(".field-error");
    await errors.getByText("At least 10 characters.").waitFor();
    await type("Password", " is mended");
    await errors.waitFor({ state: "detached" });
    await button.click();
    // This one is the answer of the API.
    await errors.getByText("Must have this form: letters a to z, digits, - and _").waitFor();
    await page.getByLabel("User name").fill(name);
    await errors.waitFor({ state: "detached" });
    await button.click();
    await page.getByRole("navigation", { name: "Pages" }).waitFor({ state: "attached" });
  },
);

test.skipIf(missing)("a text that a field cannot take is answered with what it takes", async () => {
  const { page } = await visit(`${stack.url}/wallet/methods`);
  await signIn(page, user);
  await page.getByRole("button", { name: "Add a payment method" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Card of the company");
  await dialog.getByLabel("Last four digits").fill("12");
  await dialog.getByRole("button", { name: "Add it" }).click();
  await dialog.getByText("Four digits.").waitFor();
});

test.skipIf(missing)(
  "a name that is too long is refused with how much is too much, and nothing of it is cut",
  async () => {
    const { page } = await visit(`${stack.url}/pools`);
    await signIn(page, user);
    await page.getByRole("button", { name: "Create a pool" }).click();
    const dialog = page.getByRole("dialog");
    const name = dialog.getByLabel("Name");
    await dialog.getByText("At most 100 characters.", { exact: true }).waitFor();
    await name.fill("🚢".repeat(101));
    await dialog.getByRole("button", { name: "Create the pool" }).click();
    await dialog.locator(".field-error").getByText("At most 100 characters: 1 too many.").waitFor();
    expect(await name.inputValue()).toBe("🚢".repeat(101));
    await name.fill("🚢".repeat(100));
    await dialog.getByRole("button", { name: "Create the pool" }).click();
    await page.getByRole("link", { name: "🚢".repeat(100) }).waitFor();
  },
);

test.skipIf(missing)(
  "who uses a keyboard begins at the heading of each page, stays on a tab, and hears which one is shown",
  async () => {
    const { page } = await visit(stack.url);
    await signIn(page, user);
    const focused = () =>
      page.evaluate<string>("document.activeElement.tagName + ' ' + document.activeElement.textContent");
    await until(async () => (await focused()) === "H1 Home");
    for (const [name, heading] of [
      ["Servers", "Servers"],
      ["Account", "Account: Sign-in"],
    ] as const) {
      await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name, exact: true }).focus();
      await page.keyboard.press("Enter");
      await until(async () => (await focused()) === `H1 ${heading}`);
    }
    await page.locator("nav.tabs a", { hasText: "Sessions" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("status").filter({ hasText: "Sessions · Account" }).waitFor({ state: "attached" });
    expect(await focused()).toBe("A Sessions");
  },
);

test.skipIf(missing)(
  "on a phone the menu has the keyboard while it is open, and nothing that has the focus is below the bars",
  async () => {
    const { page } = await visit(`${stack.url}/account`, { width: 390 });
    await signIn(page, user);
    await drawn(page);
    const more = page.getByRole("button", { name: "More", exact: true });
    await more.focus();
    await page.keyboard.press("Enter");
    const focused = () => page.evaluate<string>("document.activeElement.textContent");
    await until(async () => (await focused()) === "Home");
    expect(await more.getAttribute("aria-expanded")).toBe("true");
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Containers");
    await page.keyboard.press("Escape");
    await until(async () => (await focused()) === "More");
    expect(await more.getAttribute("aria-expanded")).toBe("false");

    await page.getByRole("heading", { level: 1 }).focus();
    const hidden = `{
      const element = document.activeElement;
      const { top, bottom } = element.getBoundingClientRect();
      const [bar] = document.querySelectorAll(".top-bar");
      const [low] = document.querySelectorAll(".bottom-bar");
      element.closest("#page") !== null &&
      (top < bar.getBoundingClientRect().bottom || bottom > low.getBoundingClientRect().top)
        ? element.textContent : ""
    }`;
    for (let step = 0; step < 30; step++) {
      await page.keyboard.press("Tab");
      await until(async () => (await page.evaluate<string>(hidden)) === "");
    }
  },
);

test.skipIf(missing)("where tabs have no room, the one that is shown is in sight", async () => {
  const { page } = await visit(`${stack.url}/account`, { width: 390 });
  await signIn(page, user);
  for (const [path, title] of [
    ["/account/audit", "Audit log"],
    ["/account", "Sign-in"],
    ["/account/limits", "Limits"],
  ] as const) {
    const tab = page.locator("nav.tabs a", { hasText: title });
    await tab.click();
    await page.waitForURL(`**${path}`);
    await until(async () => (await tab.getAttribute("aria-current")) === "page");
    await until(async () => {
      const { x = -1, width = 0 } = (await tab.boundingBox()) ?? {};
      return x >= 0 && x + width <= 390;
    });
  }
});

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
  // It is said aloud, also where the field had the focus already.
  await page.getByRole("alert").filter({ hasText: "taken" }).waitFor();
  expect(await name.inputValue()).toBe(user.username);
});

test.skipIf(missing)(
  "a session outlives a reload, reaches every tab, and ends in all of them; a change shows in each by itself",
  async () => {
    const owner = await stack.user({ balance: "20.00" });
    const { page } = await visit(`${stack.url}/sign-in`);
    await signIn(page, owner);
    // The page of sign-in has nothing for who is signed in.
    await page.waitForURL(`${stack.url}/`);
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
    for (const tab of [page, other]) expect(await tab.getByText(ENDED).count()).toBe(0);
  },
);

const ENDED = "Your session has ended";

test.skipIf(missing)(
  "a session that is ended elsewhere leads every tab to the page of sign-in, which says why, and from there back to the same page",
  async () => {
    const owner = await stack.user();
    const { page } = await visit(`${stack.url}/pools`);
    await signIn(page, owner);
    const other = await page.context().newPage();
    await other.goto(`${stack.url}/names`);
    const tabs = [page, other];
    for (const tab of tabs) await tab.getByRole("navigation", { name: "Pages" }).waitFor();
    const ended = await stack.call("DELETE", "/api/v1/auth/sessions?keep_current=true", {
      token: owner.token,
    });
    expect([ended.status, ended.body]).toMatchObject([200, { data: { ended: 1 } }]);
    for (const tab of tabs) await tab.getByText(ENDED).waitFor();
    await signIn(page, owner);
    await page.getByRole("heading", { name: "Pools", level: 1 }).waitFor();
    await other.getByRole("heading", { name: "Names", level: 1 }).waitFor();
  },
);
