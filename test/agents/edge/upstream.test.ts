import { afterAll, beforeAll, expect, test } from "bun:test";
import { until } from "../../harness/until.ts";
import { type EdgeUnderTest, startEdge } from "./edge-under-test.ts";
import { type RawTarget, rawTarget } from "./raw-target.ts";

/** What a target may say, and when. Its answer would be waited for longer than a test is: whatever is refused is refused before that. */

let edge: EdgeUnderTest;
let target: RawTarget;
let host: string;
beforeAll(async () => {
  edge = await startEdge();
  target = rawTarget();
  host = edge.expose("app", target.port);
});
afterAll(async () => {
  await edge[Symbol.asyncDispose]();
  target.stop();
});

const ask = async (text = `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`) => {
  const client = await edge.raw();
  client.send(text);
  return { client, seen: await target.next() };
};

test.each([
  ["a greeting of ssh", "SSH-2.0-OpenSSH_9.2p1\r\n"],
  ["a greeting of mail", "220 mail ESMTP\r\n"],
  ["a greeting without a line's end", "+OK"],
  ["an alert of TLS", Buffer.from([0x15, 3, 3, 0, 2, 2, 70])],
  ["settings of HTTP/2", Buffer.from([0, 0, 18, 4, 0, 0, 0, 0, 0])],
  ["zeros", Buffer.alloc(64)],
  ["one wrong byte", "h"],
  ["an empty line", "\r\n"],
  ["a body without a header", "<!doctype html>"],
  ["another version of HTTP", "HTTP/2 200"],
  ["HTTP/1.2", "HTTP/1.2 2"],
  ["a status that is no number", "HTTP/1.1 OK"],
  ["a status of two digits", "HTTP/1.1 99 x"],
  ["a status that begins with zero", "HTTP/1.1 0"],
  ["lines that end with LF alone", "HTTP/1.1 200 OK\nContent-Length: 2\n\nok"],
  ["one line that ends with LF alone", "HTTP/1.1 200 OK\r\nX: a\n"],
])("%s is a 502 at once, and its connection is closed", async (_name, bytes) => {
  const { client, seen } = await ask();
  seen.answer(bytes);
  expect((await client.response()).status).toBe(502);
  await until(() => seen.isOver());
});

const CHUNKS = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
test.each([
  ["that is no size", "zz\r\n"],
  ["that is no size, and whose line does not end", "zz"],
  ["that is longer than its size", "2\r\nokay\r\n"],
  ["after a sound one", "2\r\nok\r\n-1\r\n"],
])("a chunk %s, in the piece of the header, is a 502", async (_name, chunk) => {
  for (const pieces of [
    [CHUNKS + chunk],
    ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n", `\r\n${chunk}`],
  ]) {
    const { client, seen } = await ask();
    for (const piece of pieces) {
      seen.answer(piece);
      await Bun.sleep(0);
    }
    expect((await client.response()).status).toBe(502);
    await until(() => seen.isOver());
  }
});

test("a broken chunk that comes later breaks the answer off, and neither a header nor a sound chunk waits for what comes after it", async () => {
  const { client, seen } = await ask();
  seen.answer(CHUNKS);
  await client.sees("Transfer-Encoding: chunked\r\n");
  seen.answer("2\r\nok\r\n");
  await client.sees("2\r\nok\r\n");
  seen.answer("zz");
  expect(await client.over()).toBe("broken");
});

test("what is no HTTP is told from its first bytes, however they are cut", async () => {
  const { client, seen } = await ask();
  for (const byte of "HTTP/1.1 2") seen.answer(byte);
  seen.answer("x");
  expect((await client.response()).status).toBe(502);
});

test("an answer that comes byte by byte is one anyway", async () => {
  const { client, seen } = await ask();
  for (const byte of "HTTP/1.0 200\r\nContent-Length: 2\r\n\r\nok") {
    seen.answer(byte);
    await Bun.sleep(0);
  }
  expect((await client.response()).body.toString()).toBe("ok");
});

test("a target that greets before it is asked is a 502, too", async () => {
  const greeter = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: { open: (socket) => void socket.write("SSH-2.0-OpenSSH_9.2p1\r\n"), data() {} },
  });
  const client = await edge.raw();
  client.send(`GET / HTTP/1.1\r\nHost: ${edge.expose("greets", greeter.port)}\r\n\r\n`);
  expect((await client.response()).status).toBe(502);
  greeter.stop(true);
});

test("a status line, and a header, that never end are a 502 when they are too large", async () => {
  for (const begin of ["HTTP/1.1 200 ", "HTTP/1.1 200 OK\r\nX: "]) {
    const { client, seen } = await ask();
    seen.answer(begin + "x".repeat(60 * 1024));
    expect((await client.response()).status).toBe(502);
    await until(() => seen.isOver());
  }
});

test("an answer whose header does not come to its end is given up, though some of it comes all the time", async () => {
  await using hasty = await startEdge({ limits: { headMs: 500, answerMs: 600_000, sweepMs: 50 } });
  const client = await hasty.raw();
  client.send(`GET / HTTP/1.1\r\nHost: ${hasty.expose("drips", target.port)}\r\n\r\n`);
  const seen = await target.next();
  seen.answer("HTTP/1.1 200 OK\r\nX: ");
  const dripping = setInterval(() => seen.answer("x"), 20);
  expect((await client.response()).status).toBe(504);
  clearInterval(dripping);
});

test("interim answers pass, a few of them, and none to who speaks HTTP/1.0", async () => {
  const hints = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nContent-Length: 5\r\n\r\n";
  const { client, seen } = await ask();
  seen.answer(`HTTP/1.1 100 Continue\r\n\r\n${hints}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok`);
  expect((await client.response()).body.toString()).toBe("ok");
  expect(client.text).toStartWith(
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\n",
  );

  const { client: old, seen: asked } = await ask(`GET / HTTP/1.0\r\nHost: ${host}\r\n\r\n`);
  asked.answer(`${hints}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok`);
  await old.over();
  expect(old.text).toStartWith("HTTP/1.1 200 OK\r\n");

  const { client: flooded, seen: flooding } = await ask();
  flooding.answer(hints.repeat(9));
  await flooded.sees("HTTP/1.1 502 Bad Gateway\r\n");
});

test.each([
  ["HEAD", "200 OK", "Content-Length: 5\r\n", "5"],
  ["HEAD", "200 OK", "Transfer-Encoding: chunked\r\n", null],
  ["GET", "304 Not Modified", "Content-Length: 5\r\n", "5"],
  ["GET", "204 No Content", "Content-Length: 5\r\n", null],
  ["GET", "204 No Content", "Transfer-Encoding: chunked\r\n", null],
])("an answer to %s of %s with %j ends with its header", async (method, status, fields, length) => {
  const { client, seen } = await ask(`${method} / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  seen.answer(`HTTP/1.1 ${status}\r\n${fields}\r\n`);
  await client.sees("\r\n\r\n");
  expect(/content-length: (\d+)/i.exec(client.text)?.[1] ?? null).toBe(length);
  expect(client.text).not.toMatch(/transfer-encoding|connection: close/i);
  // The connection goes on with the next request.
  client.send(`GET /next HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  const next = await target.next();
  expect(next.head).toStartWith("GET /next ");
  next.answer("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnext");
  await client.sees("\r\n\r\nnext");
});

test.each([
  ["HEAD", "200 OK"],
  ["GET", "204 No Content"],
  ["GET", "304 Not Modified"],
])("a body that a target sends after an answer to %s of %s is nobody's", async (method, status) => {
  const { client, seen } = await ask(`${method} / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  seen.answer(`HTTP/1.1 ${status}\r\nContent-Length: 47\r\n\r\n`);
  await client.sees("\r\n\r\n");
  // The body comes when the next visitor's request is already under way.
  const { client: visitor, seen: next } = await ask();
  expect(next.connection).not.toBe(seen.connection);
  seen.answer("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nothers'");
  next.answer("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nown");
  expect((await visitor.next()).body.toString()).toBe("own");
  await until(() => seen.isOver());
});

test("control characters in a field of an answer are a 502, and are left out of a file's name", async () => {
  for (const character of ["\x01", "\x0b", "\x1b", "\x7f"]) {
    const { client, seen } = await ask();
    seen.answer(`HTTP/1.1 200 OK\r\nX: a${character}b\r\nContent-Length: 0\r\n\r\n`);
    expect((await client.response()).status).toBe(502);
  }
  const { client, seen } = await ask();
  seen.answer(
    'HTTP/1.1 200 OK\r\nX: a\tb\r\nContent-Disposition: attachment; filename="a\x01b"\r\nContent-Length: 0\r\n\r\n',
  );
  const { headers } = await client.response();
  expect([headers.get("x"), headers.get("content-disposition")]).toEqual([
    "a\tb",
    'attachment; filename="ab"',
  ]);
});

test("a target of HTTP/1.0 ends its answer with its connection, and one that breaks off does not end it", async () => {
  const { client, seen } = await ask();
  seen.answer("HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nfoobar");
  seen.end();
  expect(await client.response()).toMatchObject({ status: 200, isWhole: true });
  const { client: other, seen: breaking } = await ask();
  breaking.answer("HTTP/1.0 200 OK\r\n\r\nfoo");
  await other.sees("foo");
  breaking.reset();
  expect(await other.over()).toBe("broken");

  const { client: old, seen: asked } = await ask(`GET / HTTP/1.0\r\nHost: ${host}\r\n\r\n`);
  asked.answer("HTTP/1.0 200 OK\r\n\r\nfoobar");
  asked.end();
  expect(await old.over()).toBe("ended");
  expect(old.text).toEndWith("\r\n\r\nfoobar");
});

test("trailers of an answer stay here, and so does the wish for them", async () => {
  const { client, seen } = await ask(
    `GET / HTTP/1.1\r\nHost: ${host}\r\nTE: trailers\r\nConnection: TE\r\n\r\n`,
  );
  expect(seen.head).not.toMatch(/^te:/im);
  seen.answer(
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-After\r\n\r\n2\r\nok\r\n0\r\nX-After: 1\r\nSet-Cookie: a=b\r\n\r\n",
  );
  expect((await client.response()).body.toString()).toBe("ok");
  expect(client.text).not.toMatch(/x-after|set-cookie/i);
});

test("an answer to a body that is still on its way arrives whole, and its sender is not left hanging", async () => {
  const { client, seen } = await ask(
    `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 1000000000\r\n\r\nfirst`,
  );
  await seen.sees("first");
  for (let n = 0; n < 16; n++) client.send(Buffer.alloc(64 * 1024, "x"));
  await until(() => seen.bodyBytes > 64 * 1024);
  seen.answer("HTTP/1.1 413 Content Too Large\r\nContent-Length: 9\r\n\r\ntoo large");
  seen.end();
  const answer = await client.response();
  expect([answer.status, answer.body.toString(), answer.headers.get("connection")]).toEqual([
    413,
    "too large",
    "close",
  ]);
  client.send("more");
  expect(await client.over()).toBe("ended");
});

test.each(["POST", "PUT", "DELETE", "PATCH"])(
  "%s is never asked twice, and gets no connection that may be closing",
  async (method) => {
    const { client, seen } = await ask();
    seen.answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    await client.next();
    client.send(`${method} /once HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 4\r\n\r\nhalf`);
    const acting = await target.next();
    expect(acting.connection).not.toBe(seen.connection);
    await acting.sees("half");
    acting.reset();
    expect((await client.response()).status).toBe(502);
    // The next request that comes is another one.
    const { client: other, seen: later } = await ask();
    expect(later.head).toStartWith("GET / ");
    other.reset();
  },
);

test("a request on a kept connection that has begun to be answered is not asked again", async () => {
  const { client, seen } = await ask();
  seen.answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
  await client.next();
  client.send(`GET /begun HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  const begun = await target.next();
  expect(begun.connection).toBe(seen.connection);
  begun.answer("HTTP/1.1 2");
  begun.end();
  expect((await client.response()).status).toBe(502);
  const { client: other, seen: later } = await ask();
  expect(later.head).toStartWith("GET / ");
  other.reset();
});

test("a target without a date is given one, and one with a date keeps it", async () => {
  const { client, seen } = await ask();
  seen.answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
  const date = (await client.next()).headers.get("date") ?? "";
  expect(new Date(date).toUTCString()).toBe(date);
  client.send(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  const own = "Thu, 01 Jan 1970 00:00:00 GMT";
  (await target.next()).answer(`HTTP/1.1 200 OK\r\ndate: ${own}\r\nContent-Length: 2\r\n\r\nok`);
  expect((await client.next()).headers.get("date")).toBe(own);
});

test("Connection takes out what it names, but nothing that is meant for both ends", async () => {
  const { client, seen } = await ask(
    `POST / HTTP/1.1\r\nHost: ${host}\r\nConnection: host, content-length, authorization, cookie, X-Forwarded-For, content-type, if-match, x-hop, close\r\n` +
      "Content-Length: 2\r\nAuthorization: Basic eA==\r\nCookie: a=b\r\nContent-Type: text/plain\r\nIf-Match: x\r\nX-Hop: 1\r\n\r\nok",
  );
  expect(seen.head.split("\r\n")).toEqual([
    "POST / HTTP/1.1",
    `Host: ${host}`,
    "Authorization: Basic eA==",
    "Cookie: a=b",
    "Content-Type: text/plain",
    "If-Match: x",
    "X-Forwarded-For: 127.0.0.1",
    "X-Forwarded-Proto: http",
    `X-Forwarded-Host: ${host}`,
    "Via: 1.1 berth",
    "Content-Length: 2",
  ]);
  await seen.sees("ok");
  seen.answer(
    "HTTP/1.1 200 OK\r\nConnection: set-cookie, content-length, location, content-security-policy, x-hop\r\nSet-Cookie: a=b\r\nLocation: /x\r\n" +
      "Content-Security-Policy: sandbox\r\nX-Hop: 1\r\nContent-Length: 2\r\n\r\nok",
  );
  const { headers } = await client.response();
  expect(
    ["set-cookie", "location", "content-security-policy", "x-hop"].map((name) => headers.get(name)),
  ).toEqual(["a=b", "/x", "sandbox", null]);
});

test("fields in disguise of those that only the edge writes do not pass", async () => {
  const { client, seen } = await ask(
    `GET / HTTP/1.1\r\nHost: ${host}\r\nX_Forwarded_Proto: https\r\nX-Forwarded_For: 6.6.6.6\r\nTransfer_Encoding: chunked\r\nContent_Length: 5\r\nX-Real-IP: 6.6.6.6\r\nVia: 1.0 before\r\n\r\n`,
  );
  expect(seen.head).not.toMatch(/6\.6\.6\.6|https|chunked|content.length/i);
  expect(seen.head).toContain("\r\nVia: 1.0 before\r\n");
  expect(seen.head).toEndWith("\r\nVia: 1.1 berth");
  client.reset();
});

test.each([
  "X-Forwarded",
  "X-Forwarded-Port",
  "X-Forwarded-Prefix",
  "X-Forwarded-Scheme",
  "X-Forwarded-Ssl",
  "X-Forwarded-By",
  "X-Forwarded-Server",
  "X-Forwarded-Anything-New",
  "Forwarded",
  "X-Client-IP",
  "True-Client-IP",
  "CF-Connecting-IP",
  "X-Cluster-Client-IP",
  "X-Original-URL",
  "X-Rewrite-URL",
  "X-Original-Host",
  "X-Host",
  "X-Scheme",
])("a client does not write %s, which programs take for a proxy's word", async (name) => {
  const disguised = [name, name.toUpperCase(), name.replaceAll("-", "_"), name.replace("-", "_")];
  const { client, seen } = await ask(
    `GET / HTTP/1.1\r\nHost: ${host}\r\n${disguised.map((one) => `${one}: clients\r\n`).join("")}X-Forward: own\r\nX-Hosts: own\r\n\r\n`,
  );
  expect(seen.head).not.toContain("clients");
  expect(seen.head).toContain("\r\nX-Forward: own\r\nX-Hosts: own\r\nX-Forwarded-For: 127.0.0.1\r\n");
  client.reset();
});

test("who speaks HTTP/1.0 waits for no 100, and a target is not asked for one", async () => {
  const { client, seen } = await ask(
    `POST / HTTP/1.0\r\nHost: ${host}\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nok`,
  );
  expect(seen.head).not.toMatch(/expect/i);
  expect(seen.head).toContain("\r\nVia: 1.0 berth\r\n");
  client.reset();
});

test("a request may name its host in its path, and a target sees the path alone", async () => {
  const { client, seen } = await ask(`GET http://${host}/a?b=c HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  expect(seen.head).toStartWith(`GET /a?b=c HTTP/1.1\r\nHost: ${host}\r\n`);
  client.reset();
});

test("OPTIONS goes as many steps as it may", async () => {
  const options = (steps: string) => `OPTIONS * HTTP/1.1\r\nHost: ${host}\r\nMax-Forwards: ${steps}\r\n\r\n`;
  const { client, seen } = await ask(options("2"));
  expect(seen.head).toStartWith("OPTIONS * HTTP/1.1\r\n");
  expect(seen.head).toContain("\r\nMax-Forwards: 1\r\n");
  seen.answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
  expect((await client.next()).status).toBe(200);
  client.send(options("0"));
  const own = await client.response();
  expect([own.status, own.headers.get("allow")]).toEqual([
    200,
    "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
  ]);
});

test("TRACE says nothing back", async () => {
  const client = await edge.raw();
  client.send(`TRACE / HTTP/1.1\r\nHost: ${host}\r\nCookie: secret\r\n\r\n`);
  const answer = await client.response();
  expect([answer.status, answer.headers.get("allow")]).toEqual([
    405,
    "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
  ]);
  expect(answer.body.toString()).not.toContain("secret");
});

test("the name in TLS leads nowhere by itself: the Host does", async () => {
  const other = edge.expose("other", target.port, { target_path: "/other" });
  const { promise, resolve } = Promise.withResolvers<void>();
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port: edge.edge.httpsPort,
    tls: { rejectUnauthorized: false, serverName: other },
    socket: {
      handshake: (socket) => {
        socket.write(`GET /x HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
        resolve();
      },
      data() {},
    },
  });
  await promise;
  expect((await target.next()).head).toStartWith("GET /x HTTP/1.1");
  socket.terminate();
});
