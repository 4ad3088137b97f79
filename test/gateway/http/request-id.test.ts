import { afterAll, beforeAll, expect, test } from "bun:test";
import { sendRaw } from "./raw-http.ts";
import { startMadeUpApp } from "./sample-app.ts";

let app: Awaited<ReturnType<typeof startMadeUpApp>>;
beforeAll(async () => {
  app = await startMadeUpApp();
});
afterAll(() => app.stop());

const idOf = async (sent: string) => {
  const { text } = await sendRaw(app.port, `GET /health/live HTTP/1.1\r\nHost: berth\r\n${sent}\r\n`);
  return /x-request-id: (.*)\r/i.exec(text)?.[1];
};

test("every response has a request id, whatever became of the request", async () => {
  const paths = ["/health/live", "/health/ready", "/openapi", "/openapi/json", "/nowhere", "/wrecks/fault"];
  const ids = new Set<string | null>();
  for (const path of [...paths, "/api/v1/boats", "/api/v1/boats/%ff"]) {
    ids.add((await fetch(`http://127.0.0.1:${app.port}${path}`)).headers.get("x-request-id"));
  }
  ids.add((await app.request("/health/live", { method: "POST" })).headers.get("x-request-id"));
  ids.add((await app.post("/api/v1/boats", "{")).headers.get("x-request-id"));
  ids.add((await app.post("/api/v1/boats", "x".repeat(2_000_000))).headers.get("x-request-id"));
  expect(ids.size).toBe(11);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-/);
});

test("a caller's well-formed id is kept, and routes see it", async () => {
  const { body, headers } = await app.get(`/api/v1/boats/${"c".repeat(24)}`, {
    "x-request-id": "trace.1_2-3",
  });
  expect(headers.get("x-request-id")).toBe("trace.1_2-3");
  expect(body.data.requestId).toBe("trace.1_2-3");
  expect(await idOf(`X-Request-Id: ${"a".repeat(128)}\r\n`)).toBe("a".repeat(128));
});

test("an id that could break a log line is replaced", async () => {
  for (const id of ["", "two words", "<script>", "a".repeat(129), "\xe9", "a\r\nX-Request-Id: b"]) {
    expect(await idOf(`X-Request-Id: ${id}\r\n`)).toMatch(/^[0-9a-f]{8}-/);
  }
});
