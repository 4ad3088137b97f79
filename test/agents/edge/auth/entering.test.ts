import { afterAll, expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { ControlPlaneKeys } from "../../../../agents/edge/auth/keys.ts";
import { until } from "../../../harness/until.ts";
import { newId } from "../../network/nft/rules.ts";
import { RawClient } from "../../pipe/raw-client.ts";
import { signer } from "../edge-under-test.ts";
import { rawTarget } from "../raw-target.ts";
import { bearer, codeOf, startProtectedEdge } from "./protected-edge.ts";

const { edge, user, projectId, container, host, addressOf, enter, close } = await startProtectedEdge();
afterAll(close);

test("without a credential a browser gets a page that says how to get in, and a program an error", async () => {
  const page = await edge.request("/", host, { headers: { accept: "text/html" } });
  expect([page.status, page.headers.get("content-type")]).toEqual([401, "text/html; charset=utf-8"]);
  const said = await page.text();
  for (const way of ["<code>?access_token=…</code>", "open it from the page of its container in the console"])
    expect(said).toContain(way);
  const answer = await edge.request("/", host);
  expect([answer.status, answer.headers.get("www-authenticate"), await codeOf(answer)]).toEqual([
    401,
    "Bearer",
    "MISSING_TOKEN",
  ]);
});

test("a container token of someone with access enters, and goes no further itself", async () => {
  const response = await edge.request(
    "/a?b=c",
    host,
    bearer(await edge.signer.forContainer(user, container)),
  );
  expect(response.status).toBe(200);
  const seen = (await response.json()) as Record<string, string>;
  expect(seen).toMatchObject({
    url: "/a?b=c",
    "x-forwarded-proto": "https",
    host: `${host}:${edge.edge.httpsPort}`,
  });
  expect(seen).not.toHaveProperty("authorization");
});

test("a link is exchanged for a cookie of this name alone, and the token leaves the address", async () => {
  const token = await edge.signer.forContainer(user, container);
  const response = await edge.request(`/x%20y?a=1&access_token=${token}&b=%2F`, host);
  expect(response.headers.get("location")).toBe("/x%20y?a=1&b=%2F");
  const cookie = response.headers.get("set-cookie") ?? "";
  expect(cookie).toMatch(
    /^__Host-berth_session=[^;]+; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=(43200|43199)$/,
  );
  expect(cookie).not.toContain(token);
  const session = cookie.split(";")[0] ?? "";

  const seen = await (
    await edge.request("/", host, { headers: { cookie: `mine=1; ${session}; yours=2` } })
  ).json();
  expect((seen as Record<string, string>).cookie).toBe("mine=1; yours=2");
  const other = addressOf(edge.container({ projectId, grants: [user] }));
  expect((await edge.request("/", other, { headers: { cookie: session } })).status).toBe(401);
  // One that a neighbour has put beside it keeps nobody out; and of many no more than a few are looked at.
  const put = `__Host-berth_session=${"A".repeat(200)}.${"A".repeat(43)}`;
  const withCookies = (...cookies: string[]) =>
    edge.request("/", host, { headers: { cookie: cookies.join("; ") } });
  expect((await withCookies(put, session)).status).toBe(200);
  expect((await withCookies(session, put)).status).toBe(200);
  expect((await withCookies(put, put)).status).toBe(401);
  expect((await withCookies(...Array(4).fill(put), session)).status).toBe(401);
  const redirected = await edge.request(`//evil.example/?access_token=${token}`, host);
  expect(redirected.headers.get("location")).toBe("/evil.example/");
});

test("a cookie that was changed, or is over, is none", async () => {
  const session = await enter();
  const [claims = "", signature = ""] = session.slice("__Host-berth_session=".length).split(".");
  const read = JSON.parse(Buffer.from(claims, "base64url").toString());
  const changed = (fields: object) =>
    Buffer.from(JSON.stringify({ ...read, ...fields })).toString("base64url");
  for (const forged of [
    `${changed({ sub: newId() })}.${signature}`,
    `${changed({ sid: newId() })}.${signature}`,
    `${changed({ exp: read.exp + 1 })}.${signature}`,
    `${claims}.${"A".repeat(43)}`,
    `.${signature}`,
    "",
  ]) {
    const cookie = `__Host-berth_session=${forged}`;
    expect((await edge.request("/", host, { headers: { cookie } })).status).toBe(401);
  }
  const brief = await edge.signer.forContainer(user, container, {
    claims: { session_exp: Math.floor(Date.now() / 1_000) + 2 },
  });
  const cookie = await enter(host, brief);
  expect((await edge.request("/", host, { headers: { cookie } })).status).toBe(200);
  await until(async () => (await edge.request("/", host, { headers: { cookie } })).status === 401);
});

test.each([
  ["no token", "x"],
  ["a token of another key", async () => (await signer()).forContainer(user, container)],
  ["a token that is over", () => edge.signer.forContainer(user, container, { seconds: -60 })],
  ["a token for something else", () => edge.signer.forContainer(user, container, { audience: "other" })],
  [
    "a token for the API by its audience",
    () => edge.signer.forContainer(user, container, { audience: "berth-api" }),
  ],
  ["a token of another kind", () => edge.signer.forContainer(user, container, { typ: "JWT" })],
  [
    "a token without a session",
    () => edge.signer.forContainer(user, container, { claims: { sid: undefined } }),
  ],
  [
    "a token whose session's time is over",
    () => edge.signer.forContainer(user, container, { claims: { session_exp: 1 } }),
  ],
])("%s is refused", async (_name, make) => {
  const token = typeof make === "string" ? make : await make();
  const answer = await edge.request("/", host, bearer(token));
  expect([answer.status, await codeOf(answer)]).toEqual([401, "INVALID_TOKEN"]);
  expect((await edge.request(`/?access_token=${token}`, host)).status).toBe(401);
});

test("any other Authorization is refused at a service, also beside a good cookie", async () => {
  const cookie = await enter();
  for (const authorization of ["Basic c29tZW9uZTpzZWNyZXQ=", "Digest x", "Bearer", "Bearer a b"]) {
    const response = await edge.request("/", host, { headers: { cookie, authorization } });
    expect([authorization, response.status]).toEqual([authorization, 401]);
  }
});

test("what is open to all is open without a credential", async () => {
  expect((await edge.request("/open", host)).status).toBe(200);
});

test("over plain HTTP a service is a way to https and takes no credential", async () => {
  const client = await RawClient.connect(edge.edge.httpPort);
  client.send(`GET /a?b HTTP/1.1\r\nHost: ${host}:8080\r\nAuthorization: Bearer x\r\n\r\n`);
  const led = await client.next();
  expect([led.status, led.headers.get("location")]).toEqual([
    303,
    `https://${host}:${edge.edge.httpsPort}/a?b`,
  ]);
  client.send(`POST / HTTP/1.1\r\nHost: ${host}:8080\r\nContent-Length: 0\r\n\r\n`);
  expect((await client.next()).status).toBe(403);
});

test("an alias to a program asks for the same credential, one to a port asks for none and keeps nothing back", async () => {
  const alias = edge.expose("shell", null, {
    program: "terminal",
    container_id: container,
    target_path: "/?cwd=/srv",
  });
  expect((await edge.request("/", alias)).status).toBe(401);
  const token = await edge.signer.forContainer(user, container);
  const seen = (await (await edge.request("/?a=b", alias, bearer(token))).json()) as { url: string };
  expect(seen.url).toBe("/?cwd=/srv&a=b");
  const asset = (await (await edge.request("/assets/x", alias, bearer(token))).json()) as { url: string };
  expect(asset.url).toBe("/assets/x");
  const other = edge.expose("desk", null, { program: "display", container_id: container });
  expect((await edge.request("/", other, bearer(token))).status).toBe(404);

  const target = rawTarget();
  const open = edge.expose("open", target.port, { container_id: container });
  const client = await edge.raw();
  client.send(`GET / HTTP/1.1\r\nHost: ${open}\r\nAuthorization: Bearer own\r\nCookie: own=1\r\n\r\n`);
  const request = await target.next();
  expect(request.head).toContain("Authorization: Bearer own\r\nCookie: own=1");
  client.reset();
  target.stop();
});

test("the secret of the cookies is this host's own, and nobody else reads it", () => {
  const file = join(edge.folder, "session.key");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file)).toHaveLength(32);
});

test("keys of the control plane are known from the last time while it is away", () => {
  const keys = new ControlPlaneKeys(() => Promise.reject(new Error("away")), join(edge.folder, "jwks.json"));
  expect(keys.current).toBeDefined();
});
