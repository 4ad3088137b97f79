import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { HOSTS } from "../edge-under-test.ts";
import { startProtectedEdge } from "./protected-edge.ts";

setDefaultTimeout(30_000);

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
