import { afterAll, beforeAll, expect, test } from "bun:test";
import { bundleConsole } from "../../../gateway/console/server/bundle.ts";
import { type SharedStack, sharedStack } from "../../harness/shared-stack.ts";
import { firstScripts } from "./first-scripts.ts";

let stack: SharedStack;
beforeAll(async () => {
  stack = await sharedStack();
});
afterAll(() => stack.stop());

const get = (path: string, headers: Record<string, string>) =>
  fetch(stack.url + path, { headers, redirect: "manual" });

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";

test.each([BROWSER, "text/html", "text/*", "application/json;q=0.5, text/html"])(
  "who asks for %s gets the console, all of whose files are there",
  async (accept) => {
    const response = await get("/", { accept });
    expect([response.status, response.headers.get("content-type"), response.headers.get("vary")]).toEqual([
      200,
      "text/html; charset=utf-8",
      "Accept",
    ]);
    const html = await response.text();
    const files = [...html.matchAll(/(?:src|href)="(\/console\/[^"]+)"/g)].map(([, path = ""]) => path);
    expect(files.map((file) => file.split(".").at(-1)).sort()).toEqual(["css", "js", "svg"]);
    for (const file of files) expect((await get(file, {})).status).toBe(200);
  },
);

test.each(["*/*", "application/json", "application/*", "image/png", "text/html;q=0.1, application/json"])(
  "who asks for %s gets JSON that says what this is, and where to go",
  async (accept) => {
    const response = await get("/", { accept });
    expect(response.headers.get("content-type")).toStartWith("application/json");
    expect(await response.json()).toEqual({
      statusCode: 200,
      message: expect.stringContaining("Berth"),
      data: {
        name: "Berth",
        version: expect.any(String),
        links: {
          documentation: "/openapi",
          openapi: "/openapi/json",
          live: "/health/live",
          ready: "/health/ready",
        },
      },
    });
  },
);

test("nothing runs, loads or frames on the console but its own and containers' addresses", async () => {
  const [first, second] = await Promise.all(
    [1, 2].map(async () => {
      const response = await get("/", { accept: BROWSER });
      return {
        policy: response.headers.get("content-security-policy") ?? "",
        html: await response.text(),
      };
    }),
  );
  const [, nonce] = /'nonce-([\w-]{22})'/.exec(first?.policy ?? "") ?? [];
  expect(first?.policy.replace(`${nonce}`, "…")).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-…'; img-src 'self' data: blob:; connect-src 'self' https://*.berth.localhost; " +
      "frame-src https://*.berth.localhost; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  expect(first?.html).toContain(`<meta property="csp-nonce" nonce="${nonce}"`);
  expect(second?.policy).not.toBe(first?.policy);
});

test("an address of a page, with whatever is below and behind it, gives the console to browsers and 404 to programs", async () => {
  for (const path of ["/containers", "/containers/0123/firewall", "/marketplace?country=DE&country=FI"]) {
    const page = await get(path, { accept: BROWSER });
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<div id="app">')]);
    const reply = await get(path, { accept: "application/json" });
    expect([reply.status, await reply.json()]).toMatchObject([404, { code: "ROUTE_NOT_FOUND" }]);
  }
});

test("a file is compressed as the client accepts it, and may be kept for good", async () => {
  const html = await (await get("/", { accept: BROWSER })).text();
  const [script = ""] = /\/console\/assets\/main-\w+\.js/.exec(html) ?? [];
  for (const [accepted, encoding] of [
    ["gzip, deflate, br, zstd", "br"],
    ["gzip", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["identity", null],
  ] as const) {
    const { headers } = await get(script, { "accept-encoding": accepted });
    expect([headers.get("content-encoding"), headers.get("vary"), headers.get("cache-control")]).toEqual([
      encoding,
      "Accept-Encoding",
      "public, max-age=31536000, immutable",
    ]);
  }
  expect((await get("/console/assets/main-00000000.js", {})).status).toBe(404);
});

test("where no page is, a browser gets one that says so, and a program, or whoever asks the API, gets JSON", async () => {
  const page = await get("/no/such/page", { accept: BROWSER });
  expect([page.status, await page.text()]).toEqual([404, expect.stringContaining('<div id="app">')]);
  for (const [path, accept] of [
    ["/no/such/page", "*/*"],
    ["/api/v1/no-such-route", BROWSER],
  ] as const) {
    const reply = await get(path, { accept });
    expect([reply.status, await reply.json()]).toMatchObject([404, { code: "ROUTE_NOT_FOUND" }]);
  }
});

const KIB = 1024;

test("all scripts have 300 KiB at most, and those before the first page 150 KiB, compressed by gzip", async () => {
  const files = await bundleConsole();
  const first = firstScripts(files);
  const size = (some: typeof files) => some.reduce((sum, { gzip }) => sum + gzip.length, 0) / KIB;
  expect(first.length).toBeGreaterThan(1);
  expect(size(files.filter(({ name }) => name.endsWith(".js")))).toBeLessThan(300);
  expect(size(first)).toBeLessThan(150);
});

test.each(["/verify-email/%E0%A4%A", "/recover/%", "/unsubscribe/%C3%28", "/wallet/%FF"])(
  "a browser gets a page that says what is wrong with a damaged link, and a program the error: %s",
  async (path) => {
    const page = await get(path, { accept: BROWSER });
    expect([page.status, page.headers.get("content-type")]).toEqual([400, "text/html; charset=utf-8"]);
    expect(await page.text()).toContain("The link is not valid");
    const error = await get(path, { accept: "application/json" });
    expect([error.status, await error.json()]).toEqual([
      400,
      expect.objectContaining({ code: "VALIDATION_ERROR" }),
    ]);
  },
);

test("what is wrong with a path of the API stays JSON, whoever asks", async () => {
  const response = await get("/api/v1/containers/%FF", { accept: BROWSER });
  expect([response.status, response.headers.get("content-type")?.split(";")[0]]).toEqual([
    400,
    "application/json",
  ]);
});
