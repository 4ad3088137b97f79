import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { createServer as createTlsServer } from "node:https";
import { join } from "node:path";
import { until } from "../../harness/until.ts";
import { type EdgeUnderTest, startEdge } from "./edge-under-test.ts";
import { type RawTarget, rawTarget } from "./raw-target.ts";

let edge: EdgeUnderTest;
let target: RawTarget;
beforeAll(async () => {
  edge = await startEdge();
  target = rawTarget();
});
afterAll(async () => {
  await edge[Symbol.asyncDispose]();
  target.stop();
});

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
const get = (host: string, path = "/", more = "") => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`;

test("a request reaches the port of its name, with who asked and where, and without what is for one hop", async () => {
  const host = edge.expose("web", target.port);
  const client = await edge.raw();
  client.send(
    get(
      `${host.toUpperCase()}.:8080`,
      "/a%20b?c=d&e",
      "X-Own: 1\r\nConnection: keep-alive, X-Hop\r\nX-Hop: 1\r\nKeep-Alive: 5\r\nTE: trailers\r\nProxy-Authorization: x\r\n" +
        "X-Forwarded-For: 6.6.6.6\r\nX_Forwarded_For: 6.6.6.6\r\nForwarded: for=6.6.6.6\r\nCookie: a=b\r\nAuthorization: Basic eA==\r\n",
    ),
  );
  const seen = await target.next();
  seen.answer(
    "HTTP/1.1 200 Fine\r\nX-App: 1\r\nConnection: X-Secret\r\nX-Secret: 1\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nContent-Length: 2\r\n\r\nok",
  );
  expect(seen.head.split("\r\n")).toEqual([
    "GET /a%20b?c=d&e HTTP/1.1",
    `Host: ${host}:8080`,
    "X-Own: 1",
    "Cookie: a=b",
    "Authorization: Basic eA==",
    "X-Forwarded-For: 127.0.0.1",
    "X-Forwarded-Proto: http",
    `X-Forwarded-Host: ${host}:8080`,
    "Via: 1.1 berth",
  ]);
  const response = await client.next();
  expect(response.status).toBe(200);
  expect(response.body.toString()).toBe("ok");
  expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  expect(response.headers.get("x-secret")).toBeNull();
  expect(client.text).toBe("");
});

test("the edge's own session passes in neither direction, whatever a name leads to", async () => {
  const host = edge.expose("once-a-terminal", target.port);
  const client = await edge.raw();
  client.send(get(host, "/", "Cookie: a=b; __Host-berth_session=user.1.mac; c=d\r\n"));
  const seen = await target.next();
  seen.answer(
    "HTTP/1.1 200 OK\r\nSet-Cookie: __Host-berth_session=evil; Path=/; Secure\r\nSet-Cookie: a=1\r\nContent-Length: 2\r\n\r\nok",
  );
  expect(seen.head).toContain("\r\nCookie: a=b; c=d\r\n");
  expect((await client.next()).headers.getSetCookie()).toEqual(["a=1"]);
});

test("no spelling of a cookie that a browser keeps under the session's name passes", async () => {
  const host = edge.expose("spells", target.port);
  const spellings = [
    "__Host-berth_session =x; Path=/; Secure",
    " \t__Host-berth_session\t = x",
    "=__Host-berth_session=x",
    " = __Host-berth_session =x",
    "==__Host-berth_session=x",
    "__Host-berth_session",
    "__Host-berth_session;Path=/",
  ];
  const client = await edge.raw();
  client.send(get(host, "/", `Cookie: a=b;\t__Host-berth_session\t=x; =__Host-berth_session=x; c=d\r\n`));
  const seen = await target.next();
  seen.answer(
    `HTTP/1.1 200 OK\r\n${spellings.map((one) => `Set-Cookie: ${one}\r\n`).join("")}` +
      "Set-Cookie: own=__Host-berth_session=x\r\nSet-Cookie: __Host-berth_session2=x\r\nContent-Length: 2\r\n\r\nok",
  );
  expect(seen.head).toContain("\r\nCookie: a=b; c=d\r\n");
  expect((await client.next()).headers.getSetCookie()).toEqual([
    "own=__Host-berth_session=x",
    "__Host-berth_session2=x",
  ]);
});

test("a cookie for the domain above a name is one of that name alone", async () => {
  const host = edge.expose("neighbour", target.port);
  const client = await edge.raw();
  const above = host.slice(host.indexOf(".") + 1);
  client.send(get(`${host}:8443`, "/"));
  const seen = await target.next();
  const set = [
    `a=1; Domain=${above}; Path=/`,
    `b=2; path=/; DOMAIN = .${above} ;Secure`,
    `c=3;domain=.${above.split(".").slice(1).join(".")};Domain=${above}`,
    `d=4; Domain=${host}; HttpOnly`,
    `e=5; Domain=.${host.toUpperCase()}`,
    "f=Domain=x; Max-Age=5; Expires=Wed, 21 Oct 2099 07:28:00 GMT",
    "g=7; Domain=; Secure",
  ];
  seen.answer(
    `HTTP/1.1 200 OK\r\n${set.map((one) => `Set-Cookie: ${one}\r\n`).join("")}Content-Length: 2\r\n\r\nok`,
  );
  expect((await client.next()).headers.getSetCookie()).toEqual([
    "a=1; Path=/",
    "b=2; path=/;Secure",
    "c=3",
    `d=4; Domain=${host}; HttpOnly`,
    `e=5; Domain=.${host.toUpperCase()}`,
    "f=Domain=x; Max-Age=5; Expires=Wed, 21 Oct 2099 07:28:00 GMT",
    "g=7; Secure",
  ]);
});

test("both sides keep their connections from one request to the next", async () => {
  const host = edge.expose("keep", target.port);
  const client = await edge.raw();
  const connections: number[] = [];
  for (let n = 0; n < 3; n++) {
    client.send(get(host, `/${n}`));
    const seen = await target.next();
    connections.push(seen.connection);
    seen.answer(OK);
    expect((await client.next()).status).toBe(200);
  }
  expect(new Set(connections).size).toBe(1);
});

test("requests in one piece are answered in their order, each where its own Host leads", async () => {
  const one = edge.expose("one", target.port);
  const other = rawTarget();
  const two = edge.expose("two", other.port);
  const client = await edge.raw();
  client.send(get(one, "/1") + get(two, "/2") + get(one, "/3"));
  for (const [from, path] of [
    [target, "/1"],
    [other, "/2"],
    [target, "/3"],
  ] as const) {
    const seen = await from.next();
    expect(seen.head).toStartWith(`GET ${path} `);
    seen.answer(`HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n${path}`);
    expect((await client.next()).body.toString()).toBe(path);
  }
  other.stop();
});

test.each([
  ["a length", "Content-Length: 6\r\n\r\nfoobar", { "content-length": "6" }],
  [
    "chunks",
    "Transfer-Encoding: chunked\r\n\r\n3\r\nfoo\r\n3;x=y\r\nbar\r\n0\r\nX-Trailer: 1\r\n\r\n",
    { "transfer-encoding": "chunked" },
  ],
  ["the connection's end", "\r\nfoobar", { "transfer-encoding": "chunked" }],
])("an answer that ends by %s arrives whole", async (_name, rest, headers) => {
  const host = edge.expose("frames", target.port);
  const client = await edge.raw();
  client.send(get(host));
  const seen = await target.next();
  seen.answer(`HTTP/1.1 200 OK\r\n${rest}`);
  if (!rest.includes(":")) seen.end();
  const response = await client.response();
  expect(response).toMatchObject({ status: 200, isWhole: true });
  expect(response.body.toString()).toBe("foobar");
  for (const [name, value] of Object.entries(headers)) expect(response.headers.get(name)).toBe(value);
});

test("an answer that breaks off in the middle is never a clean end", async () => {
  const host = edge.expose("broken", target.port);
  for (const head of ["Content-Length: 100", "Transfer-Encoding: chunked"]) {
    const client = await edge.raw();
    client.send(get(host));
    const seen = await target.next();
    seen.answer(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n3\r\nfoo\r\n`);
    await client.sees("foo");
    seen.end();
    expect(await client.over()).toBe("broken");
  }
});

test("bodies of requests arrive as they come, by length and in chunks", async () => {
  const host = edge.expose("upload", target.port);
  const client = await edge.raw();
  client.send(`POST /l HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 6\r\n\r\nfoo`);
  let seen = await target.next();
  await seen.sees("foo");
  client.send("bar");
  await seen.sees("foobar");
  seen.answer(OK);
  expect((await client.next()).status).toBe(200);
  client.send(`PUT /c HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n\r\n3;x\r\nfoo\r\n`);
  seen = await target.next();
  await seen.sees("3\r\nfoo\r\n");
  client.send("3\r\nbar\r\n0\r\nX-Trailer: 1\r\n\r\n");
  await seen.sees("3\r\nbar\r\n0\r\n\r\n");
  seen.answer(OK);
  expect((await client.next()).status).toBe(200);
});

test("each of a connection's requests has its own fields, also where most are the same or the name is another", async () => {
  const one = edge.expose("repeats-one", target.port);
  const other = edge.expose("repeats-two", target.port, { target_path: "/base" });
  const client = await edge.raw();
  const requests = [
    { host: one, path: "/a", fields: "Cookie: user=1\r\nX-Own: 1\r\n" },
    { host: one, path: "/b?c", fields: "Cookie: user=1\r\nX-Own: 1\r\n" },
    { host: one, path: "/b", fields: "Cookie: user=2\r\nX-Own: 1\r\n" },
    { host: other, path: "/b", fields: "Cookie: user=2\r\nX-Own: 1\r\n" },
    { host: other, path: "/c", fields: "Cookie: user=2\r\nX-Own: 1\r\n" },
    { host: other, path: "/c", fields: "" },
    { host: one, path: "/c", fields: "" },
  ];
  for (const { host, path, fields } of requests) {
    client.send(get(host, path, fields));
    const seen = await target.next();
    expect(seen.head.split("\r\n")).toEqual([
      `GET ${host === other ? "/base" : ""}${path} HTTP/1.1`,
      `Host: ${host}`,
      ...fields.split("\r\n").filter((line) => line !== ""),
      "X-Forwarded-For: 127.0.0.1",
      "X-Forwarded-Proto: http",
      `X-Forwarded-Host: ${host}`,
      "Via: 1.1 berth",
    ]);
    seen.answer(OK);
    expect((await client.next()).body.toString()).toBe("ok");
  }
});

test("a response is whole whether its body comes with its header or after it", async () => {
  const host = edge.expose("cut", target.port);
  const client = await edge.raw();
  const answer = Buffer.from("HTTP/1.1 200 OK\r\nX-App: 1\r\nContent-Length: 10\r\n\r\n0123456789");
  const bodyAt = answer.length - 10;
  for (const cut of [5, bodyAt - 3, bodyAt, bodyAt + 4, answer.length]) {
    client.send(get(host, `/${cut}`));
    const seen = await target.next();
    seen.answer(answer.subarray(0, cut));
    if (cut < answer.length) seen.answer(answer.subarray(cut));
    const response = await client.next();
    expect([response.status, response.headers.get("x-app"), response.body.toString()]).toEqual([
      200,
      "1",
      "0123456789",
    ]);
  }
});

test("100-continue is the target's to say", async () => {
  const host = edge.expose("expects", target.port);
  const client = await edge.raw();
  client.send(`POST / HTTP/1.1\r\nHost: ${host}\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n`);
  const seen = await target.next();
  expect(seen.head).toContain("Expect: 100-continue");
  expect(client.text).toBe("");
  seen.answer("HTTP/1.1 100 Continue\r\n\r\n");
  await client.sees("100 Continue");
  client.send("foo");
  await seen.sees("foo");
  seen.answer(OK);
  expect((await client.response()).status).toBe(200);
});

test("a slow reader holds back a fast target, and a slow target a fast sender", async () => {
  const host = edge.expose("slow", target.port);
  const client = await edge.raw();
  client.send(get(host));
  const down = await target.next();
  client.pause();
  const block = Buffer.alloc(1024 * 1024, "x");
  const blocks = 96;
  down.answer(`HTTP/1.1 200 OK\r\nContent-Length: ${block.length * blocks}\r\n\r\n`);
  for (let n = 0; n < blocks; n++) down.answer(block);
  // What the kernel and the edge hold is far less than the answer.
  await until(() => down.hasStalled());
  expect(down.unsentBytes).toBeGreaterThan(40 * block.length);
  client.resume();
  await until(() => client.receivedBytes > block.length * blocks);
  expect((await client.next()).body.length).toBe(block.length * blocks);

  client.send(`POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${block.length * blocks}\r\n\r\n`);
  const up = await target.next();
  up.pause();
  for (let n = 0; n < blocks; n++) client.send(block);
  let unsent = -1;
  await until(
    () => {
      const before = unsent;
      unsent = client.unsentBytes;
      return unsent === before && unsent > 0;
    },
    { everyMs: 200 },
  );
  expect(unsent).toBeGreaterThan(40 * block.length);
  up.resume();
  await until(() => up.bodyBytes >= block.length * blocks);
  up.answer(OK);
  expect((await client.response()).status).toBe(200);
});

test("names that are unknown, disabled, expired, deleted or malformed have one answer, at once", async () => {
  const disabled = edge.expose("disabled", target.port, { enabled: false });
  const expired = edge.expose("expired", target.port, { expires_at: new Date(Date.now() - 1).toISOString() });
  const orphan = edge.expose("orphan", target.port, { container_id: "f".repeat(24) });
  const bodies = new Set<string>();
  for (const host of [
    disabled,
    expired,
    orphan,
    "unknown.node-1.berth.localhost",
    "a.b.node-1.berth.localhost",
    "node-1.berth.localhost",
    "x",
    "127.0.0.1",
  ]) {
    const client = await edge.raw();
    client.send(get(host));
    const response = await client.response();
    expect(response.status).toBe(404);
    bodies.add(response.body.toString());
  }
  expect(bodies.size).toBe(1);
  const host = edge.expose("brief", target.port);
  const client = await edge.raw();
  client.send(get(host));
  (await target.next()).answer(OK);
  expect((await client.next()).status).toBe(200);
  edge.aliases.delete("brief");
  client.send(get(host));
  expect((await client.next()).status).toBe(404);
});

test("an alias ends at its moment, whether or not anybody says so", async () => {
  const host = edge.expose("ends", target.port, { expires_at: new Date(Date.now() + 700).toISOString() });
  const client = await edge.raw();
  client.send(get(host));
  const seen = await target.next();
  seen.answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n");
  await client.sees("a\r\n");
  // What is open ends with it.
  expect(await client.over()).toBe("broken");
  const later = await edge.raw();
  later.send(get(host));
  expect((await later.response()).status).toBe(404);
});

test("a change of one name leaves what is open of another alone", async () => {
  const stays = edge.expose("stays", target.port);
  edge.expose("goes", target.port);
  const [one, two] = [await edge.raw(), await edge.raw()];
  one.send(get(stays));
  const seenOne = await target.next();
  two.send(get("goes.node-1.berth.localhost"));
  const seenTwo = await target.next();
  for (const seen of [seenOne, seenTwo])
    seen.answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n");
  await one.sees("a\r\n");
  await two.sees("a\r\n");
  edge.aliases.delete("goes");
  expect(await two.over()).toBe("broken");
  seenOne.answer("1\r\nb\r\n0\r\n\r\n");
  expect((await one.response()).body.toString()).toBe("ab");
});

test("a target that is dead, closes or speaks something else is a 502", async () => {
  const { traffic } = edge.edge;
  const before = { errors: traffic.upstreamErrors, requests: traffic.requests.get("5xx") ?? 0 };
  const gone = rawTarget();
  const dead = edge.expose("dead", gone.port);
  gone.stop();
  const client = await edge.raw();
  client.send(get(dead));
  expect((await client.response()).status).toBe(502);

  // Without kept connections to it: a request on one of those would be asked once more.
  const broken = rawTarget();
  const host = edge.expose("broken", broken.port);
  const rude = await edge.raw();
  rude.send(get(host));
  (await broken.next()).end();
  expect((await rude.response()).status).toBe(502);
  const odd = await edge.raw();
  odd.send(get(host));
  (await broken.next()).answer("SSH-2.0-x\r\n\r\n");
  expect((await odd.response()).status).toBe(502);
  broken.stop();
  // The metrics of the agent have these.
  expect(traffic.upstreamErrors - before.errors).toBe(3);
  expect((traffic.requests.get("5xx") ?? 0) - before.requests).toBe(3);
});

test("a target that is silent is a 504", async () => {
  await using hasty = await startEdge({ limits: { answerMs: 500, sweepMs: 50 } });
  const waiting = await hasty.raw();
  waiting.send(get(hasty.expose("silent", target.port)));
  const silent = await target.next();
  expect((await waiting.response()).status).toBe(504);
  await until(() => silent.isOver());
  const { traffic } = hasty.edge;
  expect([traffic.upstreamErrors, traffic.requests.get("5xx")]).toEqual([1, 1]);
});

test("a request on a kept connection that its target has closed is asked once more", async () => {
  const host = edge.expose("stale", target.port);
  const client = await edge.raw();
  client.send(get(host));
  const first = await target.next();
  first.answer(OK);
  await client.next();
  client.send(get(host, "/again"));
  const second = await target.next();
  expect(second.connection).toBe(first.connection);
  second.reset();
  const third = await target.next();
  expect(third.head).toStartWith("GET /again ");
  expect(third.connection).not.toBe(first.connection);
  third.answer(OK);
  expect((await client.next()).status).toBe(200);
});

test("a client that leaves takes its request along", async () => {
  const host = edge.expose("leaves", target.port);
  const client = await edge.raw();
  client.send(get(host));
  const seen = await target.next();
  client.reset();
  await until(() => seen.isOver());
});

test("a base goes before the path, takes its place where visitors may not choose, and cannot be left", async () => {
  const based = edge.expose("based", target.port, { target_path: "/app/" });
  const fixed = edge.expose("fixed", target.port, { target_path: "/only", allow_path_override: false });
  const rooted = edge.expose("rooted", target.port, { allow_path_override: false });
  const ask = async (host: string, path: string) => {
    const client = await edge.raw();
    client.send(get(host, path));
    const seen = await target.next();
    seen.answer(OK);
    await client.response();
    return seen.head.split(" ")[1];
  };
  expect(await ask(based, "/")).toBe("/app/");
  expect(await ask(based, "/a?b=c")).toBe("/app/a?b=c");
  expect(await ask(fixed, "/secret?b=c")).toBe("/only?b=c");
  expect(await ask(rooted, "/secret")).toBe("/");
  for (const path of ["/../secret", "/a/%2e%2E/../../secret", "/..%2fsecret", "/..\\secret"]) {
    const client = await edge.raw();
    client.send(get(based, path));
    expect((await client.response()).status).toBe(400);
  }
});

test("HTTP/1.0 is served, and its connection ends with the answer", async () => {
  const host = edge.expose("old", target.port);
  const client = await edge.raw();
  client.send(`GET / HTTP/1.0\r\nHost: ${host}\r\n\r\n`);
  const seen = await target.next();
  seen.answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nfoo\r\n0\r\n\r\n");
  expect(await client.over()).toBe("ended");
  expect(client.text).toEndWith("\r\n\r\nfoo");
  expect(client.text).not.toContain("Transfer-Encoding");
});

test("an https port's own certificate is good enough, since its way does not leave the host", async () => {
  const certificate = await import("../../../agents/edge/tls/certificates.ts").then(({ localCertificate }) =>
    localCertificate(`${edge.folder}/other`, "elsewhere"),
  );
  const server = createTlsServer({ key: certificate.key, cert: certificate.chain }, (request, response) => {
    response.end(`secure ${request.headers["x-forwarded-proto"]}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const host = edge.expose("secure", port, { program: "https" });
  const response = await edge.request("/", host);
  expect([response.status, await response.text()]).toEqual([200, "secure https"]);
  server.close();
});

test("headers that are too large or too slow are refused", async () => {
  const host = edge.expose("limits", target.port);
  const large = await edge.raw();
  large.send(get(host, "/", `X: ${"a".repeat(50 * 1024)}\r\n`));
  expect((await large.response()).status).toBe(431);
  await using hasty = await startEdge({ limits: { headMs: 500, sweepMs: 50 } });
  const slow = await hasty.raw();
  slow.send("GET / HTTP/1.1\r\nHost:");
  expect((await slow.response()).status).toBe(408);
});

test("an address holds no more connections than its share", async () => {
  await using small = await startEdge({ limits: { connectionsPerProxyMax: 2 } });
  const held = [await small.raw(), await small.raw()];
  await until(() => small.edge.connections === 2);
  const third = await small.raw().catch(() => undefined);
  if (third !== undefined) expect(await third.over()).toBe("broken");
  held[0]?.reset();
  await until(() => small.edge.connections === 1);
  const next = await small.raw();
  next.send(get("x"));
  expect((await next.response()).status).toBe(404);
});

test("the log has each request of a name, without what its query holds", async () => {
  const host = edge.expose("logged", target.port);
  const client = await edge.raw();
  client.send(get(host, "/path?token=secret", "Authorization: Bearer secret\r\n"));
  (await target.next()).answer(OK);
  await client.response();
  const line = await until(() => readFileSync(join(edge.folder, "logs/logged.log"), "utf8"));
  expect(JSON.parse(line)).toMatchObject({
    method: "GET",
    path: "/path",
    status: 200,
    bytes: 2,
    address: "127.0.0.1",
  });
  expect(line).not.toContain("secret");
});
