import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { idOf } from "../../../actors/hosting/certificate/rules.ts";
import { lacksChromium } from "../../harness/browser.ts";
import { type SharedStack, sharedStack, type TestUser } from "../../harness/shared-stack.ts";
import { until } from "../../harness/until.ts";
import { startHost, tenant } from "../routes/hosting/container/hosting.ts";
import { rented } from "../routes/market/stock.ts";
import { axeFindings, signIn, visit } from "./visitor.ts";

const missing = lacksChromium();
let stack: SharedStack;
let user: TestUser;
let container: string;
const name = `net-${crypto.randomUUID().slice(0, 8)}`;
beforeAll(async () => {
  if (missing) return;
  stack = await sharedStack();
  user = await stack.user({ balance: "100.00" });
  const { serverId } = await rented(stack, user, name);
  const { body: project } = await call("POST", "/projects", { name: "shop" });
  const made = await call("POST", "/containers", {
    project_id: project.data.id,
    server_id: serverId,
    name: "web",
  });
  container = `/containers/${made.body.data.id}`;
});
afterAll(() => stack?.stop());

const call = (method: string, path: string, body?: unknown) =>
  stack.call(method, `/api/v1${path}`, { token: user.token, body });

async function open(path: string): Promise<Page> {
  const { page } = await visit(stack.url + path);
  await signIn(page, user);
  return page;
}

test.skipIf(missing)(
  "a name is made for the only container, which needs no choice, switched off and deleted",
  async () => {
    const page = await open("/names");
    await page.getByRole("button", { name: "Create a name" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("shop");
    await page.getByText(`shop.${name}.`).first().waitFor();
    await page.getByRole("button", { name: "Create the name" }).click();
    await page.getByRole("cell", { name: "web", exact: true }).waitFor();
    // A name that is taken shows no address as if it led somewhere.
    await page.getByRole("button", { name: "Create a name" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Name" }).fill("shop");
    await dialog.getByText("The address: ").waitFor();
    await dialog.getByRole("button", { name: "Create the name" }).click();
    await dialog.getByText("This name cannot be used: choose another one.").waitFor();
    expect(await dialog.getByText("The address: ").count()).toBe(0);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Switch off shop" }).click();
    await page.getByRole("cell", { name: "off", exact: true }).waitFor();
    await page.getByRole("button", { name: "Delete shop" }).click();
    await dialog.getByRole("button", { name: "Delete the name" }).click();
    await page.getByText("No names yet").waitFor();
  },
);

test.skipIf(missing)(
  "a container whose last rule is removed is said to stay closed, and a reset opens it",
  async () => {
    await call("POST", `${container}/firewall/reset`);
    await call("POST", `${container}/firewall/ingress`, {
      action: "allow",
      protocol: "tcp",
      destination_port: "8443",
      description: "an application",
    });
    const page = await open(`${container}/firewall`);
    await page.getByRole("button", { name: "Remove incoming TCP port 8443" }).click();
    await page.getByText("It stays closed to incoming packets").waitFor();
    await page.getByRole("button", { name: "Reset" }).click();
    await page.getByRole("button", { name: "Remove all rules" }).click();
    await page.getByText("Everything may reach it.").waitFor();
  },
);

test.skipIf(missing)(
  "a rule is changed in its place: what differs is shown before, it keeps its state and its id, and the container is never open in between",
  async () => {
    await call("POST", `${container}/firewall/reset`);
    const rule = { action: "allow", protocol: "tcp", description: "web", source_port: "1024-65535" };
    const made = await call("POST", `${container}/firewall/ingress`, { ...rule, destination_port: "80" });
    await call("POST", `${container}/firewall/egress`, { ...rule, action: "drop", destination_port: "25" });
    const before = await call("GET", `${container}/firewall/rules`);
    const page = await open(`${container}/firewall`);
    await page.getByRole("button", { name: "Change incoming TCP port 80 from port 1024-65535" }).click();
    const dialog = page.getByRole("dialog", { name: "Change the rule" });
    const port = dialog.getByLabel("Port", { exact: true });
    expect(await port.inputValue()).toBe("80");
    await dialog.getByText("0 rules added, 0 rules removed, 2 rules stay.").waitFor();
    await port.fill("99999");
    await dialog.getByRole("button", { name: "Change the rule" }).click();
    await dialog
      .locator(".field-error")
      .getByText("“99999” is no port: a port is a whole number from 1 to 65535.")
      .waitFor();
    await port.fill("8080");
    await dialog.getByLabel("From").fill("10.0.0.300");
    await dialog.getByRole("button", { name: "Change the rule" }).click();
    await dialog.locator(".field-error").getByText("300").waitFor();
    await dialog.getByLabel("From").fill("10.0.0.0/8");
    await dialog.getByText("1 rule added, 1 rule removed, 1 rule stays.").waitFor();
    await dialog.getByText(/in allow TCP .*port 8080/).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Change the rule" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("cell", { name: "TCP port 8080 from port 1024-65535", exact: true }).waitFor();
    const { body } = await call("GET", `${container}/firewall/rules`);
    expect(body.data.ingress).toMatchObject([
      { id: made.body.data.id, ...rule, destination_port: "8080", source: "10.0.0.0/8", state: "enabled" },
    ]);
    expect(body.data.egress).toEqual(before.body.data.egress);
    // One revision: nothing was removed before it was added.
    expect(body.data.firewall.revision).toBe(before.body.data.firewall.revision + 1);
  },
);

test.skipIf(missing)(
  "a rule that somebody changes or removes meanwhile is not changed unseen, and one that begins to close the container says so",
  async () => {
    await call("POST", `${container}/firewall/reset`);
    const rule = { action: "reject", protocol: "udp", description: "", destination_port: "53" };
    const { id } = (await call("POST", `${container}/firewall/egress`, rule)).body.data;
    const page = await open(`${container}/firewall`);
    await page.getByRole("button", { name: "Change outgoing UDP port 53" }).click();
    const dialog = page.getByRole("dialog", { name: "Change the rule" });
    await dialog.getByLabel("Direction").selectOption("Incoming");
    await dialog.getByText("This closes the container").waitFor();
    await call("POST", `${container}/firewall/egress`, { ...rule, destination_port: "54" });
    const change = dialog.getByRole("button", { name: "Change the rule" });
    await change.click();
    await dialog.getByText("Somebody has changed the rules meanwhile").waitFor();
    await dialog.getByText("1 rule added, 1 rule removed, 1 rule stays.").waitFor();
    await dialog.getByLabel("Direction").selectOption("Outgoing");
    await dialog.getByLabel("Port", { exact: true }).fill("54");
    await change.click();
    await dialog.getByText("There is such a rule already.").waitFor();
    await call("DELETE", `${container}/firewall/rules/${id}`);
    await dialog.getByLabel("Port", { exact: true }).fill("55");
    await change.click();
    await dialog.getByText("Somebody has removed the rule meanwhile").waitFor();
    expect(await dialog.getByLabel("Port", { exact: true }).inputValue()).toBe("55");
    await dialog.getByText("1 rule added, 0 rules removed, 1 rule stays.").waitFor();
    await dialog.getByRole("button", { name: "Add the rule again" }).click();
    await dialog.waitFor({ state: "detached" });
    const { body } = await call("GET", `${container}/firewall/rules`);
    expect(body.data.egress.map((one: { destination_port: string }) => one.destination_port)).toEqual([
      "54",
      "55",
    ]);
  },
);

test.skipIf(missing)(
  "imported rules are compared with those that are there, and replace only the version that was compared",
  async () => {
    const rule = (port: string) => ({
      action: "allow",
      protocol: "tcp",
      destination_port: port,
      description: "web",
    });
    await call("POST", `${container}/firewall/reset`);
    await call("POST", `${container}/firewall/egress`, rule("443"));
    const page = await open(`${container}/firewall`);
    await page.getByRole("button", { name: "Import" }).click();
    const dialog = page.getByRole("dialog");
    const text = dialog.getByLabel("Or as text");
    await text.fill("{}");
    await dialog.getByText("The text holds no rules").waitFor();
    await text.fill(
      JSON.stringify({
        rules: [
          { direction: "egress", ...rule("443") },
          { direction: "ingress", ...rule("80") },
        ],
      }),
    );
    await dialog.getByText("1 rule added, 0 rules removed, 1 rule stays.").waitFor();
    await dialog.getByText("This closes the container").waitFor();
    expect(await axeFindings(page)).toEqual([]);
    // Another change, between the look and the press of the button.
    await call("POST", `${container}/firewall/egress`, rule("53"));
    await dialog.getByRole("button", { name: "Replace the rules" }).click();
    await dialog.getByText("1 rule added, 1 rule removed, 1 rule stays.").waitFor();
    await dialog.getByRole("button", { name: "Replace the rules" }).click();
    await dialog.waitFor({ state: "detached" });
    const { body } = await call("GET", `${container}/firewall/rules`);
    const ports = (list: { destination_port: string }[]) => list.map((one) => one.destination_port);
    expect([ports(body.data.ingress), ports(body.data.egress)]).toEqual([["80"], ["443"]]);
  },
);

test.skipIf(missing)(
  "a domain of one's own is added with the records that prove it, looked for again, proven and removed",
  async () => {
    const { body: made } = await call("POST", "/proxy/aliases", {
      ...{ container_id: container.slice("/containers/".length), program: "http", port: 80, alias: "own" },
    });
    const domain = `${crypto.randomUUID()}.example.com`;
    const page = await open("/names");
    await page.getByText("None yet. A domain of yours").waitFor();
    await page.getByRole("button", { name: "Add a domain" }).click();
    const dialog = page.getByRole("dialog");
    const field = dialog.getByLabel("Domain");
    await field.fill(`own.${name}.berth.localhost`);
    await dialog.getByRole("button", { name: "Add the domain" }).click();
    await dialog.locator(".field-error").getByText("Is a name of this service").waitFor();
    await field.fill(domain.toUpperCase());
    await dialog.getByText("The same by command line").click();
    await dialog.getByText(`berth alias domains add own ${domain.toUpperCase()}`).waitFor();
    await dialog.getByRole("button", { name: "Add the domain" }).click();
    const proof = page.getByRole("dialog", { name: `The proof of ${domain}` });
    await proof.waitFor();
    const claim = async () => {
      const { body } = await call("GET", `/proxy/aliases/${made.data.id}/domains`);
      return body.data.domains[0];
    };
    const { txt_name, txt_value, cname_target } = await claim();
    for (const text of [txt_name, txt_value, cname_target])
      await proof.getByText(text, { exact: true }).waitFor();
    expect(
      await proof.getByRole("button", { name: /^Copy the (name|value) of the (TXT|CNAME) record$/ }).count(),
    ).toBe(4);
    expect(await axeFindings(page)).toEqual([]);
    await proof.getByRole("button", { name: "Look again now" }).click();
    await proof.waitFor({ state: "detached" });
    const row = page.getByRole("row", { name: new RegExp(domain) });
    await row.getByText("waiting for proof").waitFor();
    const { id } = await until(async () => {
      const looked = await claim();
      return looked.checked_at !== null && looked;
    });
    await stack.actors.domain(idOf(domain)).record_look({ id, proof: "txt", error: null });
    await row.getByText(/^proven/).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await row.getByRole("button", { name: `Remove ${domain}` }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove the domain" }).click();
    await page.getByText("None yet. A domain of yours").waitFor();
    await call("DELETE", `/proxy/aliases/${made.data.id}`);
  },
);

test.skipIf(missing)(
  "the palette offers the desktop of a running container where its image declares a display, and nowhere else",
  async () => {
    const server = await stack.serverName();
    const ours = await tenant(stack, server);
    const host = await startHost(stack, server);
    try {
      for (const [name, programs] of [
        ["windows", ["display"]],
        ["plain", ["code"]],
      ] as const) {
        const reference = "ghcr.io/example/app:1";
        const { body } = await ours.create(name, { image: reference });
        const image = {
          ...{ reference, digest: null, state: "ready" as const, pulled_bytes: 1, total_bytes: 1 },
          ...{ exposed_ports: [], labels: {}, programs: [...programs] },
        };
        await host.reportContainer(body.data.id, { image });
        await until(
          async () => (await ours.call("GET", `/${body.data.id}`)).body.data.image.programs !== undefined,
        );
      }
      const { page } = await visit(`${stack.url}/containers`);
      await signIn(page, ours.user);
      await page.getByRole("cell", { name: "running" }).nth(1).waitFor();
      await page.keyboard.press("Control+k");
      const search = page.getByRole("dialog").getByRole("combobox");
      await search.fill("windows");
      await page.getByRole("option", { name: "Desktop of windows" }).waitFor();
      await search.fill("plain");
      await page.getByRole("option", { name: /Restart plain/ }).waitFor();
      expect(await page.getByRole("option", { name: "Desktop of plain" }).count()).toBe(0);
    } finally {
      await host.close();
    }
  },
);
