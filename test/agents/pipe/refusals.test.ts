import { describe, expect, test } from "bun:test";
import { until } from "../../harness/until.ts";
import { linesOf, startPipe } from "./pipe-server.ts";

const pipe = startPipe();
const peers = (count: number) => until(() => pipe.service.pipes.peers === count);

describe("n", () => {
  test.each(["0", "-1", "257", "1000", "1.5", "01", "0x2", "1e1", "", "%201", "two", "2&n=2"])(
    "n=%s is 400 for both, and no place is taken",
    async (n) => {
      const path = `${pipe.path()}?n=${n}`;
      expect((await (await pipe.request("GET", path)).response()).status).toBe(400);
      expect((await (await pipe.request("POST", path, ["Content-Length: 0"])).response()).status).toBe(400);
      await pipe.isFree();
    },
  );

  test("a receiver of another n is refused, with both numbers, and the sender goes on", async () => {
    const path = pipe.path();
    const sender = (await pipe.request("POST", `${path}?n=2`, ["Content-Length: 5"])).send("hello");
    await sender.sees("Waiting");
    const refused = await (await pipe.request("GET", `${path}?n=3`)).response();
    expect(refused.status).toBe(400);
    expect(refused.body.toString()).toMatch(/n=2.*n=3/);
    const receivers = await Promise.all([1, 2].map(() => pipe.request("GET", `${path}?n=2`)));
    for (const receiver of receivers) expect((await receiver.response()).body.toString()).toBe("hello");
    expect(linesOf((await sender.response()).body).at(-1)).toBe("[INFO] Transfer complete.");
  });

  test("a sender of another n than the receivers' is refused, and they go on", async () => {
    const path = pipe.path();
    const receiver = await pipe.request("GET", path);
    await peers(1);
    const refused = await (await pipe.request("POST", `${path}?n=2`, ["Content-Length: 0"])).response();
    expect(refused.status).toBe(400);
    expect(refused.body.toString()).toMatch(/n=1.*n=2/);
    (await pipe.request("POST", path, ["Content-Length: 5"])).send("hello");
    expect((await receiver.response()).body.toString()).toBe("hello");
  });

  test("one receiver too many is refused, with both numbers, and the others go on", async () => {
    const path = `${pipe.path()}?n=2`;
    const receivers = await Promise.all([1, 2].map(() => pipe.request("GET", path)));
    await peers(2);
    const refused = await (await pipe.request("GET", path)).response();
    expect(refused.status).toBe(400);
    expect(refused.body.toString()).toMatch(/2.*3/);
    (await pipe.request("POST", path, ["Content-Length: 5"])).send("hello");
    for (const receiver of receivers) expect((await receiver.response()).body.toString()).toBe("hello");
  });
});

test("a second sender is refused, waiting or streaming, and the transfer is unharmed", async () => {
  const path = pipe.path();
  const sender = await pipe.request("POST", path, ["Content-Length: 10"]);
  await sender.sees("Waiting");
  const second = () => pipe.request("POST", path, ["Content-Length: 5"]);
  expect((await (await second()).send("other").response()).status).toBe(400);
  const receiver = await pipe.request("GET", path);
  sender.send("hello");
  await receiver.sees("hello");
  expect((await (await second()).send("other").response()).status).toBe(400);
  expect((await (await pipe.request("GET", path)).response()).status).toBe(400);
  sender.send("world");
  expect((await receiver.response()).body.toString()).toBe("helloworld");
});

describe("a path", () => {
  test("has 1024 characters, and not one more", async () => {
    const sender = await pipe.request("POST", `/api/v1/pipe/${"a".repeat(1024)}`, ["Content-Length: 0"]);
    await sender.sees("Waiting");
    sender.reset();
    const long = `/api/v1/pipe/${"a".repeat(1025)}`;
    expect((await (await pipe.request("POST", long, ["Content-Length: 0"])).response()).status).toBe(400);
    expect((await (await pipe.request("GET", long)).response()).status).toBe(400);
  });

  test("has 1024 characters of any kind", async () => {
    const of = (count: number) => `/api/v1/pipe/${encodeURIComponent("😀".repeat(count))}`;
    const sender = await pipe.request("POST", of(1024), ["Content-Length: 0"]);
    await sender.sees("Waiting");
    sender.reset();
    expect((await (await pipe.request("GET", of(1025))).response()).status).toBe(400);
  });

  test.each(["", "/", "/help", "/noscript", "/favicon.ico", "/robots.txt", "/%68elp"])(
    "%j is reserved",
    async (path) => {
      for (const method of ["POST", "PUT"]) {
        const sender = await pipe.request(method, `/api/v1/pipe${path}`, ["Content-Length: 0"]);
        const { status, body } = await sender.response();
        expect(status).toBe(400);
        expect(body.toString()).toContain("reserved");
      }
    },
  );

  test.each(["/", "/help", "/noscript", "/favicon.ico", "/robots.txt"])(
    "%s takes nothing at the root either",
    async (path) => {
      expect((await (await pipe.request("POST", path, ["Content-Length: 0"])).response()).status).toBe(400);
    },
  );

  test("of another prefix is 404, and says where pipes are", async () => {
    const { status, body } = await (await pipe.request("GET", "/something")).response();
    expect(status).toBe(404);
    expect(body.toString()).toContain("/api/v1/pipe/");
  });
});

test.each([
  ["DELETE", [], 405],
  ["PATCH", ["Content-Length: 0"], 405],
  ["POST", ["Content-Length: 5", "Content-Range: bytes 0-4/10"], 400],
  ["GET", ["Service-Worker: script"], 400],
  ["GET", ["Content-Length: 5"], 400],
] as const)("%s with %j is %i", async (method, lines, status) => {
  const response = await (await pipe.request(method, pipe.path(), lines)).response();
  expect(response.status).toBe(status);
  if (status === 405) expect(response.headers.get("allow")).toBe("GET, POST, PUT, OPTIONS");
  await pipe.isFree();
});

test("HEAD is 405 with Allow, and has no body", async () => {
  const client = await pipe.request("HEAD", pipe.path());
  await client.sees("\r\n\r\n");
  expect(client.text).toStartWith("HTTP/1.1 405 ");
  expect(client.text).toContain("\r\nAllow: GET, POST, PUT, OPTIONS\r\n");
  client.send("GET /help HTTP/1.1\r\nHost: a\r\n\r\n");
  await client.sees("200 OK");
  expect(client.text).toMatch(/\r\n\r\nHTTP\/1\.1 200 OK/);
});

test.each(["video", "progress", "download"])("?%s=maybe is 400", async (name) => {
  const response = await (await pipe.request("GET", `${pipe.path()}?${name}=maybe`)).response();
  expect(response.status).toBe(400);
  expect(response.body.toString()).toContain(name);
});

describe("a connection is used again after a refusal", () => {
  test.each([
    ["GET", "?n=0", [], ""],
    ["POST", "?n=0", ["Content-Length: 5"], "12345"],
    ["POST", "?n=0", ["Content-Length: 60000"], "x".repeat(60_000)],
  ] as const)("%s %s %j", async (method, query, lines, body) => {
    const client = await pipe.request(method, `${pipe.path()}${query}`, lines);
    client.send(body);
    expect((await client.next()).status).toBe(400);
    client.send("GET /help HTTP/1.1\r\nHost: a\r\n\r\n");
    expect((await client.next()).status).toBe(200);
  });

  test("but not when a large or endless body would have to be read for it", async () => {
    for (const line of ["Content-Length: 100000000", "Transfer-Encoding: chunked"]) {
      const client = await pipe.request("POST", `${pipe.path()}?n=0`, [line]);
      const { status, headers } = await client.response();
      expect([status, headers.get("connection")]).toEqual([400, "close"]);
      expect(await client.over()).toBe("ended");
    }
  });
});

test("a request that can't be read is answered, and its connection ends", async () => {
  const client = (await pipe.connect()).send(
    "GET / HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
  );
  const { status, headers } = await client.response();
  expect([status, headers.get("connection")]).toEqual([400, "close"]);
  expect(await client.over()).toBe("ended");
  expect(client.text.match(/HTTP\/1\.1/g)).toHaveLength(1);
});
