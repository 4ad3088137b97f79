import { afterAll, beforeAll, expect, test } from "bun:test";
import { assertOwnPage } from "../../../gateway/console/server/own-page.ts";
import { type SharedStack, sharedStack, type TestUser } from "../../harness/shared-stack.ts";

let stack: SharedStack;
let user: TestUser;
beforeAll(async () => {
  stack = await sharedStack();
  user = await stack.user();
});
afterAll(() => stack.stop());

const OWN = { "sec-fetch-site": "same-origin" };

const session = (method: string, path: string, body?: unknown, headers: Record<string, string> = OWN) =>
  stack.call(method, `/console/session${path}`, { body, headers });
const signIn = () => session("POST", "", { username: user.username, password: user.password });
/** `berth_refresh=…`, as a browser sends it back. */
const cookieOf = (headers: Headers) => (headers.get("set-cookie") ?? "").split(";")[0] ?? "";

test("who signs in gets an access token, and the refresh token in a cookie that no script reads and no other site sends", async () => {
  const { status, body, headers } = await signIn();
  expect([status, Object.keys(body.data).sort()]).toEqual([200, ["access_token", "expires_in", "user"]]);
  expect(headers.get("set-cookie")).toMatch(
    /^berth_refresh=[^;]{100,200}; Path=\/console\/session; HttpOnly; SameSite=Strict; Max-Age=\d+$/,
  );
  const me = await stack.call("GET", "/api/v1/auth/me", { token: body.data.access_token });
  expect(me.body.data.username).toBe(user.username);
});

test("the cookie continues the session, with a new cookie: the same one while a page may have lost it, and the end of the session after that", async () => {
  const cookie = cookieOf((await signIn()).headers);
  const refreshed = await session("POST", "/refresh", undefined, { ...OWN, cookie });
  expect([refreshed.status, refreshed.body.data.user.id]).toEqual([200, user.id]);
  const next = cookieOf(refreshed.headers);
  expect(next).not.toBe(cookie);
  // Whoever loads a page again and again breaks off the request for a new cookie each time.
  const again = await session("POST", "/refresh", undefined, { ...OWN, cookie });
  expect([again.status, cookieOf(again.headers)]).toEqual([200, next]);
  const newest = cookieOf((await session("POST", "/refresh", undefined, { ...OWN, cookie: next })).headers);
  expect((await session("POST", "/refresh", undefined, { ...OWN, cookie })).status).toBe(401);
  const { status, body } = await session("POST", "/refresh", undefined, { ...OWN, cookie: newest });
  expect([status, body.code]).toEqual([401, "INVALID_TOKEN"]);
});

test("without a cookie there is no session, and signing out removes the cookie", async () => {
  expect((await session("POST", "/refresh")).body.code).toBe("INVALID_TOKEN");
  const { status, headers } = await session("DELETE", "");
  expect([status, headers.get("set-cookie")]).toEqual([
    200,
    "berth_refresh=; Path=/console/session; HttpOnly; SameSite=Strict; Max-Age=0",
  ]);
});

test("signing out ends the session: neither its cookie nor its access token is taken any more", async () => {
  const { body, headers } = await signIn();
  const cookie = cookieOf(headers);
  expect((await session("DELETE", "", undefined, { ...OWN, cookie })).status).toBe(200);
  expect((await session("POST", "/refresh", undefined, { ...OWN, cookie })).status).toBe(401);
  const me = await stack.call("GET", "/api/v1/auth/me", { token: body.data.access_token });
  expect([me.status, me.body.code]).toEqual([401, "INVALID_TOKEN"]);
});

test("who signs up is signed in", async () => {
  const name = `new-${crypto.randomUUID().slice(0, 8)}`;
  const { status, body, headers } = await session("POST", "/sign-up", {
    username: name,
    email: `${name}@example.com`,
    password: "correct horse battery",
  });
  expect([status, body.data.user.username]).toEqual([201, name]);
  expect(cookieOf(headers)).toStartWith("berth_refresh=");
});

test.each([
  [{ "sec-fetch-site": "cross-site" }],
  [{ "sec-fetch-site": "same-site" }],
  [{ "sec-fetch-site": "none" }],
  [{ origin: "https://evil.example" }],
  [{ origin: "null" }],
  [{}],
])("what another page asks is refused: %j", async (headers) => {
  const cookie = cookieOf((await signIn()).headers);
  for (const [method, path] of [
    ["POST", "/refresh"],
    ["DELETE", ""],
  ] as const) {
    const { status, body, ...answer } = await session(method, path, undefined, { ...headers, cookie });
    expect([status, body.code, answer.headers.get("set-cookie")]).toEqual([403, "FORBIDDEN_ORIGIN", null]);
  }
  expect((await session("POST", "/refresh", undefined, { ...OWN, cookie })).status).toBe(200);
});

test("on plain http within a network, where browsers send no Fetch Metadata, the origin says whose page asks", async () => {
  const cookie = cookieOf((await signIn()).headers);
  const { status } = await session("POST", "/refresh", undefined, { origin: stack.url, cookie });
  expect(status).toBe(200);
});

test("a page that came by https gets a cookie that is sent by https only, also where a proxy ends it", async () => {
  const cookie = async (origin: string) =>
    (await session("DELETE", "", undefined, { ...OWN, origin })).headers.get("set-cookie");
  expect(await cookie("https://cloud.example")).toContain("; Secure;");
  expect(await cookie(stack.url)).not.toContain("Secure");
});

const PUBLIC = "https://cloud.example";
const asked = (url: string, headers: Record<string, string>, publicUrl = PUBLIC) => {
  try {
    assertOwnPage(new Request(url, { headers }), publicUrl);
    return "own";
  } catch {
    return "refused";
  }
};

test.each([
  ["own", "http://gateway:3000/", { ...OWN, origin: PUBLIC }],
  ["own", "http://127.0.0.1:3000/", { ...OWN, origin: "http://127.0.0.1:3000" }],
  ["own", "http://[::1]:3000/", { origin: "http://[::1]:3000" }],
  ["refused", "http://rebound.example:3000/", { ...OWN, origin: "http://rebound.example:3000" }],
  ["refused", "http://rebound.example:3000/", { origin: "http://rebound.example:3000" }],
  ["refused", "http://127.0.0.1:3000/", { ...OWN, origin: "http://rebound.example:3000" }],
])("where the console has a public name, a page is %s: %s %j", (expected, url, headers) => {
  expect(asked(url, headers)).toBe(expected);
});

test("without a public name each name by which the console is reached is its own", () => {
  const url = "http://berth.lan:3000";
  expect(asked(url, { ...OWN, origin: url }, "http://127.0.0.1:3000")).toBe("own");
});
