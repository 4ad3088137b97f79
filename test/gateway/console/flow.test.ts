import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { newId } from "../../../actors/platform/ids.ts";
import { lacksChromium } from "../../harness/browser.ts";
import { type SharedStack, sharedStack } from "../../harness/shared-stack.ts";
import { until } from "../../harness/until.ts";
import { startHost, tenant } from "../routes/hosting/container/hosting.ts";
import { inStock } from "../routes/market/stock.ts";
import { goTo, signIn, visit, withoutRefusals } from "./visitor.ts";

const missing = lacksChromium();
let stack: SharedStack;
beforeAll(async () => {
  if (missing) return;
  stack = await sharedStack();
});
afterAll(() => stack?.stop());

/** More cores than a server of any other test has, so that the filter leaves it alone. */
const specs = { cpu_cores: 4_000, ram_gb: 64, country: "DE" };
const unique = (name: string) => `${name}-${crypto.randomUUID().slice(0, 8)}`;

test.skipIf(missing)(
  "by mouse: from a sign-up to a server, a container, a rule and a name, an extension and an invoice, with each change shown by itself",
  async () => {
    const { page, errors } = await visit(`${stack.url}/sign-up`);
    const [username, server] = [unique("mouse"), unique("by-mouse")];
    await inStock(stack, server, { specs });
    await page.getByLabel("User name").fill(username);
    await page.getByLabel("E-mail address").fill(`${username}@example.com`);
    await page.getByLabel("Password").fill("correct horse battery");
    await page.getByRole("button", { name: "Create the account" }).click();
    await page.getByRole("link", { name: "Top up" }).first().waitFor();

    // What a payment brings is seen without a reload.
    const [user] = await stack.db<{ id: string }[]>`SELECT id FROM accounts WHERE username = ${username}`;
    await stack.actors
      .wallet(user?.id ?? "")
      .credit({ amount: "50.00", reason: "flow", idempotency_key: "flow" });
    await page.getByRole("region", { name: "Balance" }).getByText("$50.00").waitFor();

    await page.getByRole("link", { name: "See the servers" }).click();
    await page.getByLabel("Cores").selectOption("64");
    await page.getByRole("button", { name: `Rent ${server}` }).click();
    await page.getByRole("dialog").getByText("$43.00").waitFor();
    await page.getByRole("button", { name: "Rent for $7.00" }).click();
    await page.getByRole("heading", { level: 1, name: server }).waitFor();

    await page.getByRole("link", { name: "Create a container" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Not a label");
    await page.getByRole("button", { name: "Create the container" }).click();
    await page.locator(".field-error").first().waitFor();
    await page.getByLabel("Name", { exact: true }).fill("shop");
    await page.getByLabel("Image", { exact: true }).selectOption({ label: "From a registry" });
    await page.getByLabel("Reference").fill("debian:13");
    await page.getByText("Variables, ports, limits and labels").click();
    await page.getByLabel("Variables", { exact: true }).fill("MODE=production\nQUERY=a=b");
    await page.getByLabel("Secret variables").fill("TOKEN=hunter2");
    await page.getByLabel("Ports").fill("web=8080");
    await page.getByLabel("Memory, MiB").fill("256");
    await page.getByText("The same by command line").click();
    // The project is new, so the first line makes it.
    await page.getByText(/^berth projects create main\sberth containers create shop /).waitFor();
    await page.getByRole("button", { name: "Create the container" }).click();
    await page.getByRole("heading", { level: 1, name: "shop" }).waitFor();
    for (const text of ["MODE=production, QUERY=a=b, TOKEN=(secret)", "web: 8080 (http)", "256 MiB memory"])
      await page.getByText(text).waitFor();

    await openTab(page, "Firewall");
    await page.getByRole("button", { name: "Add a rule" }).click();
    await page.getByText("This is the first rule").waitFor();
    await page.getByLabel("Preset").selectOption({ label: "SSH" });
    await page.getByText("The same by command line").click();
    await page.getByText("berth firewall add shop --port 22 --description ssh", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Add the rule" }).click();
    await page.getByRole("cell", { name: "TCP port 22", exact: true }).waitFor();
    await page.getByRole("checkbox", { name: /TCP port 22 is enabled/ }).click();
    const disabled = page.getByRole("checkbox", { name: /TCP port 22 is enabled/, checked: false });
    await disabled.waitFor();
    // The rule would be the only one that lets something in: that is said before.
    await disabled.click();
    await page.getByRole("dialog").getByText("This is the first rule").waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await disabled.waitFor();
    await page.getByRole("button", { name: "Reset" }).click();
    await page.getByRole("button", { name: "Remove all rules" }).click();
    await page.getByRole("heading", { name: "No rules yet" }).waitFor();

    await openTab(page, "Names");
    await page.getByRole("button", { name: "Create a name" }).click();
    // The container's own port.
    expect(await page.getByLabel("Port", { exact: true }).inputValue()).toBe("8080");
    const preview = page.getByText("The address: ");
    const unusable = page.getByText("This name cannot be used: choose another one.");
    // Where a name is refused, no address is shown as if it led somewhere.
    for (const refused of ["ab", "Not a label", "www"]) {
      await page.getByLabel("Name", { exact: true }).fill("usable");
      await preview.waitFor();
      await page.getByLabel("Name", { exact: true }).fill(refused);
      await page.getByRole("button", { name: "Create the name" }).click();
      await page.locator(".field-error").first().waitFor();
      await unusable.waitFor();
      expect(await preview.count()).toBe(0);
    }
    await page.getByLabel("Name", { exact: true }).fill("shop");
    await page.getByRole("button", { name: "Create the name" }).click();
    await page.getByRole("link", { name: new RegExp(`^shop\\.${server}`) }).waitFor();

    await openTab(page, "Events");
    await page.getByText("proxy_alias.created").waitFor();

    await openTab(page, "Settings");
    await page.getByRole("link", { name: "Create one like it" }).click();
    await page.getByText("Secret variables are not copied").waitFor();
    await page.getByLabel("Name", { exact: true }).fill("shop-2");
    await page.getByRole("button", { name: "Create the container" }).click();
    await page.getByRole("heading", { level: 1, name: "shop-2" }).waitFor();
    for (const text of ["debian:13", "MODE=production, QUERY=a=b", "web: 8080 (http)", "256 MiB memory"])
      await page.getByText(text, { exact: true }).waitFor();

    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Servers" }).click();
    await page.getByRole("link", { name: server }).click();
    await page.getByRole("button", { name: "Extend", exact: true }).click();
    await page.getByRole("button", { name: "Extend for $7.00" }).click();
    // Messages are heard by who does not see them.
    await page.locator('[aria-live="polite"]').getByText("$7.00 was charged").waitFor();

    await page
      .getByRole("navigation", { name: "Pages" })
      .getByRole("link", { name: /^Wallet/ })
      .click();
    await page.getByRole("region", { name: "Balance" }).getByText("$36.00").waitFor();
    await page.getByRole("button", { name: "Make an invoice" }).first().click();
    await page.getByRole("button", { name: "Issue it without" }).click();
    await openTab(page, "Invoices");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: /^PDF of INV-/ }).click();
    expect((await download).suggestedFilename()).toMatch(/^INV-\d{4}-\d+\.pdf$/);

    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Containers" }).click();
    await page.getByRole("checkbox", { name: "Select all" }).click();
    await page.getByRole("toolbar").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete 2 containers" }).click();
    await page.getByRole("heading", { name: "No containers yet" }).waitFor();

    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(withoutRefusals(errors)).toEqual([]);
    await page.context().close();
  },
);

const openTab = (page: Page, name: string) =>
  page.locator("nav.tabs").getByRole("link", { name, exact: true }).click();

test.skipIf(missing).each([
  ["is refused, shown and asked again", false],
  ["is said to have changed where the page reads it again before that", true],
] as const)("a price that was raised meanwhile %s", async (_, isReadAgain) => {
  const owner = await stack.user({ balance: "50.00" });
  const server = unique("raised");
  const id = await inStock(stack, server, { specs });
  const other = await inStock(stack, unique("other"), { specs });
  const { page } = await visit(`${stack.url}/marketplace?min_cpu_cores=4000`);
  await signIn(page, owner);
  await page.getByRole("button", { name: `Rent ${server}` }).click();
  await page.getByRole("button", { name: "Rent for $7.00" }).waitFor();
  await stack.actors.server(id).update({ prices: { "7": 900 } });
  if (isReadAgain) {
    // An event of the user's own has the page read all servers again.
    const body = { rental_days: 7, max_charge_cents: 700 };
    const rented = await stack.call("POST", `/api/v1/servers/${other}/rent`, { token: owner.token, body });
    expect(rented.status).toBe(201);
  } else await page.getByRole("button", { name: "Rent for $7.00" }).click();
  await page.getByText("The price has changed").waitFor();
  await page.getByRole("button", { name: "Rent for $9.00" }).click();
  await page.getByRole("heading", { level: 1, name: server }).waitFor();
  await page.context().close();
});

test.skipIf(missing)(
  "the marketplace shows the cheapest servers first, any other order on demand, and those of a country by a few letters of its name",
  async () => {
    const owner = await stack.user();
    const names = [unique("cheap"), unique("dear")] as const;
    const sorted = { ...specs, cpu_cores: 4_096 };
    await inStock(stack, names[1], { specs: { ...sorted, country: "NE" }, prices: { "7": 900 } });
    await inStock(stack, names[0], { specs: { ...sorted, country: "NL" }, prices: { "7": 700 } });
    const { page } = await visit(`${stack.url}/marketplace?min_cpu_cores=4096`);
    await signIn(page, owner);
    const shown = () => page.locator(".product h2").allTextContents();
    await until(async () => Bun.deepEquals(await shown(), [...names]));
    await page.getByLabel("Order").selectOption("most expensive first");
    await until(async () => Bun.deepEquals(await shown(), names.toReversed()));
    expect(new URL(page.url()).searchParams.get("sort")).toBe("-price_per_day");

    const country = page.getByLabel("Country");
    const asked = () => new URL(page.url()).searchParams.get("country");
    for (const [typed, code, name, found] of [
      ["nether", "NL", "Netherlands (NL)", [names[0]]],
      ["niger", "NE", "Niger (NE)", [names[1]]],
      ["", null, "", names.toReversed()],
    ] as const) {
      await country.fill(typed);
      // It counts while it is typed, and is written out at the end.
      await until(async () => asked() === code && Bun.deepEquals(await shown(), [...found]));
      expect(await country.inputValue()).toBe(typed);
      await country.press("Enter");
      await until(async () => (await country.inputValue()) === name);
    }
    // Where there is little room the servers come first.
    await page.setViewportSize({ width: 390, height: 800 });
    await country.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Filters (1)" }).click();
    await country.waitFor();
    await page.context().close();
  },
);

test.skipIf(missing)(
  "a server that is set up by hand says so before it is rented and until it is ready, and is no choice for a container before",
  async () => {
    const owner = await stack.user({ balance: "50.00" });
    const [server, id] = [unique("by-hand"), newId()];
    await stack.actors
      .server(id)
      .create({ name: server, specs, prices: { "7": 700 }, delivered_by_hand: true });
    const { page } = await visit(`${stack.url}/marketplace?min_cpu_cores=4000`);
    await signIn(page, owner);
    await page.getByRole("button", { name: `Rent ${server}` }).click();
    await page.getByRole("dialog").getByText("set up by hand").waitFor();
    await page.getByRole("button", { name: "Rent for $7.00" }).click();
    const waits = page.getByText("Being set up: we tell you when it is ready");
    await waits.waitFor();
    await goTo(page, "/containers?create=true");
    await page.getByText("Your server is being set up").waitFor();
    await goTo(page, "/");
    await page.getByRole("heading", { name: `${server} is being set up` }).waitFor();
    await page.getByRole("link", { name: "See the server" }).click();
    await waits.waitFor();
    await stack.actors.server(id).join({});
    await waits.waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Create a container" }).click();
    await page.getByLabel("Server").getByText(server).waitFor({ state: "attached" });
    await page.context().close();
  },
);

test.skipIf(missing)(
  "a container's page takes a newer image by a button, and shows which image it runs by then",
  async () => {
    const server = await stack.serverName();
    const ours = await tenant(stack, server);
    const reference = "registry.example/team/app:1";
    const { body } = await ours.create("tagged", { image: reference });
    const host = await startHost(stack, server);
    const reports = (revision: number, digit: string) =>
      host.reportContainer(body.data.id, {
        revision,
        image: {
          ...{ reference, digest: `sha256:${digit.repeat(64)}`, state: "ready", pulled_bytes: 1 },
          ...{ total_bytes: 1, exposed_ports: [], labels: {} },
        },
      });
    try {
      await reports(1, "a");
      const { page, errors } = await visit(`${stack.url}/containers/${body.data.id}`);
      await signIn(page, ours.user);
      await page.getByText(`sha256:${"a".repeat(64)}`).waitFor();
      await page.getByRole("button", { name: "Take the newest" }).click();
      await page.getByRole("button", { name: "Looking for a newer one", disabled: true }).waitFor();
      await reports(2, "b");
      await page.getByText(`sha256:${"b".repeat(64)}`).waitFor();
      await page.getByRole("button", { name: "Take the newest" }).waitFor();
      expect(withoutRefusals(errors)).toEqual([]);
    } finally {
      await host.close();
    }
  },
);
