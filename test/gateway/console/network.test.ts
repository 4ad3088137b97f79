import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { idOf } from "../../../actors/hosting/certificate/rules.ts";
import { lacksChromium } from "../../harness/browser.ts";
import { type SharedStack, sharedStack, type TestUser } from "../../harness/shared-stack.ts";
import { until } from "../../harness/until.ts";
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
    await page.getByRole("button", { name: "Switch off shop" }).click();
    await page.getByRole("cell", { name: "off", exact: true }).waitFor();
    await page.getByRole("button", { name: "Delete shop" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete the name" }).click();
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
    await page.getByRole("button", { name: "Remove ingress tcp port 8443" }).click();
    await page.getByText("It stays closed to incoming packets").waitFor();
    await page.getByRole("button", { name: "Reset" }).click();
    await page.getByRole("button", { name: "Remove all rules" }).click();
    await page.getByText("Everything may reach it.").waitFor();
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
