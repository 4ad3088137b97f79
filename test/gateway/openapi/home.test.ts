import { afterAll, beforeAll, expect, test } from "bun:test";
import { startMadeUpApp } from "../http/sample-app.ts";

let app: Awaited<ReturnType<typeof startMadeUpApp>>;
beforeAll(async () => {
  app = await startMadeUpApp();
});
afterAll(() => app.stop());

const home = (accept: string) => fetch(`http://127.0.0.1:${app.port}/`, { headers: { accept } });

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";

test.each([BROWSER, "text/html", "text/*", "application/json;q=0.5, text/html"])(
  "who asks for %s gets a page without a script, all of whose links lead somewhere",
  async (accept) => {
    const response = await home(accept);
    expect([response.status, response.headers.get("content-type")]).toEqual([
      200,
      "text/html; charset=utf-8",
    ]);
    expect(response.headers.get("vary")).toBe("Accept");
    const html = await response.text();
    expect(html).not.toMatch(/<script|https?:\/\//);
    const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, link]) => link);
    expect(links).toContain("/openapi");
    for (const link of links) {
      expect((await fetch(`http://127.0.0.1:${app.port}${link}`)).status).toBe(200);
    }
  },
);

test.each(["*/*", "application/json", "application/*", "image/png", "text/html;q=0.1, application/json"])(
  "who asks for %s gets JSON that says what this is, and where to go",
  async (accept) => {
    const response = await home(accept);
    expect(response.headers.get("content-type")).toStartWith("application/json");
    expect(await response.json()).toEqual({
      statusCode: 200,
      message: expect.stringContaining("Berth"),
      data: {
        name: "Berth",
        version: "1.2.3",
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

test("another method there is refused with those that are taken", async () => {
  const { status, headers } = await app.request("/", { method: "POST" });
  expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD"]);
});
