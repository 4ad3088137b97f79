import { afterAll, expect, test } from "bun:test";
import { startProtectedEdge } from "./protected-edge.ts";

const { edge, host, user, container, enter, close } = await startProtectedEdge();
afterAll(close);

const CONSOLE = "https://console.example:8443";
/** What a browser sends with a frame that a page of this origin opens. */
const framedBy = (origin: string) => ({
  accept: "text/html",
  "sec-fetch-site": "cross-site",
  "sec-fetch-mode": "navigate",
  "sec-fetch-dest": "iframe",
  referer: `${origin}/`,
});
const tokenFor = (console: string) => edge.signer.forContainer(user, container, { claims: { console } });
const open = async (headers: Record<string, string>, origin = CONSOLE) =>
  edge.request(`/?access_token=${await tokenFor(origin)}`, host, { headers });

/** Enters as the console does, and returns the cookie of its frame. */
async function frameCookie(): Promise<string> {
  const response = await open(framedBy(CONSOLE));
  expect(response.status).toBe(303);
  return response.headers.get("set-cookie")?.split(";")[0] ?? "";
}

test("the console's frame gets a cookie of its own partition, and its next request still names the console", async () => {
  const response = await open(framedBy(CONSOLE));
  const cookie = response.headers.get("set-cookie") ?? "";
  expect(cookie).toStartWith("__Host-berth_frame=");
  for (const attribute of ["Secure", "HttpOnly", "SameSite=None", "Partitioned", "Path=/"])
    expect(cookie).toContain(`; ${attribute}`);
  expect(response.headers.get("referrer-policy")).toBe("strict-origin");
});

test("a frame of any other page gets no such cookie, whatever its token says", async () => {
  const others: Record<string, string>[] = [
    framedBy("https://evil.example"),
    framedBy("https://console.example"),
    { ...framedBy(CONSOLE), referer: "" },
    { ...framedBy(CONSOLE), "sec-fetch-dest": "document" },
    { ...framedBy(CONSOLE), origin: CONSOLE },
  ];
  for (const headers of others)
    expect((await open(headers)).headers.get("set-cookie")).not.toContain("__Host-berth_frame");
  const without = await edge.request(
    `/?access_token=${await edge.signer.forContainer(user, container)}`,
    host,
    {
      headers: framedBy(CONSOLE),
    },
  );
  expect(without.headers.get("set-cookie")).not.toContain("__Host-berth_frame");
});

test("a token whose console would end a word of the policy of frames is refused", async () => {
  for (const origin of ["https://a.example *", "https://a.example;script-src", "*", "null", "javascript:0"])
    expect((await open(framedBy(CONSOLE), origin)).status).toBe(401);
});

test("the service is told of the frame, and only by the edge; in a tab of its own the page is nobody's frame", async () => {
  const cookie = await frameCookie();
  const seen = async (headers: Record<string, string>) => {
    const response = await edge.request("/", host, { headers: { cookie, ...headers } });
    return response.ok
      ? ((await response.json()) as Record<string, string>)["x-berth-frame"]
      : response.status;
  };
  expect(await seen(framedBy(CONSOLE))).toBe(CONSOLE);
  expect(await seen({ ...framedBy(CONSOLE), "x-berth-frame": "https://evil.example" })).toBe(CONSOLE);
  expect(await seen({ "x-berth-frame": "https://evil.example" })).toBeUndefined();
  expect(await seen(framedBy("https://evil.example"))).toBe(403);
  expect(await seen({ ...framedBy(CONSOLE), origin: "https://evil.example" })).toBe(403);
  // A link of another site, where the console is of the same site as its containers.
  expect(
    await seen({ "sec-fetch-site": "same-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" }),
  ).toBeUndefined();
  expect(
    await seen({ "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" }),
  ).toBe(403);
});

test("a session of a tab opens no frame, and the frame's cookie reaches no program", async () => {
  const tab = await enter();
  expect((await edge.request("/", host, { headers: { cookie: tab, ...framedBy(CONSOLE) } })).status).toBe(
    403,
  );
  const cookie = await frameCookie();
  const response = await edge.request("/", host, {
    headers: { cookie: `${cookie}; mine=1`, ...framedBy(CONSOLE) },
  });
  expect(((await response.json()) as Record<string, string>).cookie).toBe("mine=1");
});
