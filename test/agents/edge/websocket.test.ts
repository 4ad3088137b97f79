import { afterAll, beforeAll, expect, test } from "bun:test";
import { until } from "../../harness/until.ts";
import { type EdgeUnderTest, HOSTS, startEdge } from "./edge-under-test.ts";
import { rawTarget } from "./raw-target.ts";

let edge: EdgeUnderTest;
let echo: ReturnType<typeof echoServer>;
beforeAll(async () => {
  edge = await startEdge();
  echo = echoServer();
});
afterAll(async () => {
  await edge[Symbol.asyncDispose]();
  await echo.stop(true);
});

/** Says back what it hears; closes as it is told. */
function echoServer() {
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request, server) {
      const asked = request.headers.get("sec-websocket-protocol")?.split(", ").at(-1);
      const headers = asked === undefined ? {} : { "sec-websocket-protocol": asked };
      return server.upgrade(request, { headers }) ? undefined : new Response("no", { status: 400 });
    },
    websocket: {
      message(socket, message) {
        const [, code, reason] = /^close (\d+) (.*)$/.exec(String(message)) ?? [];
        if (code !== undefined) socket.close(Number(code), reason);
        else socket.send(message);
      },
    },
  });
}

/** How a target opens the WebSocket that a request asks for. */
function switching(request: string): string {
  const key = /sec-websocket-key: (\S+)/i.exec(request)?.[1];
  const accept = new Bun.CryptoHasher("sha1")
    .update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest("base64");
  return `HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`;
}

interface Opened {
  readonly socket: WebSocket;
  readonly heard: (string | ArrayBuffer)[];
  closed: { code: number; reason: string } | null;
}

async function open(host: string, protocols: string[] = [], tls = true): Promise<Opened> {
  const url = tls ? `wss://127.0.0.1:${edge.edge.httpsPort}/x` : `ws://127.0.0.1:${edge.edge.httpPort}/x`;
  const options = { headers: { host }, protocols, tls: { rejectUnauthorized: false } };
  const socket = new WebSocket(url, options as never);
  socket.binaryType = "arraybuffer";
  const opened: Opened = { socket, heard: [], closed: null };
  socket.onmessage = ({ data }) => opened.heard.push(data);
  socket.onclose = ({ code, reason }) => {
    opened.closed = { code, reason };
  };
  await until(() => socket.readyState === WebSocket.OPEN || opened.closed);
  return opened;
}

test("text, binary, subprotocols and close codes pass in both directions, over TLS and without", async () => {
  const host = edge.expose("echo", echo.port ?? 0);
  for (const tls of [true, false]) {
    const one = await open(host, ["first", "second"], tls);
    expect(one.socket.protocol).toBe("second");
    one.socket.send("tëxt");
    const bytes = crypto.getRandomValues(new Uint8Array(60_000));
    one.socket.send(bytes);
    await until(() => one.heard.length === 2);
    expect(one.heard[0]).toBe("tëxt");
    expect(Buffer.from(one.heard[1] as ArrayBuffer).equals(bytes)).toBe(true);
    one.socket.send("close 4321 because");
    await until(() => one.closed);
    expect(one.closed).toEqual({ code: 4321, reason: "because" });
  }
});

test("the code with which a client closes reaches the target", async () => {
  const codes: number[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request, server) => (server.upgrade(request) ? undefined : new Response("no")),
    websocket: { message() {}, close: (_socket, code) => void codes.push(code) },
  });
  const one = await open(edge.expose("codes", server.port ?? 0));
  one.socket.close(4001, "enough");
  await until(() => codes.length === 1);
  expect(codes).toEqual([4001]);
  await server.stop(true);
});

test("an end that breaks is no clean close at the other", async () => {
  const target = rawTarget();
  const one = open(edge.expose("breaks", target.port));
  const seen = await target.next();
  seen.answer(switching(seen.head));
  const { closed } = await one;
  expect(closed).toBeNull();
  seen.reset();
  const opened = await one;
  await until(() => opened.closed);
  expect(opened.closed?.code).toBe(1006);
  target.stop();
});

test("bytes right behind the change of protocol are not lost, in either direction", async () => {
  const target = rawTarget();
  const client = await edge.raw();
  const fields =
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n";
  client.send(`GET / HTTP/1.1\r\nHost: ${edge.expose("early", target.port)}\r\n${fields}\r\nearly`);
  const seen = await target.next();
  seen.answer(`${switching(seen.head)}hello`);
  await client.sees("hello");
  await seen.sees("early");
  client.send("more");
  await seen.sees("earlymore");
  client.endOwnSide();
  await until(() => seen.isOver());
  seen.answer("last");
  await client.sees("last");
  seen.end();
  expect(await client.over()).toBe("ended");
  target.stop();
});

const ASKING =
  "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n";
/** RFC 6455 §1.3 */
const ACCEPT = "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n";

test.each([
  ["without a word of an upgrade", ACCEPT],
  ["to another protocol", `Connection: Upgrade\r\nUpgrade: h2c\r\n${ACCEPT}`],
  ["to two protocols", `Connection: Upgrade\r\nUpgrade: websocket, h2c\r\n${ACCEPT}`],
  ["whose Connection says nothing of it", `Connection: keep-alive\r\nUpgrade: websocket\r\n${ACCEPT}`],
  ["that accepts no key", "Connection: Upgrade\r\nUpgrade: websocket\r\n"],
  [
    "that accepts another key",
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: HSmrc0sMlYUkAGmm5OPpG2HaGWk=\r\n",
  ],
  ["that accepts two keys", `Connection: Upgrade\r\nUpgrade: websocket\r\n${ACCEPT}${ACCEPT}`],
])("a change of protocol %s is a 502, and no bytes pass", async (_name, fields) => {
  const target = rawTarget();
  const client = await edge.raw();
  client.send(`GET / HTTP/1.1\r\nHost: ${edge.expose("changes", target.port)}\r\n${ASKING}\r\n`);
  const seen = await target.next();
  seen.answer(`HTTP/1.1 101 Switching Protocols\r\n${fields}\r\ntunnelled`);
  expect((await client.response()).status).toBe(502);
  expect(client.text).not.toContain("tunnelled");
  await until(() => seen.isOver());
  target.stop();
});

test("a refusal of a WebSocket passes like any answer, and what came after the request reaches nobody", async () => {
  const target = rawTarget();
  const client = await edge.raw();
  const host = edge.expose("refuses", target.port);
  client.send(
    `GET / HTTP/1.1\r\nHost: ${host}\r\n${ASKING}\r\nGET /smuggled HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
  );
  const seen = await target.next();
  seen.answer("HTTP/1.1 426 Upgrade Required\r\nContent-Length: 2\r\n\r\nno");
  expect(await client.over()).toBe("ended");
  expect(client.text).toStartWith("HTTP/1.1 426 ");
  expect(client.text.match(/HTTP\/1\.1 \d/g)).toHaveLength(1);
  expect(seen.bodyBytes).toBe(0);
  target.stop();
});

test.each([
  ["h2c", "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n"],
  [
    "settings of h2c that Connection does not name",
    "Connection: Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n",
  ],
  ["a choice of protocols", ASKING.replace("Upgrade: websocket", "Upgrade: websocket, h2c")],
  ["two wishes", `${ASKING}Upgrade: h2c\r\n`],
  ["a WebSocket with a body", `${ASKING}Content-Length: 3\r\n`],
  ["a WebSocket without a key", ASKING.replace(/Sec-WebSocket-Key.*\r\n/, "")],
  ["a WebSocket with two keys", `${ASKING}Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n`],
  ["a WebSocket with a key that is none", ASKING.replace("dGhlIHNhbXBsZSBub25jZQ==", "x")],
  ["a WebSocket that Connection does not name", ASKING.replace("Connection: Upgrade", "Connection: close")],
])("a wish for %s stays here, and a target that grants it nonetheless is a 502", async (_name, fields) => {
  const target = rawTarget();
  const client = await edge.raw();
  client.send(`GET / HTTP/1.1\r\nHost: ${edge.expose("wishes", target.port)}\r\n${fields}\r\nabc`);
  const seen = await target.next();
  expect(seen.head).not.toMatch(/^(connection|upgrade|http2-settings):/im);
  seen.answer(`HTTP/1.1 101 X\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${ACCEPT}\r\n`);
  expect((await client.response()).status).toBe(502);
  target.stop();
});

test("a thousand of them lose no frame while names come, change and go, and those of a name that goes end", async () => {
  const stays = edge.expose("stays", echo.port ?? 0);
  const goes = edge.expose("goes", echo.port ?? 0);
  const moves = edge.expose("moves", echo.port ?? 0);
  const COUNT = 1_000;
  const OTHERS = 25;
  const openMany = async (host: string, count: number) => {
    const opened: Opened[] = [];
    while (opened.length < count) {
      opened.push(...(await Promise.all(Array.from({ length: 25 }, () => open(host, [], false)))));
    }
    return opened;
  };
  const staying = await openMany(stays, COUNT);
  const going = await openMany(goes, OTHERS);
  const moving = await openMany(moves, OTHERS);
  expect([...staying, ...going, ...moving].filter(({ closed }) => closed !== null)).toEqual([]);

  // Every socket has frames on their way at every change.
  const ROUNDS = 20;
  for (let round = 0; round < ROUNDS; round++) {
    for (const { socket } of staying) socket.send(`${round}`);
    for (let n = 0; n < 10; n++) {
      const host = edge.expose(`name-${n}`, echo.port ?? 0, { enabled: (round + n) % 3 !== 0 });
      if ((round + n) % 7 === 0) edge.aliases.delete(host.slice(0, -HOSTS.length - 1));
    }
    if (round === 5) edge.aliases.delete("goes");
    if (round === 10) edge.expose("moves", (echo.port ?? 0) - 1);
    // Its own entry comes again, and leads where it led.
    const own = edge.aliases.get("stays");
    if (own !== undefined) edge.aliases.set("stays", { ...own, revision: own.revision + round });
    await until(() => staying.every(({ heard }) => heard.length >= round));
  }
  await until(() => [...going, ...moving].every(({ closed }) => closed !== null));
  await until(() => staying.every(({ heard, closed }) => heard.length >= ROUNDS || closed !== null));
  const expected = Array.from({ length: ROUNDS }, (_, round) => `${round}`).join();
  expect(new Set(staying.map(({ heard }) => heard.join()))).toEqual(new Set([expected]));
  expect(staying.filter(({ closed }) => closed !== null)).toEqual([]);
  for (const { socket } of staying) socket.close();
  await until(() => edge.edge.connections === 0);
});
