import { afterAll, expect, test } from "bun:test";
import { HOSTS } from "../edge-under-test.ts";
import { startProtectedEdge } from "./protected-edge.ts";

const { edge, host, enter, overTls, close } = await startProtectedEdge();
afterAll(close);

test("what another page has a browser ask with its cookie is refused, and a WebSocket has to say whose it is", async () => {
  const cookie = await enter();
  const own = `https://${host}:${edge.edge.httpsPort}`;
  const status = async (headers: Record<string, string>, init: RequestInit = {}) =>
    (await edge.request("/", host, { ...init, headers: { cookie, ...headers } })).status;
  expect(await status({ origin: own }, { method: "POST" })).toBe(200);
  expect(await status({ origin: `https://evil.${HOSTS}` }, { method: "POST" })).toBe(403);
  expect(await status({ origin: "null" })).toBe(403);
  expect(
    await status({ "sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" }),
  ).toBe(403);
  expect(
    await status({
      "sec-fetch-site": "cross-site",
      "sec-fetch-mode": "navigate",
      "sec-fetch-dest": "document",
    }),
  ).toBe(200);
  expect(
    await status({ "sec-fetch-site": "same-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" }),
  ).toBe(403);

  for (const [origin, expected] of [
    [`https://evil.${HOSTS}`, 403],
    [undefined, 403],
    [own, 200],
  ] as const) {
    const fields = `Connection: Upgrade\r\nUpgrade: websocket\r\nCookie: ${cookie}\r\n${origin ? `Origin: ${origin}\r\n` : ""}`;
    const text = await overTls(`GET / HTTP/1.1\r\nHost: ${host}:${edge.edge.httpsPort}\r\n${fields}\r\n`);
    expect(text).toStartWith(`HTTP/1.1 ${expected} `);
  }
});

test("the panel of the container's own terminal opens its pages, and no other frame does", async () => {
  const cookie = await enter();
  const port = edge.edge.httpsPort;
  const terminal = `https://${host.replace(/-[a-z]+-1\./, "-terminal-1.")}:${port}`;
  const panel = {
    cookie,
    "sec-fetch-site": "same-site",
    "sec-fetch-mode": "navigate",
    "sec-fetch-dest": "iframe",
    referer: `${terminal}/`,
  };
  const status = async (headers: Record<string, string>, init: RequestInit = {}) =>
    (await edge.request("/", host, { ...init, headers: { ...panel, ...headers } })).status;
  expect(await status({})).toBe(200);
  expect(await status({ referer: `https://evil.${HOSTS}:${port}/` })).toBe(403);
  expect(await status({ referer: `https://evil.${HOSTS}/?${terminal}/` })).toBe(403);
  expect(
    await status({ referer: terminal.replace(/[0-9a-f]{24}-terminal/, `${"f".repeat(24)}-terminal`) }),
  ).toBe(403);
  expect(await status({ "sec-fetch-dest": "image" })).toBe(403);
  expect(await status({ "sec-fetch-mode": "no-cors" })).toBe(403);
  expect(await status({ origin: `https://evil.${HOSTS}` })).toBe(403);
  expect(await status({}, { method: "POST" })).toBe(403);
});

test("who is not signed in gets a page that the terminal's panel can show, with a way out of it", async () => {
  const port = edge.edge.httpsPort;
  const terminal = `https://${host.replace(/-[a-z]+-1\./, "-terminal-1.")}:${port}`;
  const headers = { accept: "text/html", "sec-fetch-dest": "iframe", "sec-fetch-mode": "navigate" };
  const response = await edge.request("/", host, { headers });
  expect(response.status).toBe(401);
  expect(response.headers.get("content-security-policy")).toContain(
    `frame-ancestors 'self' ${terminal};`.slice(0, -1),
  );
  expect(await response.text()).toContain('<a href="" target="_blank"');
});
