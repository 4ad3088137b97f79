import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { METHODS } from "node:http";
import { sendRaw } from "./raw-http.ts";
import { startMadeUpApp } from "./sample-app.ts";

let app: Awaited<ReturnType<typeof startMadeUpApp>>;
beforeAll(async () => {
  app = await startMadeUpApp();
});
afterAll(async () => {
  expect(app.logged).toEqual([]);
  await app.stop();
});

const JSON_HEAD = "POST /api/v1/boats HTTP/1.1\r\nHost: b\r\nContent-Type: application/json\r\n";
const boat = '{"name":"Argo","masts":1}';
const signedIn = () => `Authorization: Bearer ${app.token}\r\n`;

describe("answered in the envelope", () => {
  const cases: [string, number, () => string][] = [
    [
      "an empty chunked body",
      400,
      () => `${JSON_HEAD}${signedIn()}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      "a length of ten gigabytes",
      413,
      () => `${JSON_HEAD}${signedIn()}Content-Length: 9999999999\r\n\r\n${boat}`,
    ],
    [
      "two content types",
      415,
      () => `${JSON_HEAD}${signedIn()}Content-Type: text/plain\r\nContent-Length: 25\r\n\r\n${boat}`,
    ],
    ["two hosts", 400, () => `GET /api/v1/boats HTTP/1.1\r\nHost: b\r\nhost: other\r\n${signedIn()}\r\n`],
    [
      "two authorizations",
      401,
      () => `GET /api/v1/boats HTTP/1.1\r\nHost: b\r\n${signedIn()}${signedIn()}\r\n`,
    ],
    [
      "an authorization of odd bytes",
      401,
      () => "GET /api/v1/boats HTTP/1.1\r\nHost: b\r\nAuthorization: Bearer \xff\r\n\r\n",
    ],
    ["a path of odd bytes", 404, () => `GET /api/v1/boats/\xff\xfe HTTP/1.1\r\nHost: b\r\n${signedIn()}\r\n`],
    [
      "a path that climbs",
      404,
      () => `GET /api/v1/boats/..%2f..%2fetc HTTP/1.1\r\nHost: b\r\n${signedIn()}\r\n`,
    ],
    [
      "a path with an encoded letter",
      404,
      () => `GET /api/v1/b%6Fats HTTP/1.1\r\nHost: b\r\n${signedIn()}\r\n`,
    ],
    [
      "five thousand query keys",
      400,
      () => `GET /api/v1/boats?${"a&".repeat(5000)} HTTP/1.1\r\nHost: b\r\n${signedIn()}\r\n`,
    ],
    [
      "a websocket's handshake",
      200,
      () =>
        `GET /api/v1/boats HTTP/1.1\r\nHost: b\r\n${signedIn()}Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n`,
    ],
    [
      "an absolute URL of another host",
      200,
      () => `GET http://other/api/v1/boats HTTP/1.1\r\nHost: b\r\n${signedIn()}\r\n`,
    ],
    ["a host that is a path", 401, () => "GET /api/v1/boats HTTP/1.1\r\nHost: b/health/live?\r\n\r\n"],
    ["HTTP/1.0 without a host", 200, () => `GET /api/v1/boats HTTP/1.0\r\n${signedIn()}\r\n`],
    ["TRACE", 405, () => "TRACE /api/v1/boats HTTP/1.1\r\nHost: b\r\n\r\n"],
    ["CONNECT", 404, () => "CONNECT other:80 HTTP/1.1\r\nHost: other\r\n\r\n"],
    [
      "sixty thousand unknown keys",
      400,
      () => {
        const body = `{${Array.from({ length: 60_000 }, (_, i) => `"k${i}":${i}`).join()}}`;
        return `${JSON_HEAD}${signedIn()}Content-Length: ${body.length}\r\n\r\n${body}`;
      },
    ],
  ];
  test.each(cases)("%s: %i", async (_, status, request) => {
    const answer = await sendRaw(app.port, request());
    expect(answer.status).toBe(status);
    expect(answer.text).toMatch(/x-request-id: [0-9a-f]{8}-/);
    expect(JSON.parse(answer.text.slice(answer.text.indexOf("\r\n\r\n")))).toMatchObject({
      statusCode: status,
    });
  });
});

/** Bun's own parser refuses these before any code of ours runs: no body and no request id, and the connection ends. */
describe("refused by the server itself", () => {
  const cases: [string, number, () => string][] = [
    [
      "a chunk without a size",
      400,
      () => `${JSON_HEAD}${signedIn()}Transfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n`,
    ],
    [
      "a chunk beyond all bounds",
      400,
      () => `${JSON_HEAD}${signedIn()}Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nhello`,
    ],
    [
      "a length and chunks",
      400,
      () => `${JSON_HEAD}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ["two lengths", 400, () => `${JSON_HEAD}Content-Length: 25\r\nContent-Length: 5\r\n\r\n${boat}`],
    ["a length that is no number", 400, () => `${JSON_HEAD}Content-Length: 0x16\r\n\r\n${boat}`],
    ["a negative length", 400, () => `${JSON_HEAD}Content-Length: -1\r\n\r\n${boat}`],
    ["a compressed transfer", 400, () => `${JSON_HEAD}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
    ["a folded header", 400, () => "GET / HTTP/1.1\r\nHost: b\r\nX-A: b\r\n c\r\n\r\n"],
    ["a control character in a header", 400, () => "GET / HTTP/1.1\r\nHost: b\r\nX-A: b\x01\r\n\r\n"],
    ["a space before a header's colon", 400, () => "GET / HTTP/1.1\r\nHost: b\r\nX-A : b\r\n\r\n"],
    ["no host", 400, () => "GET / HTTP/1.1\r\n\r\n"],
    ["a header of 100 kB", 431, () => `GET / HTTP/1.1\r\nHost: b\r\nX-A: ${"a".repeat(100_000)}\r\n\r\n`],
    ["a URL of 30 kB", 431, () => `GET /${"a".repeat(30_000)} HTTP/1.1\r\nHost: b\r\n\r\n`],
    ["HTTP/3 in plain text", 505, () => "GET / HTTP/3.0\r\nHost: b\r\n\r\n"],
    ["a TLS handshake", 400, () => "\x16\x03\x01\x00\x05\x01\x00\x00\x01\x00"],
    ["an unknown method, without an answer", 0, () => "BREW /api/v1/boats HTTP/1.1\r\nHost: b\r\n\r\n"],
  ];
  test.each(cases)("%s: %i", async (_, status, request) => {
    expect((await sendRaw(app.port, request())).status).toBe(status);
    expect((await app.request("/health/live")).status).toBe(200);
  });
});

test("a caller that leaves in the middle of its body is no fault of ours", async () => {
  const { promise: left, resolve } = Promise.withResolvers<void>();
  await Bun.connect({
    hostname: "127.0.0.1",
    port: app.port,
    socket: {
      open(socket) {
        socket.write(`${JSON_HEAD}${signedIn()}Content-Length: 100\r\n\r\n${boat}`);
        socket.end();
      },
      data() {},
      close: () => resolve(),
    },
  });
  await left;
  expect((await app.request("/health/live")).status).toBe(200);
});

test.each(METHODS.filter((method) => method !== "HEAD"))(
  "%s, where no route has it, is answered in the envelope",
  async (method) => {
    for (const [path, status] of [
      ["/health/live", method === "GET" ? 200 : 405],
      ["/nowhere", 404],
    ] as const) {
      const { text, status: answered } = await sendRaw(
        app.port,
        `${method} ${path} HTTP/1.1\r\nHost: b\r\n\r\n`,
      );
      expect([method, path, answered]).toEqual([method, path, status]);
      if (status !== 200)
        expect(JSON.parse(text.slice(text.indexOf("\r\n\r\n")))).toMatchObject({ statusCode: status });
    }
  },
);
