import { describe, expect, test } from "bun:test";
import manifest from "../../../package.json" with { type: "json" };
import { startPipe } from "./pipe-server.ts";

const pipe = startPipe();

const get = async (path: string, lines: readonly string[] = []) =>
  (await pipe.request("GET", path, lines)).response();

describe.each(["", "/api/v1/pipe"])("under %j", (prefix) => {
  test("the page sends and receives", async () => {
    const { status, headers, body } = await get(`${prefix}/`);
    expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(body.toString()).toContain("Choose a file");
  });

  test("the help begins with name and version, and has the server's own URL", async () => {
    const { headers, body } = await get(`${prefix}/help`);
    expect(headers.get("content-type")).toStartWith("text/plain");
    expect(body.toString().split("\n")[0]).toBe(`Berth Pipe ${manifest.version}`);
    expect(body.toString()).toContain("curl -T file.bin http://pipe.test/api/v1/pipe/");
  });

  test("the form without JavaScript posts multipart to the path", async () => {
    const { headers, body } = await get(`${prefix}/noscript?path=//a/b%3Cc%22%3Ed+%25`);
    const html = body.toString();
    // The path stays as it was typed, and its address has only characters that are safe in one.
    expect(html).toContain('value="a/b&lt;c&quot;&gt;d %"');
    expect(html).toContain(
      'action="/api/v1/pipe/a/b%3Cc%22%3Ed%20%25" method="post" enctype="multipart/form-data"',
    );
    expect(html).toContain('type="file"');
    expect(html).not.toMatch(/<button disabled/);
    expect(html).not.toContain("<script");
    expect(headers.get("content-security-policy")).not.toContain("script-src");
  });
});

test.each([
  ["help", "is reserved"],
  ["/health", "is the health record"],
  ["a/../b", "leaves"],
  ["a/%2e/b", "leaves"],
  ["x".repeat(1_025), "at most 1024 characters"],
])("the form without JavaScript says why %j can't be sent to, and does not send", async (path, why) => {
  const html = (await get(`/noscript?${new URLSearchParams({ path })}`)).body.toString();
  expect(/<p class="said bad"[^>]*>(.*)<\/p>/.exec(html)?.[1]).toContain(why);
  expect(html).toContain(`value="${path.replace(/^\/+/, "")}"`);
  expect(html).toMatch(/<button disabled/);
});

test("the form without a path can't be sent yet; in text mode it has a text field", async () => {
  const html = (await get("/noscript?mode=text")).body.toString();
  expect(html).toMatch(/<button disabled/);
  expect(html).toContain('<textarea id="input" name="input_text"');
});

test.each(["/", "/noscript", "/api/v1/pipe/x?video=1", "/api/v1/pipe/x?progress=1"])(
  "%s allows the styles and scripts of this response alone",
  async (path) => {
    const [first, second] = await Promise.all([1, 2].map(() => get(path, ["Accept: text/html"])));
    const policy = first?.headers.get("content-security-policy") ?? "";
    const nonce = /style-src 'nonce-([\w-]{22})'/.exec(policy)?.[1] ?? "";
    expect(policy).toStartWith("default-src 'none'");
    expect(policy).not.toContain("unsafe");
    expect(nonce).not.toBe("");
    expect(second?.headers.get("content-security-policy")).not.toContain(nonce);
    for (const [tag] of (first?.body.toString() ?? "").matchAll(/<(script|style)\b[^>]*>/g)) {
      expect(tag).toContain(`nonce="${nonce}"`);
    }
    expect(first?.body.toString()).not.toMatch(/(src|href)="(https?:)?\/\//);
  },
);

test.each([
  ["pipe.test:8090", "http://pipe.test:8090/"],
  ["[::1]:80", "http://[::1]:80/"],
  ['evil"><script>', "http://localhost/"],
])("the help for Host %s", async (host, url) => {
  const client = (await pipe.connect()).send(`GET /help HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  expect((await client.response()).body.toString()).toContain(`  ${url} `);
});

test("a path is text on a page, whatever it is", async () => {
  const html = (await get("/api/v1/pipe/%3Cimg%20src=x%3E?video=1", ["Accept: text/html"])).body.toString();
  expect(html).not.toContain("<img");
  expect(html).toContain("&lt;img src=x&gt;");
});

test.each([
  ["/robots.txt", "text/plain; charset=utf-8"],
  ["/favicon.ico", "image/svg+xml"],
])("%s is there", async (path, type) => {
  const { status, headers } = await get(path);
  expect([status, headers.get("content-type"), headers.get("x-robots-tag")]).toEqual([200, type, "none"]);
});

test("HEAD of a page is its header", async () => {
  const client = await pipe.request("HEAD", "/help");
  client.send("GET /robots.txt HTTP/1.1\r\nHost: a\r\n\r\n");
  await client.sees("Disallow");
  expect(client.text).toMatch(/Content-Length: [1-9]\d+\r\n\r\nHTTP\/1\.1 200 OK/);
});
