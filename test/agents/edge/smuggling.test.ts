import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ERROR_STATUS, type ErrorCode } from "../../../schemas/errors.ts";
import { type EdgeUnderTest, startEdge } from "./edge-under-test.ts";
import { type RawTarget, rawTarget } from "./raw-target.ts";

/** What two readers could understand in two ways never reaches the second one. */

let edge: EdgeUnderTest;
let target: RawTarget;
beforeAll(async () => {
  edge = await startEdge();
  target = rawTarget();
  edge.expose("app", target.port);
});
afterAll(async () => {
  await edge[Symbol.asyncDispose]();
  target.stop();
});

const HOST = "Host: app.node-1.berth.localhost";
const NEXT = `GET /smuggled HTTP/1.1\r\n${HOST}\r\n\r\n`;

const REFUSED: [string, string, number][] = [
  [
    "a length and chunks",
    `POST / HTTP/1.1\r\n${HOST}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${NEXT}`,
    400,
  ],
  [
    "chunks and a length",
    `POST / HTTP/1.1\r\n${HOST}\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${NEXT}`,
    400,
  ],
  [
    "two lengths",
    `POST / HTTP/1.1\r\n${HOST}\r\nContent-Length: 0\r\nContent-Length: 50\r\n\r\n${NEXT}`,
    400,
  ],
  [
    "the same length twice",
    `POST / HTTP/1.1\r\n${HOST}\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n${NEXT}`,
    400,
  ],
  ["a list of lengths", `POST / HTTP/1.1\r\n${HOST}\r\nContent-Length: 0, 50\r\n\r\n${NEXT}`, 400],
  ["a signed length", `POST / HTTP/1.1\r\n${HOST}\r\nContent-Length: +4\r\n\r\nabcd`, 400],
  ["a hexadecimal length", `POST / HTTP/1.1\r\n${HOST}\r\nContent-Length: 0x4\r\n\r\nabcd`, 400],
  [
    "a length too large to count",
    `POST / HTTP/1.1\r\n${HOST}\r\nContent-Length: 99999999999999999999\r\n\r\n`,
    400,
  ],
  [
    "a folded field",
    `POST / HTTP/1.1\r\n${HOST}\r\nX: a\r\n Transfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n${NEXT}`,
    400,
  ],
  [
    "a space before the colon",
    `POST / HTTP/1.1\r\n${HOST}\r\nTransfer-Encoding : chunked\r\nContent-Length: 0\r\n\r\n${NEXT}`,
    400,
  ],
  ["a tab before the colon", `POST / HTTP/1.1\r\n${HOST}\r\nContent-Length\t: 4\r\n\r\nabcd`, 400],
  ["a field without a name", `GET / HTTP/1.1\r\n${HOST}\r\n: x\r\n\r\n`, 400],
  ["lines that end with LF alone", `GET / HTTP/1.1\n${HOST}\n\n${NEXT}`, 400],
  ["one line that ends with LF alone", `GET / HTTP/1.1\r\n${HOST}\nX: a\r\n\r\n${NEXT}`, 400],
  ["a CR in a value", `GET / HTTP/1.1\r\n${HOST}\r\nX: a\rTransfer-Encoding: chunked\r\n\r\n`, 400],
  ["a NUL in a value", `GET / HTTP/1.1\r\n${HOST}\r\nX: a\0b\r\n\r\n`, 400],
  ["a control character in a value", `GET / HTTP/1.1\r\n${HOST}\r\nX: a\x0bb\r\n\r\n`, 400],
  ["a control character before a value", `GET / HTTP/1.1\r\n${HOST}\r\nX:\x1f a\r\n\r\n`, 400],
  ["a DEL in a value", `GET / HTTP/1.1\r\n${HOST}\r\nX: a\x7f\r\n\r\n`, 400],
  [
    "another coding before chunks",
    `POST / HTTP/1.1\r\n${HOST}\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n${NEXT}`,
    501,
  ],
  [
    "chunks that are not the last coding",
    `POST / HTTP/1.1\r\n${HOST}\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${NEXT}`,
    501,
  ],
  [
    "chunks twice",
    `POST / HTTP/1.1\r\n${HOST}\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${NEXT}`,
    501,
  ],
  [
    "a coding in disguise",
    `POST / HTTP/1.1\r\n${HOST}\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${NEXT}`,
    501,
  ],
  [
    "chunks of HTTP/1.0",
    `POST / HTTP/1.0\r\n${HOST}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${NEXT}`,
    400,
  ],
  ["two hosts", `GET / HTTP/1.1\r\n${HOST}\r\nHost: other\r\n\r\n`, 400],
  ["no host", "GET / HTTP/1.1\r\nX: a\r\n\r\n", 400],
  [
    "a host in the path that is another",
    `GET http://other.node-1.berth.localhost/ HTTP/1.1\r\n${HOST}\r\n\r\n`,
    400,
  ],
  ["a space in the path", `GET / x HTTP/1.1\r\n${HOST}\r\n\r\n`, 400],
  ["a host without a version's duty, twice", `GET / HTTP/1.0\r\n${HOST}\r\n${HOST}\r\n\r\n`, 400],
  [
    "a way through",
    "CONNECT app.node-1.berth.localhost:80 HTTP/1.1\r\nHost: app.node-1.berth.localhost:80\r\n\r\n",
    400,
  ],
  ["a path that is an address", `GET app.node-1.berth.localhost/ HTTP/1.1\r\n${HOST}\r\n\r\n`, 400],
  ["another scheme", `GET ftp://app.node-1.berth.localhost/ HTTP/1.1\r\n${HOST}\r\n\r\n`, 400],
  [
    "a user in the host of the path",
    `GET http://app.node-1.berth.localhost@evil/ HTTP/1.1\r\n${HOST}\r\n\r\n`,
    400,
  ],
  [
    "a byte beyond ASCII in a field's name",
    `GET / HTTP/1.1\r\n${HOST}\r\nTransfer-Encod\xefng: chunked\r\n\r\n`,
    400,
  ],
  ["a NUL in a field's name", `GET / HTTP/1.1\r\n${HOST}\r\nX\0: a\r\n\r\n`, 400],
  ["a NUL in the path", `GET /\0 HTTP/1.1\r\n${HOST}\r\n\r\n`, 400],
  ["an identity coding", `POST / HTTP/1.1\r\n${HOST}\r\nTransfer-Encoding: identity\r\n\r\n`, 501],
  [
    "chunks twice in one field",
    `POST / HTTP/1.1\r\n${HOST}\r\nTransfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n${NEXT}`,
    501,
  ],
  ["another version", `GET / HTTP/1.2\r\n${HOST}\r\n\r\n`, 505],
];

test.each(REFUSED)(
  "%s is refused, and what follows is never read as a request",
  async (_name, text, status) => {
    const client = await edge.raw();
    client.send(text);
    expect(await client.over()).toBe("ended");
    expect(client.text).toStartWith(`HTTP/1.1 ${status} `);
    expect(client.text.match(/HTTP\/1\.1 \d/g)).toHaveLength(1);
    // The code is one of that status.
    const { code } = JSON.parse(client.text.slice(client.text.indexOf("{")));
    expect<number>(ERROR_STATUS[code as ErrorCode]).toBe(status);
  },
);

test.each([
  ["a size that is none", "xyz\r\nabc\r\n0\r\n\r\n"],
  ["a signed size", "-3\r\nabc\r\n0\r\n\r\n"],
  ["a size with a prefix", "0x3\r\nabc\r\n0\r\n\r\n"],
  ["a size too large to count", "ffffffffffffffffff\r\nabc"],
  ["a space before the size", " 3\r\nabc\r\n0\r\n\r\n"],
  ["a chunk that is longer than its size", "3\r\nabcd\r\n0\r\n\r\n"],
  ["a size line that ends with LF alone", "3\nabc\r\n0\r\n\r\n"],
  ["an extension without an end", `3;${"a".repeat(2_000)}`],
  ["an extension without a name", "3;\r\nabc\r\n0\r\n\r\n"],
  ["a control character in an extension", "3;a=\x01\r\nabc\r\n0\r\n\r\n"],
  ["a trailer without a name", "3\r\nabc\r\n0\r\n: x\r\n\r\n"],
  ["a trailer that is no field", "3\r\nabc\r\n0\r\nGET / HTTP/1.1\r\n\r\n"],
  ["a length in a trailer", "3\r\nabc\r\n0\r\nContent-Length: 3\r\n\r\n"],
])("%s in a chunked body ends the request at both sides", async (_name, body) => {
  const client = await edge.raw();
  client.send(`POST / HTTP/1.1\r\n${HOST}\r\nTransfer-Encoding: chunked\r\n\r\n`);
  const seen = await target.next();
  client.send(`${body}${NEXT}`);
  expect(await client.over()).toBe("ended");
  expect(client.text).toStartWith("HTTP/1.1 400 ");
  expect(client.text.match(/HTTP\/1\.1 \d/g)).toHaveLength(1);
  expect(seen.isOver()).toBe(true);
});

describe("answers of a target that would speak to the next client", () => {
  const ask = async (answer: string) => {
    const client = await edge.raw();
    client.send(`GET / HTTP/1.1\r\n${HOST}\r\n\r\n`);
    const seen = await target.next();
    seen.answer(answer);
    return { client, seen };
  };

  test.each([
    ["two lengths", "Content-Length: 2\r\nContent-Length: 3\r\n\r\nabc"],
    ["a length and chunks", "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"],
    ["an unknown coding", "Transfer-Encoding: gzip\r\n\r\nabc"],
    ["a folded field", "X: a\r\n b\r\nContent-Length: 0\r\n\r\n"],
    ["a bare LF", "X: a\nY: b\r\nContent-Length: 0\r\n\r\n"],
    ["a coding that is not one", "Transfer-Encoding: identity\r\n\r\nabc"],
    ["chunks in chunks", "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n"],
    ["a signed length", "Content-Length: +3\r\n\r\nabc"],
    ["a list of lengths", "Content-Length: 3, 3\r\n\r\nabc"],
    ["a NUL in a value", "X: a\0\r\nContent-Length: 0\r\n\r\n"],
    ["a space before the colon", "Content-Length : 0\r\n\r\n"],
  ])("%s are a 502", async (_name, rest) => {
    const { client } = await ask(`HTTP/1.1 200 OK\r\n${rest}`);
    expect((await client.next()).status).toBe(502);
  });

  test("chunks of a target that speaks HTTP/1.0 are a 502", async () => {
    const { client } = await ask("HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    expect((await client.next()).status).toBe(502);
  });

  test("what comes after an answer is nobody's, and its connection is not used again", async () => {
    const extra = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison";
    const { client, seen } = await ask(`HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok${extra}`);
    expect((await client.next()).body.toString()).toBe("ok");
    const { client: next, seen: other } = await ask("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nmine");
    expect((await next.next()).body.toString()).toBe("mine");
    expect(other.connection).not.toBe(seen.connection);
  });

  test("a change of protocol that nobody asked for is a 502", async () => {
    const { client } = await ask(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    );
    expect((await client.next()).status).toBe(502);
  });
});
