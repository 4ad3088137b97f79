import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { IMAGE_STORE } from "../../../agents/containers/images/store.ts";
import { DEMO_IMAGE, importDemoImage } from "../../../scripts/demo-image.ts";
import { type Agent, type AgentOptions, cleanUp, startAgent } from "../../agents/agent-process.ts";
import { testSubnet } from "../../agents/containers/specs.ts";
import { lacks } from "../../agents/requirements.ts";
import { lacksChromium } from "../../harness/browser.ts";
import { type EmbeddedStack, startEmbeddedStack, type TestUser } from "../../harness/embedded-stack.ts";
import { freePort, temporaryFolder } from "../../harness/servers.ts";
import { SANDBOX_ENV } from "../routes/billing/top-up/processors.ts";
import { walkAsCustomer } from "./customer-way.ts";
import { byKeyboard } from "./hands.ts";
import { signIn, visit, withoutRefusals } from "./visitor.ts";

/**
 * The whole way through the console on an empty control plane with a real host: its operator's by mouse, and a customer's by keyboard
 * alone. test/e2e/first-five-minutes.test.ts goes it the other way round.
 */

const missing = lacksChromium() || lacks("root", "nft", "ip", "oci");
const HOST = "rack-1";

let stack: EmbeddedStack;
let options: AgentOptions;
let agent: Agent;
let operator: TestUser;
beforeAll(async () => {
  if (missing) return;
  const edgePort = await freePort();
  stack = await startEmbeddedStack({
    servers: [HOST],
    env: { ...SANDBOX_ENV, BERTH_EDGE_PORT: String(edgePort) },
  });
  operator = await stack.user({ role: "admin" });
  options = {
    ...{ natsUrl: stack.agentUrl(HOST), server: HOST, data: temporaryFolder(), driver: "oci" },
    ...{ subnet: testSubnet(10), atEnd: "stop", edgePort },
  };
  agent = startAgent(options);
  await Promise.all([agent.ready(), importDemoImage(join(options.data, IMAGE_STORE))]);
});
afterAll(async () => {
  await agent?.stop();
  if (options !== undefined) await cleanUp(options);
  await stack?.stop();
});

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).first();

test.skipIf(missing)("the operator puts a server into stock, and a part of it that is for rent", async () => {
  const { page, errors } = await visit(`${stack.url}/operator/servers`);
  await signIn(page, operator);
  const add = async (name: string, more: () => Promise<void>) => {
    await button(page, "Add a server").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: true }).fill(name);
    await dialog.getByLabel("Prices").fill("7 7.00\n30 25.00");
    await more();
    await button(page, "Add the server").click();
    await dialog.waitFor({ state: "detached" });
  };
  await add(HOST, async () => void (await page.getByLabel("Kind").selectOption("shared")));
  await add("berlin-1", async () => {
    await page.getByLabel("Part of").selectOption({ label: HOST });
    const filled = { Country: "DE", City: "Berlin", Cores: "8", "Memory, GB": "32", "Its size, GB": "500" };
    for (const [label, text] of Object.entries(filled)) await field(page, label).fill(text);
  });
  await page.getByRole("cell", { name: "berlin-1", exact: true }).waitFor();
  expect(withoutRefusals(errors)).toEqual([]);
});

test.skipIf(missing)(
  "a customer by keyboard alone: from the sign-up to a program on the internet, a command and a file in it, and the invoice",
  async () => {
    const { page, errors } = await visit(`${stack.url}/sign-up`);
    await walkAsCustomer(page, byKeyboard(page), {
      ...{ name: "ada", server: "berlin-1", price: "$7.00" },
      chooseImage: (_, hands) => hands.write(field(page, "Reference"), DEMO_IMAGE),
    });
    expect(withoutRefusals(errors)).toEqual([]);
    await page.context().close();
  },
);

test.skipIf(missing)("the operator finds the customer and refunds what was charged", async () => {
  const { page } = await visit(`${stack.url}/operator?search=ada`);
  await signIn(page, operator);
  await page.getByRole("link", { name: "ada" }).click();
  await page
    .getByRole("button", { name: /^Refund / })
    .first()
    .click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill("an outage");
  await dialog.getByRole("button", { name: "Refund it" }).click();
  await page.getByText("$33.00").first().waitFor();
});
