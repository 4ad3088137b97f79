import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { SignJWT } from "jose";
import { ControlPlaneKeys } from "../../../../agents/edge/auth/keys.ts";
import type { EdgeServices } from "../../../../agents/edge/router.ts";
import { firstRefreshToken, textOf as refreshTokenText } from "../../../../gateway/auth/refresh-tokens.ts";
import { serviceLabel } from "../../../../schemas/addresses.ts";
import { temporaryFolder } from "../../../harness/servers.ts";
import { until } from "../../../harness/until.ts";
import { newId } from "../../network/nft/rules.ts";
import { RawClient } from "../../pipe/raw-client.ts";
import { type EdgeUnderTest, HOSTS, SERVER, signer, startEdge } from "../edge-under-test.ts";
import { rawTarget } from "../raw-target.ts";

setDefaultTimeout(120_000);

/** A program of ours that says what reached it. */
const path = join(temporaryFolder(), "program");
const program = Bun.serve({
  unix: path,
  fetch: (request) =>
    Response.json({
      url: new URL(request.url).pathname + new URL(request.url).search,
      ...request.headers.toJSON(),
    }),
});
const services: EdgeServices = {
  open: (_container, name) =>
    name === "terminal"
      ? { kind: "file", path }
      : { kind: "absent", status: 501, code: "PROGRAM_NOT_BUILT", message: "It is not built yet." },
  isOpen: (_name, { path }) => path === "/open",
  shape: (_name, _request, answer) => answer,
};

let edge: EdgeUnderTest;
const [user, projectId] = [newId(), newId()];
let container: string;
let host: string;
beforeAll(async () => {
  edge = await startEdge({ services });
  container = edge.container({ projectId, grants: [user] });
  host = addressOf(container);
});
afterAll(async () => {
  await edge[Symbol.asyncDispose]();
  await program.stop(true);
});

const addressOf = (containerId: string, project = projectId) =>
  `${serviceLabel({ projectId: project, containerId, service: "terminal", instance: 1 })}.${HOSTS}`;
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const code = async (response: Response) => ((await response.json()) as { code: string }).code;
/** Enters by a link, and returns the cookie. */
async function enter(where = host, token?: string): Promise<string> {
  const link = token ?? (await edge.signer.forContainer(user, container));
  const response = await edge.request(`/?access_token=${link}`, where);
  expect(response.status).toBe(303);
  return response.headers.get("set-cookie")?.split(";")[0] ?? "";
}

test("without a credential a browser gets a page that says how to get in, and a program an error", async () => {
  const page = await edge.request("/", host, { headers: { accept: "text/html" } });
  expect([page.status, page.headers.get("content-type")]).toEqual([401, "text/html; charset=utf-8"]);
  expect(await page.text()).toContain("<code>?access_token=…</code>");
  const answer = await edge.request("/", host);
  expect([answer.status, answer.headers.get("www-authenticate"), await code(answer)]).toEqual([
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
  expect([answer.status, await code(answer)]).toEqual([401, "INVALID_TOKEN"]);
  expect((await edge.request(`/?access_token=${token}`, host)).status).toBe(401);
});

/** Credentials of the API: an access token, an API token and a refresh token. */
const apiCredentials = async () => [
  await edge.signer.access(user),
  await (await signer()).access(user),
  `berth_${newId()}_${"a".repeat(43)}`,
  refreshTokenText(firstRefreshToken(newId(), newId())),
];

test("a credential of the API is refused wherever it stands, with what to use, and reaches no code of a container", async () => {
  const target = rawTarget();
  const port = edge.expose("port", target.port, { container_id: container });
  const cookie = await enter();
  for (const secret of await apiCredentials()) {
    const basic = Buffer.from(`somebody:${secret}`).toString("base64");
    const encoded = secret.replace(/^./, (one) => `%${one.charCodeAt(0).toString(16)}`);
    const attempts: [path: string, headers: Record<string, string>][] = [
      ["/", { authorization: `Bearer ${secret}` }],
      ["/", { authorization: `token ${secret}` }],
      ["/", { authorization: `Digest username="x", response="${secret}"` }],
      ["/", { cookie: `a=b; token=${secret}` }],
      ["/", { "x-api-key": secret }],
      ["/", { referer: `https://x.example/?access_token=${secret}` }],
      ["/", { "sec-websocket-protocol": `bearer, ${secret}` }],
      [`/?access_token=${secret}`, {}],
      [`/?a=b&other=${encoded}`, {}],
      [`/x/${secret}/y`, {}],
      [`/open?access_token=${secret}`, {}],
    ];
    if (secret.startsWith("berth_")) attempts.push(["/", { authorization: `bAsIc ${basic}` }]);
    for (const [path, headers] of attempts) {
      const credentials = headers.cookie === undefined ? { cookie, ...headers } : headers;
      for (const where of [host, port]) {
        const response = await edge.request(path, where, { headers: credentials });
        const answer = (await response.json()) as { code: string; message: string };
        expect([path, headers, where, response.status, answer.code]).toEqual([
          path,
          headers,
          where,
          401,
          "CONTAINER_TOKEN_REQUIRED",
        ]);
        expect(answer.message).toContain("/api/v1/containers/{id}/access");
      }
    }
    // Over plain HTTP it is not sent on to https either.
    const client = await RawClient.connect(edge.edge.httpPort);
    client.send(`GET /?access_token=${secret} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    expect((await client.next()).status).toBe(401);
    client.reset();
  }
  expect(target.connections).toBe(0);
  target.stop();
});

test("a token for a container is for its services: a port gets none, and other credentials are the port's own", async () => {
  const target = rawTarget();
  const port = edge.expose("own", target.port, { container_id: container });
  const token = await edge.signer.forContainer(user, container);
  expect((await edge.request("/", port, bearer(token))).status).toBe(401);
  expect(target.connections).toBe(0);
  const own = new SignJWT({ sub: "x" }).setProtectedHeader({ alg: "HS256", typ: "at+jwt" }).setIssuer("app");
  const jwt = await own.sign(new Uint8Array(32));
  const client = await edge.raw();
  const basic = Buffer.from("someone:secret").toString("base64");
  client.send(`GET / HTTP/1.1\r\nHost: ${port}\r\nAuthorization: Basic ${basic}\r\nX-Token: ${jwt}\r\n\r\n`);
  const request = await target.next();
  expect(request.head).toContain(`Authorization: Basic ${basic}\r\nX-Token: ${jwt}\r\n`);
  client.reset();
  target.stop();
});

test("any other Authorization is refused at a service, also beside a good cookie", async () => {
  const cookie = await enter();
  for (const authorization of ["Basic c29tZW9uZTpzZWNyZXQ=", "Digest x", "Bearer", "Bearer a b"]) {
    const response = await edge.request("/", host, { headers: { cookie, authorization } });
    expect([authorization, response.status]).toEqual([authorization, 401]);
  }
});

test("a session that ended takes its tokens and its cookies with it, and no other session's", async () => {
  const sid = newId();
  const token = await edge.signer.forContainer(user, container, { claims: { sid } });
  const cookie = await enter(host, token);
  const other = await enter();
  edge.endSession(user, sid);
  expect((await edge.request("/", host, { headers: { cookie } })).status).toBe(401);
  expect((await edge.request("/", host, bearer(token))).status).toBe(401);
  expect((await edge.request(`/?access_token=${token}`, host)).status).toBe(401);
  expect((await edge.request("/", host, { headers: { cookie: other } })).status).toBe(200);
});

test("who impersonates a user is let go when the administrator's session ends", async () => {
  const [sid, administrator] = [newId(), newId()];
  const claims = { sid, act: { sub: administrator } };
  const cookie = await enter(host, await edge.signer.forContainer(user, container, { claims }));
  edge.endSession(user, sid);
  expect((await edge.request("/", host, { headers: { cookie } })).status).toBe(200);
  edge.endSession(administrator, sid);
  expect((await edge.request("/", host, { headers: { cookie } })).status).toBe(401);
});

test("when more sessions ended than are told one by one, what was made before is refused and what is made after is not", async () => {
  const somebody = newId();
  const id = edge.container({ projectId, grants: [somebody] });
  const before = await edge.signer.forContainer(somebody, id);
  const at = new Date(Date.now() + 1_000);
  edge.ended.add({
    server_name: SERVER,
    user_id: somebody,
    sessions: [],
    refused_before: at.toISOString(),
  });
  expect((await edge.request("/", addressOf(id), bearer(before))).status).toBe(401);
  await until(() => Date.now() > at.getTime() + 1_000);
  const after = await edge.signer.forContainer(somebody, id);
  expect((await edge.request("/", addressOf(id), bearer(after))).status).toBe(200);
});

test("after a start, requests wait until the host has heard which sessions ended", async () => {
  await using starting = await startEdge({ services, signer: edge.signer, isSynced: false });
  const id = starting.container({ projectId, grants: [user] });
  const sid = newId();
  const token = await edge.signer.forContainer(user, id, { claims: { sid } });
  const asked = starting.request("/", addressOf(id), bearer(token));
  starting.endSession(user, sid);
  starting.ended.synced();
  expect((await asked).status).toBe(401);
});

test("another's container answers as one that is not there", async () => {
  const [theirs, missing] = [edge.container({ projectId, grants: [newId()] }), newId()];
  const answers = await Promise.all(
    [theirs, missing].map(async (id) => {
      const token = await edge.signer.forContainer(user, id);
      expect((await edge.request(`/?access_token=${token}`, addressOf(id))).status).toBe(404);
      const response = await edge.request("/", addressOf(id), bearer(token));
      return [response.status, await response.text()];
    }),
  );
  expect(answers[0]?.[0]).toBe(404);
  expect(answers[0]).toEqual(answers[1] ?? []);
  const own = await edge.signer.forContainer(user, container);
  expect((await edge.request("/", addressOf(container, newId()), bearer(own))).status).toBe(404);
});

test("without a valid credential an address of a container says the same whether or not there is the container", async () => {
  const elsewhere = edge.container({ projectId: newId(), grants: [user] });
  const addresses = [
    host,
    addressOf(edge.container({ projectId, grants: [newId()] })),
    addressOf(newId()),
    addressOf(newId(), newId()),
    // It is there, but not of this project.
    addressOf(elsewhere),
  ];
  const forged = await (await signer()).forContainer(user, container);
  const stranger = await edge.signer.forContainer(newId(), newId());
  const session = `__Host-berth_session=${"A".repeat(200)}.${"A".repeat(43)}`;
  const asked: [string, RequestInit, number][] = [
    ["/", {}, 401],
    ["/", { headers: { accept: "text/html" } }, 401],
    ["/a/b?c=d", { method: "POST", body: "x" }, 401],
    ["/", { method: "HEAD" }, 401],
    ["/", { headers: { connection: "upgrade", upgrade: "websocket", origin: "https://x" } }, 401],
    ["/", bearer("x"), 401],
    ["/", bearer(forged), 401],
    [`/?access_token=${forged}`, {}, 401],
    ["/", { headers: { cookie: session } }, 401],
    ["/", { headers: { cookie: session, origin: "null" } }, 401],
    ["/", { method: "TRACE" }, 405],
    // Somebody, but not here.
    ["/", bearer(stranger), 404],
    [`/?access_token=${stranger}`, {}, 404],
  ];
  for (const [path, init, status] of asked) {
    const answers = await Promise.all(
      addresses.map((where) =>
        overTls(textOf(where, path, init)).then((text) => text.replace(/^Date: .*$/m, "")),
      ),
    );
    expect(answers[0]).toStartWith(`HTTP/1.1 ${status} `);
    expect(new Set(answers).size).toBe(1);
  }
  for (const where of addresses) {
    const client = await RawClient.connect(edge.edge.httpPort);
    client.send(`GET /x HTTP/1.1\r\nHost: ${where}\r\n\r\n`);
    expect((await client.response()).status).toBe(303);
  }
});

test("an address of no container lets nobody in, whoever they are", async () => {
  const id = edge.container({ projectId, grants: [user] });
  const where = addressOf(id);
  const token = await edge.signer.forContainer(user, id);
  const cookie = await enter(where, token);
  // Its container, under another project: nothing is given for it.
  const wrong = addressOf(id, newId());
  const link = await edge.request(`/?access_token=${token}`, wrong);
  expect([link.status, link.headers.get("set-cookie")]).toEqual([404, null]);
  edge.containers.delete(id);
  expect((await edge.request("/", where, bearer(token))).status).toBe(404);
  expect((await edge.request("/", where, { headers: { cookie } })).status).toBe(404);
  expect((await edge.request("/open", where)).status).toBe(404);
});

/** A request as it goes out, since a client of ours would write it in its own way. */
function textOf(where: string, path: string, { method = "GET", headers = {}, body }: RequestInit): string {
  const fields = Object.entries(headers as Record<string, string>).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const length = typeof body === "string" ? `Content-Length: ${body.length}\r\n` : "";
  return `${method} ${path} HTTP/1.1\r\nHost: ${where}\r\n${fields.join("")}${length}\r\n${body ?? ""}`;
}

test("a token for one container enters that one and no other", async () => {
  const token = await edge.signer.forContainer(user, container);
  expect((await edge.request("/", host, bearer(token))).status).toBe(200);
  await enter(host, token);
  const other = addressOf(edge.container({ projectId, grants: [user] }));
  expect((await edge.request("/", other, bearer(token))).status).toBe(404);
});

test("whoever is taken off the list is refused at once, whatever they hold", async () => {
  const id = edge.container({ projectId, grants: [user] });
  const where = addressOf(id);
  const token = await edge.signer.forContainer(user, id);
  const cookie = await enter(where, token);
  expect((await edge.request("/", where, { headers: { cookie } })).status).toBe(200);
  edge.containers.set(id, { projectId, address: "127.0.0.1", grants: [] });
  expect((await edge.request("/", where, { headers: { cookie } })).status).toBe(404);
  expect((await edge.request("/", where, bearer(token))).status).toBe(404);
});

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

/** What comes back first. */
async function overTls(text: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port: edge.edge.httpsPort,
    tls: { rejectUnauthorized: false },
    socket: {
      handshake: (socket) => void socket.write(text),
      data: (_socket, bytes) => resolve(bytes.toString()),
      close: () => resolve(""),
    },
  });
  const answer = await promise;
  socket.terminate();
  return answer;
}

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
  expect((await edge.request("/", other, bearer(token))).status).toBe(501);

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
