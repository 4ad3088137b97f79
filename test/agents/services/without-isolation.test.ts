import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { ProcessDriver } from "../../../agents/containers/process/driver.ts";
import { until } from "../../harness/until.ts";
import { lacks } from "../requirements.ts";
import { newWindow } from "../terminal/page/chromium.ts";
import { TestClient } from "../terminal/service.ts";
import { type ServedContainer, servedContainer } from "./served-container.ts";

let container: ServedContainer;
let credential: Record<string, string>;
beforeAll(async () => {
  container = await servedContainer(new ProcessDriver(null), {
    urlArg: true,
    startupCommand: ["sh", "-c", 'echo began with "$@"; exec sh', "sh"],
  });
  credential = { authorization: `Bearer ${await container.token()}` };
});
afterAll(() => container?.[Symbol.asyncDispose]());

async function attach(query: string): Promise<TestClient> {
  const { host, origin } = new URL(container.urls.terminal);
  const page = await (
    await container.request(`${container.urls.terminal}/${query}`, { headers: credential })
  ).text();
  const { token } = JSON.parse(/id="boot"[^>]*>(.*?)<\/script>/s.exec(page)?.[1] ?? "{}");
  const at = `https://127.0.0.1:${container.edge.httpsPort}`;
  return await TestClient.attach(at, token, { cols: 200, rows: 24 }, { host, origin, ...credential });
}

test("where containers are plain processes, a terminal begins in the container's folder, as the user who runs the host", async () => {
  const client = await attach("?shell=sh");
  client.type("echo in $(pwd) as $(id -u)\n");
  await client.shows(`in ${join(container.folder, "root")} as ${process.getuid?.()}`);
  client.close();
  const other = await container.request(`${container.urls.terminal}/?user=nobody`, { headers: credential });
  expect(other.status).toBe(400);
});

test("a terminal that somebody opens is told of, with who that was: once, however often it is looked at, and whoever they say they are", async () => {
  container.openings.length = 0;
  const open = async (query: string, headers: Record<string, string> = credential) =>
    (await container.request(`${container.urls.terminal}/${query}`, { headers })).status;
  const opened = (terminalId: number, user = container.user) => [container.id, user, terminalId];
  expect(await open("?shell=sh&terminal_id=11")).toBe(200);
  expect(container.openings).toEqual([opened(11)] as never);
  expect(await open("?terminal_id=11")).toBe(200);
  expect(await open("?shell=sh&terminal_id=12", { ...credential, "x-berth-user": "f".repeat(24) })).toBe(200);
  expect(await open("?shell=sh&terminal_id=0")).toBe(400);
  expect(await open("?shell=sh&terminal_id=13", {})).toBe(401);
  expect(container.openings).toEqual([opened(11), opened(12)] as never);
  expect(await open("?shell=sh&terminal_id=11&reset=true")).toBe(200);
  expect(container.openings).toHaveLength(3);
});

test("an operator may set what sessions run, and let addresses add arguments to it", async () => {
  const client = await attach("?arg=one&arg=two%20words");
  await client.shows("began with one two words");
  client.close();
  const named = await attach("?shell=sh&arg=-c&arg=echo%20$0%20alone;exec%20cat&arg=name");
  await named.shows("name alone");
  named.close();
});

test("pages of the container's own addresses may be shown in its terminal's panel, and by nobody else", async () => {
  const terminal = new URL(container.urls.terminal).origin;
  const addresses = [...Object.values(container.urls), container.expose("folders", "files")];
  for (const address of addresses) {
    const headers = { ...credential, accept: "text/html", "sec-fetch-site": "none" };
    const response = await container.request(`${address}/`, { headers });
    expect(response.status).toBe(200);
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy.match(/frame-ancestors [^;]*/)?.[0]).toBe(`frame-ancestors 'self' ${terminal}`);
  }
});

test.skipIf(lacks("chromium"))(
  "a terminal's panel shows pages of its container to whoever is signed in there, and to others how to",
  async () => {
    const { page, context } = await newWindow({ ignoreHTTPSErrors: true });
    const { terminal, pipe, notifications } = container.urls;
    const enter = async (address: string) => {
      const entered = await context.newPage();
      await entered.goto(`${address}/?access_token=${await container.token()}`);
      await entered.close();
    };
    const framed = async (address: string) => {
      await page.goto(`${terminal}/?terminal_id=7&shell=sh&panel=${encodeURIComponent(address)}`);
      return page.frameLocator(".panel iframe");
    };
    await enter(terminal);
    const refused = await framed(`${pipe}/`);
    await refused.locator("h1", { hasText: "Sign in first" }).waitFor();
    expect(await refused.locator("p").first().textContent()).toContain("Nobody is signed in at this address");
    const link = refused.locator("a", { hasText: "in a tab" });
    const [tab] = await Promise.all([context.waitForEvent("page"), link.click()]);
    await tab.waitForURL(`${pipe}/`);
    await tab.close();

    for (const [address, text] of [
      [pipe, "Send"],
      [notifications, "Notifications"],
      [container.expose("shared-folders", "files"), "Name"],
    ] as const) {
      await enter(address);
      const shown = await framed(`${address}/`);
      await until(async () => (await shown.locator("body").textContent())?.includes(text));
    }
    // A path of its own address is a second terminal, and it works.
    const second = await framed("/?terminal_id=8&shell=sh");
    await second.locator('.app[data-state="connected"]').waitFor();
  },
);
