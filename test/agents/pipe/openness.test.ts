import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Refusal } from "../../../agents/http1/refusal.ts";
import { startPipe } from "./pipe-server.ts";

const pipe = startPipe();

describe("preflight", () => {
  const preflight = async (lines: readonly string[]) =>
    (await pipe.request("OPTIONS", pipe.path(), ["Access-Control-Request-Method: PUT", ...lines])).response();

  test("of an origin", async () => {
    const { status, headers } = await preflight(["Origin: https://app.test"]);
    expect(status).toBe(204);
    expect(headers.get("access-control-allow-origin")).toBe("https://app.test");
    expect(headers.get("access-control-allow-credentials")).toBe("true");
    expect(headers.get("access-control-allow-methods")).toBe("GET, POST, PUT, OPTIONS");
    expect(headers.get("access-control-allow-headers")).toBe(
      "Content-Type, Content-Disposition, Authorization, X-Piping, X-Service-Pipe",
    );
    expect(headers.get("access-control-max-age")).toBe("86400");
    expect(headers.has("access-control-allow-private-network")).toBe(false);
    expect(headers.get("vary")).toContain("Origin");
  });

  test.each([[[]], [["Origin: null"]]])("of no origin (%j)", async (lines) => {
    const { headers } = await preflight(lines);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.has("access-control-allow-credentials")).toBe(false);
  });

  test("of a private network", async () => {
    const { headers } = await preflight([
      "Origin: https://a.test",
      "Access-Control-Request-Private-Network: true",
    ]);
    expect(headers.get("access-control-allow-private-network")).toBe("true");
  });
});

test.each([
  ["GET", "?n=0"],
  ["GET", "?progress"],
  ["HEAD", ""],
  ["POST", ""],
])("%s %s carries CORS, Vary and what every response has", async (method, query) => {
  const client = await pipe.request(method, `${pipe.path()}${query}`, ["Origin: https://app.test"]);
  await client.sees("\r\n\r\n");
  expect(client.text).toContain("Access-Control-Allow-Origin: https://app.test\r\n");
  expect(client.text).toContain("Access-Control-Allow-Credentials: true\r\n");
  expect(client.text).toMatch(/\r\nVary: .*Origin/);
  expect(client.text).toContain("X-Robots-Tag: none\r\n");
  expect(client.text).toContain("X-Content-Type-Options: nosniff\r\n");
  client.reset();
});

test.each([
  [400, ["GET /x HTTP/1.1", "no colon"]],
  [408, ["GET /x HTTP/1.1", "Origin: https://app.test", "unfinished: "]],
  [411, ["POST /x HTTP/1.0"]],
  [431, ["GET /x HTTP/1.1", `Long: ${"x".repeat(50_000)}`]],
  [501, ["POST /x HTTP/1.1", "Transfer-Encoding: gzip"]],
  [505, ["GET /x HTTP/3.0"]],
])("a request that can't be read (%i) is answered so that a page may see why", async (status, lines) => {
  const hasty = startPipe({ limits: { headMs: 200, sweepMs: 20 } });
  const client = await hasty.connect();
  const end = status === 408 ? "" : "\r\nHost: a\r\nOrigin: https://app.test\r\n\r\n";
  const response = await client.send(`${lines.join("\r\n")}${end}`).response();
  expect(response.status).toBe(status);
  expect(response.headers.get("access-control-allow-origin")).toBe("https://app.test");
  expect(response.headers.get("access-control-allow-credentials")).toBe("true");
  expect(response.headers.get("vary")).toBe("Origin");
});

test("a request that can't be read and has no one Origin may be seen by any", async () => {
  for (const origins of ["", "Origin: https://a.test\r\nOrigin: https://b.test\r\n", "Origin: a b\r\n"]) {
    const client = (await pipe.connect()).send(`GET /x HTTP/1.1\r\n${origins}no colon\r\n\r\n`);
    expect((await client.response()).headers.get("access-control-allow-origin")).toBe("*");
  }
});

describe("health", () => {
  test("is the record of the spec", async () => {
    const { status, headers, body } = await (
      await pipe.request("GET", "/api/v1/pipe/health", ["User-Agent: test/1"])
    ).response();
    expect([status, headers.get("content-type")]).toEqual([200, "application/json"]);
    const record = JSON.parse(body.toString());
    expect(Object.keys(record)).toEqual([
      "status",
      "service",
      "built",
      "started",
      "memory",
      "fds",
      "pid",
      "ip",
      "userAgent",
    ]);
    expect([record.status, record.service, record.pid]).toEqual(["ok", "pipe", process.pid]);
    expect([record.ip, record.userAgent]).toEqual(["127.0.0.1", "test/1"]);
    for (const time of [record.built, record.started]) expect(new Date(time).toISOString()).toBe(time);
    // Of the process that is told of, and of the newest of its files.
    expect(record.started).toBe(new Date(performance.timeOrigin).toISOString());
    const newest = Bun.file(join(import.meta.dir, "../../../agents/pipe/routes.ts")).lastModified;
    expect(Date.parse(record.built)).toBeGreaterThanOrEqual(Math.floor(newest));
    for (const count of [record.memory.rss, record.memory.heap, record.fds]) {
      expect(Number.isInteger(count) && count > 0).toBe(true);
    }
  });

  test("HEAD and OPTIONS are allowed, and nothing else", async () => {
    const of = async (method: string) =>
      (await pipe.request(method, "/api/v1/pipe/health", ["Content-Length: 0"])).sees("\r\n\r\n");
    expect((await of("HEAD")).text).toStartWith("HTTP/1.1 200 ");
    expect((await of("OPTIONS")).text).toStartWith("HTTP/1.1 204 ");
    for (const method of ["POST", "PUT", "DELETE"]) {
      const { text } = await of(method);
      expect(text).toStartWith("HTTP/1.1 405 ");
      expect(text).toContain("Allow: GET, HEAD, OPTIONS\r\n");
    }
  });

  test("the bare path is 404 and names the right one", async () => {
    const { status, headers, body } = await (await pipe.request("GET", "/health")).response();
    expect(status).toBe(404);
    expect(headers.get("content-type")).toStartWith("text/plain");
    expect(body.toString()).toContain("/api/v1/pipe/health");
  });
});

describe("who may enter", () => {
  const guarded = startPipe({
    async authorize({ headers }) {
      await Promise.resolve();
      if (headers.get("authorization") !== "Bearer good") throw new Refusal(401, "Sign in.");
    },
    isOwnHost: (host) => host !== "other.test",
  });

  test.each([
    ["GET", "/api/v1/pipe/x"],
    ["POST", "/api/v1/pipe/x"],
    ["GET", "/api/v1/pipe/x?progress"],
    ["GET", "/"],
    ["GET", "/help"],
    ["POST", "/api/v1/pipe/health/x"],
  ])("%s %s asks", async (method, path) => {
    const response = await (await guarded.request(method, path, ["Content-Length: 0"])).response();
    expect(response.status).toBe(401);
    await guarded.isFree();
  });

  test("the health record, the word where it is, and preflights are open", async () => {
    expect((await (await guarded.request("GET", "/health")).response()).status).toBe(404);
    expect((await (await guarded.request("GET", "/api/v1/pipe/health")).response()).status).toBe(200);
    expect((await (await guarded.request("OPTIONS", "/api/v1/pipe/x")).response()).status).toBe(204);
  });

  test("who may, sends and receives; a body that comes meanwhile is not lost", async () => {
    const path = guarded.path();
    const lines = ["Authorization: Bearer good"];
    (await guarded.request("POST", path, [...lines, "Content-Length: 5"])).send("hello");
    expect((await (await guarded.request("GET", path, lines)).response()).body.toString()).toBe("hello");
  });

  test("a connection that was led here by one host does not reach another", async () => {
    const client = (await guarded.connect()).send("GET /help HTTP/1.1\r\nHost: other.test\r\n\r\n");
    expect((await client.response()).status).toBe(421);
  });
});
