import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { documentOf } from "../../../gateway/openapi/document.ts";
import { renderApiPage } from "../../../gateway/openapi/page.ts";
import { SchemaView } from "../../../gateway/openapi/schema-view.ts";
import { lacksChromium } from "../../harness/browser.ts";
import { openPage } from "../../harness/open-page.ts";
import { until } from "../../harness/until.ts";
import { appRoutes } from "../auth/app-routes.ts";
import { startMadeUpApp } from "../http/sample-app.ts";

describe.skipIf(lacksChromium())("the page of the API in Chromium", () => {
  let app: Awaited<ReturnType<typeof startMadeUpApp>>;
  /** The page of the whole API, with the style and script that a gateway serves. */
  let server: ReturnType<typeof Bun.serve>;
  beforeAll(async () => {
    app = await startMadeUpApp();
    const html = renderApiPage(documentOf(appRoutes(), "0.1.0"));
    server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: async (request) => {
        const own = await fetch(`http://127.0.0.1:${app.port}${new URL(request.url).pathname}`);
        const isPage = own.headers.get("content-type")?.startsWith("text/html");
        const headers = {
          "content-type": own.headers.get("content-type") ?? "",
          "content-security-policy": own.headers.get("content-security-policy") ?? "",
        };
        return new Response(isPage ? html : await own.text(), { headers });
      },
    });
  });
  afterAll(async () => {
    server.stop(true);
    await app.stop();
  });

  const open = (hash = "", options: Parameters<typeof openPage>[1] = {}) =>
    openPage(`http://127.0.0.1:${server.port}/openapi${hash}`, options);

  test("a search shows the operations that have every word, in their names, texts and codes", async () => {
    const { page, errors } = await open();
    const shown = () =>
      page.locator("section > details:visible").evaluateAll((all) => all.map(({ id }) => id));
    await page.keyboard.press("/");
    await page.keyboard.type("create container");
    await until(async () => /^\d+ of \d+ operations$/.test((await page.textContent("#found")) ?? ""));
    expect(await shown()).toContain("createContainer");
    expect(await shown()).not.toContain("getQuotas");
    await page.fill("#search", "HOST_NOT_JOINED");
    expect(await shown()).toContain("createContainer");
    await page.fill("#search", "nothing has these words");
    expect(await shown()).toEqual([]);
    expect(await page.locator("section:visible").count()).toBe(0);
    expect(errors).toEqual([]);
  });

  test("an address of an operation opens it; it has a command for a shell, and a reply that was recorded", async () => {
    const { page, errors } = await open("#createContainer");
    const operation = page.locator("#createContainer");
    await operation.locator(".about").waitFor();
    const command = (await operation.locator("pre").first().textContent()) ?? "";
    expect(command).toStartWith('curl "$BERTH/api/v1/containers" \\\n  -H "Authorization: Bearer $TOKEN"');
    const body = JSON.parse(/-d '(.*)'$/s.exec(command)?.[1] ?? "");
    expect(Object.keys(body)).toContain("project_id");
    await operation.locator(".reply summary").click();
    const reply = JSON.parse((await operation.locator(".reply pre").textContent()) ?? "");
    expect(reply).toMatchObject({ statusCode: 201, data: { state: "creating" } });
    // How to sign in stands above all, with this gateway's own address.
    expect(await page.locator("header pre").textContent()).toContain(`BERTH=http://127.0.0.1:${server.port}`);
    expect(errors).toEqual([]);
  });

  test("a row stays where it is when it is opened", async () => {
    const { page } = await open("", { viewport: { width: 1280, height: 800 } });
    const row = page.locator("#listContainers > summary");
    const box = () =>
      row.evaluate((one: { offsetLeft: number; offsetWidth: number; offsetHeight: number }) => [
        one.offsetLeft,
        one.offsetWidth,
        one.offsetHeight,
      ]);
    const before = await box();
    await row.click();
    expect(await box()).toEqual(before);
  });

  test.each([
    [1280, "light"],
    [390, "light"],
    [390, "dark"],
  ] as const)("it fits a screen of %p pixels, %s", async (width, colorScheme) => {
    const { page } = await open("#createContainer", { viewport: { width, height: 800 }, colorScheme });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    const screenshots = process.env.BERTH_SCREENSHOTS;
    if (screenshots) await page.screenshot({ path: `${screenshots}/openapi-${width}-${colorScheme}.png` });
    // On a phone the search stays in view.
    expect(await page.isVisible("#search")).toBe(true);
  });
});

test("a value of several forms has the fields of each, told apart by their names", () => {
  const member = (name: string) => ({ type: "object", properties: { [name]: { type: "string" } } });
  const document = {
    ...documentOf([], "0"),
    components: { schemas: { Card: member("brand"), Coin: member("network") } },
  };
  const forms = { anyOf: [{ $ref: "#/components/schemas/Card" }, { $ref: "#/components/schemas/Coin" }] };
  const html = new SchemaView(document).content({ "application/json": { schema: forms } });
  expect(html).toContain("one of these:");
  expect(html).toMatch(/<li><b>Card<\/b><dl><dt><code>brand.*<li><b>Coin<\/b><dl><dt><code>network/s);
  // What may be null has one form, which needs no list.
  const optional = { anyOf: [forms.anyOf[0] ?? {}, { type: "null" }] };
  const one = new SchemaView(document).content({ "application/json": { schema: optional } });
  expect(one).toContain("brand");
  expect(one).not.toContain("one of these:");
});
