import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { idOf } from "../../../actors/hosting/certificate/rules.ts";
import { newId } from "../../../actors/platform/ids.ts";
import { lacksChromium } from "../../harness/browser.ts";
import { type SharedStack, sharedStack, type TestUser } from "../../harness/shared-stack.ts";
import { until } from "../../harness/until.ts";
import { as, join, makePool } from "../routes/accounts/pool/team.ts";
import { tenant } from "../routes/hosting/container/hosting.ts";
import { inStock, rented } from "../routes/market/stock.ts";
import { axeFindings, goTo, signIn, visit, withoutRefusals } from "./visitor.ts";

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
  "/users",
  "/servers",
  "/hosts",
  "/containers",
  "/offers",
  "/reservations",
  "/images",
  "/reviews",
  "/notices",
  "/audit",
  "/cluster",
];

/** Of the page, and where there is room for all of them also of the tabs. Tables hold what other tests made, and scroll in their frames. */
const OVERFLOW = `[document.documentElement, ...(innerWidth < 1000 ? [] : document.querySelectorAll(".tabs"))]
  .map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth).reduce((a, b) => a + b, 0)`;

test.skipIf(missing).each([
  ["light", 1280],
  ["dark", 390],
] as const)(
  "axe finds nothing on an administrator's pages in %s colours, %d pixels wide, and each fits the screen",
  async (scheme, width) => {
    const { page, errors } = await visit(stack.url, { scheme, width });
    await signIn(page, operator);
    const found: Record<string, string[]> = {};
    for (const path of [...PAGES, `/users/${operator.id}`]) {
      await goTo(page, `/operator${path}`);
      found[path] = await axeFindings(page);
      const overflow = await page.evaluate(OVERFLOW);
      if (overflow !== 0) found[path]?.push(`${overflow} pixels wider than the screen`);
      found[path]?.push(...(await page.locator(".note.bad").allTextContents()));
    }
    expect(Object.entries(found).filter(([, findings]) => findings.length > 0)).toEqual([]);
    // A request that failed and was made again leaves its line in the browser's log alone.
    expect(withoutRefusals(errors)).toEqual([]);
  },
);

test.skipIf(missing)(
  "an administrator's tables of long names, addresses, prices and errors fit at 1280 and 1024 pixels, with no short word broken and room for what went wrong",
  async () => {
    const tail = crypto.randomUUID().slice(0, 8);
    const long = `long-${tail}-frankfurt-rack-17-unit-32-h100`;
    const prices = {
      "1": 150,
      "7": 900,
      "14": 1_700,
      "30": 3_200,
      "90": 9_000,
      "180": 17_500,
      "365": 1_234_599,
    };
    await inStock(stack, long, { prices });
    await stack.actors.offer(newId()).create({
      ...{ name: `${long} AMD EPYC 9654`, lead_time_hours: 72, pricing_rules: prices, specs: {} },
    });
    const { user, create } = await tenant(stack, await stack.serverName());
    await stack.actors.wallet(user.id).credit({ amount: "10.00", reason: "test", idempotency_key: tail });
    await create("customer-facing-api-gateway-with-cache-and-a-long-name");
    const error = `urn:ietf:params:acme:error:unauthorized: The key authorization file did not match this challenge. ${"Expected another one. ".repeat(4)}From 2001:0db8:85a3:0000:0000:8a2e:0370:7334`;
    const certificate = `gateway-${tail}.eu-central-1.engineering.example-company.com`;
    await stack.db`
      INSERT INTO certificates (id, version, name, purpose, due_at, failures, error, created_at, updated_at)
      VALUES (${newId()}, 1, ${certificate}, 'gateway', now() + interval '9 days', 12, ${error}, now(), now())`;
    for (const width of [1280, 1024]) {
      const { page } = await visit(stack.url, { width });
      await signIn(page, operator);
      const found: string[] = [];
      for (const path of [
        `/servers?search=${long}`,
        "/offers",
        "/users",
        "/containers",
        "/audit",
        "/cluster",
      ]) {
        await goTo(page, `/operator${path}`);
        for (const said of await page.evaluate<string[]>(TABLES)) found.push(`${path} ${width}: ${said}`);
      }
      expect(found).toEqual([]);
      const cell = page.getByRole("row", { name: certificate }).locator('[data-title="Problem"]');
      expect(await cell.evaluate(({ clientWidth }) => clientWidth)).toBeGreaterThan(180);
      await page.close();
    }
  },
);

/** Tables that are wider than their frames, and short words that are broken. */
const TABLES = `[
  ...[...document.querySelectorAll(".table-frame")].filter((one) => one.scrollWidth > one.clientWidth)
    .map((one) => one.scrollWidth - one.clientWidth + " pixels too wide"),
  ...[...document.querySelectorAll("td")].filter((one) => one.offsetParent && /^[a-z]{3,8}$/.test(one.textContent))
    .filter((one) => {
      const text = document.createRange();
      text.selectNodeContents(one);
      return text.getBoundingClientRect().height > 36;
    })
    .map((one) => "the word " + one.textContent + " is broken"),
]`;

test.skipIf(missing)(
  "from the stock an administrator goes to the user who rents, from there to the user's containers, and a suspension says what becomes of them",
  async () => {
    const server = await stack.serverName();
    const { user, container } = await tenant(stack, server);
    await container("inventory");
    const { page } = await visit(`${stack.url}/operator/servers?search=${server}`);
    await signIn(page, operator);
    await page.getByRole("row", { name: server }).getByRole("link", { name: user.username }).click();
    await page.getByRole("heading", { name: user.username, level: 1 }).waitFor();
    for (const title of ["Rentals", "Containers", "Reservations", "Transactions", "Invoices"])
      await page.getByRole("heading", { name: title, exact: true }).waitFor();
    await page.getByRole("button", { name: "Suspend" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(/Containers run on, unless this installation is set up to stop them/).waitFor();
    await dialog.getByText(/Sessions, API tokens and open terminals end at once/).waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("link", { name: "All containers, with image and host" }).click();
    const row = page.getByRole("row", { name: "inventory" });
    await row.getByRole("link", { name: server }).click();
    await page.getByText(`Only those on the host ${server}`).waitFor();
    await page.getByLabel("State").selectOption("running");
    await page.getByText("No such container").waitFor();
    await page.getByLabel("State").selectOption("");
    await page.getByRole("searchbox", { name: "Search" }).fill(user.username);
    await row.getByRole("link", { name: user.username }).click();
    await page.getByRole("heading", { name: user.username, level: 1 }).waitFor();
  },
);

test.skipIf(missing)(
  "an administrator's home leads to the operator's pages first, and a user's page has the invoices as files",
  async () => {
    const user = await stack.user({ balance: "20.00" });
    const { data } = (await as(stack, user)("GET", "/wallet/transactions")).body;
    await as(stack, user)("POST", `/wallet/invoices/generate/${data[0].id}`);
    const { page } = await visit(stack.url);
    await signIn(page, operator);
    await page.getByRole("link", { name: "To the operator's pages" }).waitFor();
    expect(await page.getByRole("heading", { name: "Top up your wallet" }).count()).toBe(0);
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole("link", { name: "To the operator's pages" }).click();
    await page.waitForURL("**/operator");
    await goTo(page, `/operator/users/${user.id}`);
    await page.getByText(`${user.username}@example.com (not verified)`).waitFor();
    await page.getByText("Second factor").waitFor();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: /^PDF of INV-/ }).click();
    expect((await download).suggestedFilename()).toMatch(/^INV-\d{4}-\d+\.pdf$/);
  },
);

test.skipIf(missing)("a notice goes to the user of a name, and a name that nobody has is said", async () => {
  const user = await stack.user();
  const { page } = await visit(`${stack.url}/operator/notices`);
  await signIn(page, operator);
  await page.getByLabel("Title").fill("Your disk is replaced tonight");
  await page.getByLabel("Text").fill("Nothing to do for you.");
  await page.getByLabel("To the user").fill(`${user.username}x`);
  const send = page.getByRole("button", { name: "Send the notice" });
  await send.click();
  await page.getByText(`No user has the name or the address ${user.username}x.`).waitFor();
  await page.getByLabel("To the user").fill(user.username);
  await send.click();
  await until(async () => {
    const { body } = await stack.call("GET", "/api/v1/notifications", { token: user.token });
    return JSON.stringify(body.data).includes("Your disk is replaced tonight");
  });
});

test.skipIf(missing)(
  "an administrator finds a user, credits the wallet, refunds a charge, suspends and restores the account",
  async () => {
    const user = await stack.user({ balance: "1.00" });
    const { page } = await visit(`${stack.url}/operator/users?search=${user.username}`);
    await signIn(page, operator);
    await page.getByRole("link", { name: user.username }).click();
    await page.getByText("$1.00", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Credit the wallet" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Amount").fill("2.50");
    await dialog.getByLabel("Reason").fill("an outage");
    await dialog.getByRole("button", { name: "Credit the wallet" }).click();
    await page.getByText("$3.50").waitFor();
    const server = `refunded-${crypto.randomUUID().slice(0, 8)}`;
    await stack.actors.wallet(user.id).credit({ amount: "10.00", reason: "test", idempotency_key: "rent" });
    await rented(stack, user, server);
    await page.reload();
    await page.getByRole("button", { name: `Refund Rent of ${server}` }).click();
    await dialog.getByLabel("Amount").fill("7.01");
    await dialog.getByLabel("Reason").fill("an outage");
    await dialog.getByRole("button", { name: "Refund it" }).click();
    await dialog.locator(".field-error").waitFor();
    await dialog.getByLabel("Amount").fill("7.00");
    await dialog.getByRole("button", { name: "Refund it" }).click();
    await page.getByRole("cell", { name: "$7.00", exact: true }).waitFor();
    await page.getByText("$13.50").waitFor();
    expect(await page.getByRole("button", { name: `Refund Rent of ${server}` }).count()).toBe(0);
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
    await page.locator("h1").getByText("active").waitFor();
    await goTo(page, "/operator/audit");
    await page.getByRole("cell", { name: user.username }).first().waitFor();
  },
);

test.skipIf(missing)(
  "an administrator deletes a user after what is in the way has ended, by the user's name and a reason",
  async () => {
    const user = await stack.user({ balance: "3.00" });
    const { body: project } = await as(stack, user)("POST", "/projects", { name: "left" });
    const pool = await makePool(stack, user, "team");
    const friend = await stack.user();
    await join(stack, user, pool, friend, "user");
    const { page } = await visit(`${stack.url}/operator/users/${user.id}`);
    await signIn(page, operator);
    const open = page.getByRole("button", { name: "Delete", exact: true });
    await open.click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("The pool with other members team").waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Close" }).click();
    await as(stack, user)("DELETE", `/pools/${pool}/members/${friend.id}`);

    await open.click();
    await dialog.getByText("The user gives up the balance of $3.00.").waitFor();
    await dialog.getByLabel("User name").fill("somebody-else");
    await dialog.getByLabel("Reason").fill("asked for it");
    const confirm = dialog.getByRole("button", { name: "Delete the account for good" });
    await confirm.click();
    await dialog.getByText(`Type ${user.username} to confirm.`).nth(1).waitFor();
    await dialog.getByLabel("User name").fill(user.username);
    await confirm.click();
    await page.getByText(`The account of ${user.username} is deleted`).waitFor();
    await open.waitFor({ state: "detached" });
    expect((await as(stack, user)("GET", `/projects/${project.data.id}`)).status).toBe(401);
  },
);

test.skipIf(missing)(
  "a server is added with its prices and a part of it, and a price that is none is said",
  async () => {
    const { page } = await visit(`${stack.url}/operator/servers`);
    await signIn(page, operator);
    const name = await stack.serverName();
    await page.getByRole("button", { name: "Add a server" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: true }).fill(name);
    await dialog.getByLabel("Kind").selectOption("shared");
    await dialog.getByLabel("Cores").fill("8");
    await dialog.getByLabel("Prices").fill("thirty days: 19");
    await dialog.getByRole("button", { name: "Add the server" }).click();
    await dialog.getByText('"thirty days: 19" is no price').waitFor();
    await dialog.getByLabel("Prices").fill("1 1.50\n30 19.00");
    await dialog.getByRole("button", { name: "Add the server" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Add a server" }).click();
    await dialog.getByLabel("Name", { exact: true }).fill(name);
    await dialog.getByLabel("Prices").fill("1 0.20");
    await dialog.getByRole("button", { name: "Add the server" }).click();
    await dialog.locator(".field", { hasText: "Name" }).getByText("There is a server of this name").waitFor();
    await dialog.getByLabel("Name", { exact: true }).fill(`${name}-part`);
    await dialog.getByLabel("Part of").selectOption({ label: name });
    await dialog.getByLabel("Prices").fill("1 0.20");
    await dialog.getByRole("button", { name: "Add the server" }).click();
    await dialog.waitFor({ state: "detached" });
    const { body } = await stack.call("GET", "/api/v1/admin/servers?limit=500", { token: operator.token });
    const named = (wanted: string) => body.data.servers.find((one: { name: string }) => one.name === wanted);
    const server = named(name);
    expect([server.prices, server.specs]).toEqual([{ 1: 150, 30: 1_900 }, { cpu_cores: 8 }]);
    expect(named(`${name}-part`)).toMatchObject({ parent_id: server.id, prices: { 1: 20 } });
  },
);

test.skipIf(missing)(
  "a delivery shows each server beside what was ordered, chooses none that is smaller, names what it lacks, and asks whether that is meant; its state has the customer's words",
  async () => {
    const [cores, memory] = [3_000, 9_000];
    const user = await stack.user({ balance: "10.00" });
    const name = await stack.serverName();
    const specs = { cpu_cores: cores, ram_gb: memory };
    const offer = newId();
    await stack.actors
      .offer(offer)
      .create({ name, lead_time_hours: 1, pricing_rules: { "7": 300 }, specs: { ...specs } });
    const reserve = { days: 7, max_charge_cents: 300, idempotency_key: "ordered" };
    await as(stack, user)("POST", `/offers/${offer}/reserve`, reserve);
    const small = await inStock(stack, `${name}-small`, { specs: { cpu_cores: 2, ram_gb: 4 } });
    await inStock(stack, `${name}-divided`, { specs, kind: "shared" });
    await stack.actors.server(newId()).create({ name: `${name}-hostless`, specs, delivered_by_hand: true });
    const { page } = await visit(`${stack.url}/operator/reservations`);
    await signIn(page, operator);
    const dialog = page.getByRole("dialog");
    const server = dialog.getByLabel("Server");
    const open = async () => {
      await page.getByRole("button", { name: `Deliver ${name}` }).click();
      await dialog.getByText("3,000 cores, 9,000 GiB memory").first().waitFor();
    };
    await page.getByRole("row", { name: `${name} being prepared` }).waitFor();
    await open();
    expect(await server.inputValue()).toBe("");
    const listed = (await server.locator("option").allTextContents()).filter((text) => text.includes(name));
    expect(listed.join()).toContain(`${name}-small`);
    expect(listed.join()).not.toMatch(/-divided|-hostless/);
    await server.selectOption(small);
    await dialog.getByText("2 cores of 3,000; 4 GiB memory of 9,000").waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });

    const large = await inStock(stack, `${name}-large`, { specs });
    await page.reload();
    await open();
    expect(await server.inputValue()).toBe(large);
    expect(await dialog.getByText("It is smaller than").count()).toBe(0);
    // Another administrator was faster.
    await stack.actors.server(large).hand_over({
      ...{ rental_id: newId(), user_id: user.id, rental_end: new Date(Date.now() + 1e8).toISOString() },
    });
    await dialog.getByRole("button", { name: "Deliver" }).click();
    await dialog.locator(".field-error").waitFor();
    await server.selectOption(small);
    const anyway = dialog.getByRole("button", { name: "Deliver the smaller server" });
    expect(await anyway.isDisabled()).toBe(true);
    await dialog.getByLabel("The customer gets this smaller server all the same").check();
    await anyway.click();
    await dialog.waitFor({ state: "detached" });

    const { page: theirs } = await visit(`${stack.url}/inbox`);
    await signIn(theirs, user);
    const notice = theirs.getByRole("listitem").filter({ hasText: `Your server is ready: ${name}-small` });
    await notice.getByRole("link", { name: "See it" }).click();
    await theirs.getByRole("heading", { name: `${name}-small`, level: 1 }).waitFor();
    await goTo(theirs, "/marketplace");
    await theirs.getByRole("cell", { name, exact: true }).getByRole("link").click();
    await theirs.getByRole("heading", { name: `${name}-small`, level: 1 }).waitFor();
    await goTo(theirs, "/account/audit");
    await theirs.getByRole("cell", { name: "reservation delivered" }).waitFor();
  },
);

test.skipIf(missing)(
  "the stock goes out as CSV; a changed file is checked, each wrong cell named, and then changes all or nothing",
  async () => {
    const name = `csv-${crypto.randomUUID().slice(0, 8)}`;
    const id = await inStock(stack, name);
    const { page } = await visit(`${stack.url}/operator/servers`);
    await signIn(page, operator);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export CSV" }).click();
    const exported = readFileSync(await (await download).path(), "utf8").split("\n");
    const [head = ""] = exported;
    const line = exported.find((one) => one.includes(name)) ?? "";
    await page.getByRole("button", { name: "Import CSV" }).click();
    const dialog = page.getByRole("dialog");
    const give = async (changed: string) => {
      const buffer = Buffer.from(`${head}\n${changed}\n`);
      await dialog
        .locator("input[type=file]")
        .setInputFiles({ name: "stock.csv", mimeType: "text/csv", buffer });
      await dialog.getByRole("button", { name: "Check the file" }).click();
    };
    await give(line.replace("7.00", "cheap"));
    await dialog.getByRole("cell", { name: "Line 2" }).waitFor();
    await dialog.getByRole("cell", { name: "price_7", exact: true }).waitFor();
    await give(line.replace("7.00", "8.50"));
    await dialog.getByText("price_7: 7.00 → 8.50").waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Change 1 server" }).click();
    await dialog.waitFor({ state: "detached" });
    const { body } = await stack.call("GET", `/api/v1/admin/servers?limit=500`, { token: operator.token });
    expect(body.data.servers.find((one: { id: string }) => one.id === id).prices["7"]).toBe(850);
  },
);

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
    await page.getByRole("button", { name: `Join command for ${name}` }).click();
    const renewed = page.getByRole("dialog", { name: `Make a new join command for ${name}?` });
    await renewed.getByText("A command that was made before no longer works.").waitFor();
    await renewed.getByRole("button", { name: "Make a new command" }).click();
    await command.waitFor();
    await page.getByRole("button", { name: "I have copied it" }).click();
    await page.getByRole("button", { name: `Drain ${name}` }).click();
    const drained = page.getByRole("dialog", { name: `Drain the host ${name}?` });
    await drained.getByText("No containers run on it.").waitFor();
    await drained.getByRole("button", { name: "Cancel" }).click();
    expect(await page.getByRole("button", { name: `Use again ${name}` }).count()).toBe(0);
    await page.getByRole("button", { name: `Drain ${name}` }).click();
    await drained.getByRole("button", { name: "Drain the host" }).click();
    await page.getByRole("cell", { name: "pending, draining" }).first().waitFor();
    await page.getByRole("button", { name: `Use again ${name}` }).waitFor();
    await page.getByRole("button", { name: `Remove ${name}` }).click();
    await page.getByRole("button", { name: "Remove the host" }).click();
    await page.getByRole("cell", { name, exact: true }).waitFor({ state: "detached" });
  },
);

test.skipIf(missing)("who is no administrator neither sees nor reads the operator's pages", async () => {
  const { page } = await visit(`${stack.url}/operator`);
  await signIn(page, await stack.user());
  await page.getByRole("heading", { level: 1, name: "Not found" }).waitFor();
  expect(await page.getByRole("link", { name: /^(Operator|Users)$/ }).count()).toBe(0);
});

test.skipIf(missing)(
  "an administrator makes a user one too, by the own password and a reason, and gives up the own role",
  async () => {
    const leaving = await stack.user({ role: "admin" });
    const user = await stack.user();
    const roleOf = async (id: string) =>
      (await stack.call("GET", `/api/v1/admin/users/${id}`, { token: operator.token })).body.data.role;
    const { page } = await visit(`${stack.url}/operator/users/${user.id}`);
    await signIn(page, leaving);
    const dialog = page.getByRole("dialog");
    const send = async (button: string, password: string) => {
      await dialog.getByLabel("Current password").fill(password);
      await dialog.getByLabel("Reason").fill("on call");
      await dialog.getByRole("button", { name: button }).click();
    };
    await page.getByRole("button", { name: "Make an administrator" }).click();
    expect(await axeFindings(page)).toEqual([]);
    await send("Make an administrator", "not the password");
    await dialog.locator(".field-error").getByText("password is wrong").waitFor();
    await send("Make an administrator", leaving.password);
    await page.getByText(`${user.username} is an administrator`).waitFor();
    await page.getByRole("button", { name: "Make an administrator" }).waitFor({ state: "detached" });
    expect(await roleOf(user.id)).toBe("admin");
    // Nobody takes another's power here.
    expect(await page.getByRole("button", { name: "Give up being an administrator" }).count()).toBe(0);

    await goTo(page, `/operator/users/${leaving.id}`);
    await page.getByRole("button", { name: "Give up being an administrator" }).click();
    await send("Give it up", leaving.password);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await roleOf(leaving.id)).toBe("user");
  },
);

test.skipIf(missing)(
  "an administrator sees which certificates fail, why and when they are tried next, and has one tried now",
  async () => {
    const name = `${crypto.randomUUID()}.example.com`;
    const certificate = stack.actors.certificate(idOf(name));
    await certificate.want({ name, purpose: "name", user_id: null });
    // As long as an authority's reason may be, with an address that has no place to break.
    const error = `no A record of the name leads here: https://authority.example/${"a".repeat(400)}`;
    await certificate.record_failure({ error });
    const { page } = await visit(`${stack.url}/operator`);
    await signIn(page, operator);
    await page.getByText(/certificates? cannot be had/).waitFor();
    await page.getByRole("link", { name: "See the certificates" }).click();
    const row = page.getByRole("row", { name: new RegExp(name) });
    await row.getByText("no A record of the name leads here").waitFor();
    await row.getByText("failing").waitFor();
    // A few seconds after it was set it is still said to be whole.
    const nextTry = row.getByText(/^in [45] minutes$/);
    await nextTry.waitFor();
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
      expect(await axeFindings(page)).toEqual([]);
    }
    await row.getByRole("button", { name: `Order now: ${name}` }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("The same by command line").click();
    await dialog.getByText(`berth admin certificates retry ${name}`).waitFor();
    await dialog.getByRole("button", { name: "Order it now" }).click();
    await dialog.waitFor({ state: "detached" });
    await nextTry.waitFor({ state: "detached" });
    await page.getByLabel("State").selectOption("pending");
    await row.waitFor({ state: "detached" });
    await certificate.forget({});
  },
);
