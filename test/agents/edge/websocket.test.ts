import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { until } from "../../harness/until.ts";
import { type EdgeUnderTest, HOSTS, startEdge } from "./edge-under-test.ts";
import { rawTarget } from "./raw-target.ts";

setDefaultTimeout(60_000);

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
  await until(() => socket.readyState === WebSocket.OPEN || opened.closed, { timeoutMs: 20_000 });
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
  const key = /sec-websocket-key: (\S+)/i.exec(seen.head)?.[1];
  const accept = new Bun.CryptoHasher("sha1")
    .update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest("base64");
  seen.answer(
    `HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
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
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\n";
  client.send(`GET / HTTP/1.1\r\nHost: ${edge.expose("early", target.port)}\r\n${fields}\r\nearly`);
  const seen = await target.next();
  seen.answer("HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nhello");
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

test("a thousand of them go on while names come, change and go, and those of a name that goes end", async () => {
  const stays = edge.expose("stays", echo.port ?? 0);
  const goes = edge.expose("goes", echo.port ?? 0);
  const staying: Opened[] = [];
  const going: Opened[] = [];
  const COUNT = 1_000;
  const GOING = 50;
  for (let at = 0; at < COUNT; at += 50) {
    staying.push(...(await Promise.all(Array.from({ length: 50 }, () => open(stays, [], false)))));
  }
  going.push(...(await Promise.all(Array.from({ length: GOING }, () => open(goes, [], false)))));
  expect([...staying, ...going].filter(({ closed }) => closed !== null)).toEqual([]);

  for (let round = 0; round < 200; round++) {
    const host = edge.expose(`name-${round % 20}`, echo.port ?? 0, { enabled: round % 3 !== 0 });
    if (round % 7 === 0) edge.aliases.delete(host.slice(0, -HOSTS.length - 1));
    for (let n = 0; n < 5; n++) staying[(round * 5 + n) % COUNT]?.socket.send(`${round}`);
  }
  edge.aliases.delete("goes");
  await until(() => staying.every(({ heard }) => heard.length === 1), { timeoutMs: 30_000 });
  await until(() => going.every(({ closed }) => closed !== null), { timeoutMs: 30_000 });
  for (const { socket } of staying) socket.send("still");
  await until(() => staying.every(({ heard }) => heard.at(-1) === "still"), { timeoutMs: 30_000 });
  expect(staying.filter(({ closed }) => closed !== null)).toEqual([]);
  for (const { socket } of staying) socket.close();
  await until(() => edge.edge.connections === 0, { timeoutMs: 30_000 });
});
