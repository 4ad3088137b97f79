import { afterAll, beforeAll, expect, test } from "bun:test";
import { commandLine } from "../../client/cli/run.ts";
import { lacksChromium } from "../../harness/browser.ts";
import { type SharedStack, sharedStack } from "../../harness/shared-stack.ts";
import { as } from "../routes/accounts/pool/team.ts";
import { tenant } from "../routes/hosting/container/hosting.ts";
import { axeFindings, signIn, visit, withoutRefusals } from "./visitor.ts";

const missing = lacksChromium();
let stack: SharedStack;
let server: string;
beforeAll(async () => {
  if (missing) return;
  stack = await sharedStack();
  server = await stack.serverName();
});
afterAll(() => stack?.stop());

test.skipIf(missing)(
  "a compose file is shown as changes and made step by step; a step that fails is tried again, and then nothing is left to change for the command line either",
  async () => {
    const ours = await tenant(stack, server);
    const { user } = ours;
    const alias = `shop-${crypto.randomUUID().slice(0, 8)}`;
    const other = await ours.container("other");
    const taken = await as(stack, user)("POST", "/proxy/aliases", {
      container_id: other,
      program: "http",
      port: 80,
      alias,
    });
    const file = `name: shop
services:
  front:
    image: nginx:$TAG
    environment: [GREETING]
    x-berth:
      alias: [{ name: ${alias}, port: 80 }]
      firewall: { ingress: [{ action: allow, protocol: tcp, destination_port: 80 }] }
`;
    const { page, errors } = await visit(`${stack.url}/projects/compose`);
    await signIn(page, user);
    await page.getByLabel("File", { exact: true }).fill(file.replace("image:", "build: .\n    image:"));
    await page.getByLabel("Variables").fill("TAG=1\nGREETING=hello");
    const show = page.getByRole("button", { name: "Show what changes" });
    await show.click();
    await page
      .locator(".field-error")
      .getByText(/^Line 4: services.front.build: images are not built/i)
      .waitFor();

    await page.getByLabel("File", { exact: true }).fill(file);
    await show.click();
    // Another container has the name.
    await page.getByText(/the alias shop-\w+ is of another container/).waitFor();
    expect(await page.getByText(/line 7/).count()).toBe(1);
    await as(stack, user)("DELETE", `/proxy/aliases/${taken.body.data.id}`);
    await show.click();
    const changes = page.getByRole("region", { name: "What changes" });
    await changes.getByText("+ project shop").waitFor();
    const lines = await changes.locator("li code").allTextContents();
    expect(lines).toEqual([
      "+ project shop",
      `+ container front of nginx:1 on ${server}`,
      "+ rule of front: ingress allow tcp to port 80",
      `+ alias ${alias} to http port 80 of front`,
    ]);
    expect(await axeFindings(page)).toEqual([]);

    // Somebody else takes the name meanwhile: the last step fails.
    const again = await as(stack, user)("POST", "/proxy/aliases", {
      container_id: other,
      program: "http",
      port: 80,
      alias,
    });
    await changes.getByRole("button", { name: "Make 4 changes" }).click();
    await changes.getByText("failed").waitFor();
    expect(await changes.getByText("done", { exact: true }).count()).toBe(3);
    await as(stack, user)("DELETE", `/proxy/aliases/${again.body.data.id}`);
    await changes.getByRole("button", { name: "Try again" }).click();
    await changes.getByText("shop is as the file says.").waitFor();
    expect(await changes.getByText("done", { exact: true }).count()).toBe(4);
    await changes.getByRole("link", { name: "See the project" }).click();
    await page.getByRole("heading", { name: "shop", level: 1 }).waitFor();
    await page.getByRole("link", { name: "front" }).waitFor();
    expect(withoutRefusals(errors)).toEqual([]);

    const cli = commandLine(stack, user);
    const env = { TAG: "1", GREETING: "hello" };
    const ran = await cli.ok(`--json up -f - --server ${server} --dry-run`, { input: file, env });
    expect(ran.json.changes).toEqual([]);
  },
);

test.skipIf(missing)(
  "a file is read where it is dropped, and containers that it no longer names go only when told",
  async () => {
    const ours = await tenant(stack, await stack.serverName());
    const { page } = await visit(`${stack.url}/projects/compose?project=dropped`);
    await signIn(page, ours.user);
    const drop = async (text: string) => {
      const transfer = await page.evaluateHandle(`{
      const data = new DataTransfer();
      data.items.add(new File([${JSON.stringify(text)}], "compose.yaml"));
      data;
    }`);
      await page.getByLabel("File", { exact: true }).dispatchEvent("drop", { dataTransfer: transfer });
    };
    const show = page.getByRole("button", { name: "Show what changes" });
    const changes = page.getByRole("region", { name: "What changes" });
    await drop("services: { one: { image: a:1 }, two: { image: a:1 } }\n");
    await show.click();
    await changes.getByRole("button", { name: "Make 3 changes" }).click();
    await changes.getByText("dropped is as the file says.").waitFor();
    await drop("services: { one: { image: a:1 } }\n");
    await show.click();
    await changes.getByText("Not in the file, and left as they are: two.").waitFor();
    await page.getByLabel("Delete containers of services").check();
    await show.click();
    await changes.getByText("- container two and everything in it").waitFor();
  },
);
