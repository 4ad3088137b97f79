import { afterAll, beforeAll, expect, test } from "bun:test";
import { startMadeUpApp } from "./made-up-app.ts";

let app: Awaited<ReturnType<typeof startMadeUpApp>>;
beforeAll(async () => {
  app = await startMadeUpApp();
});
afterAll(() => app.stop());

test("a process is ready while all that it needs is up, and alive in any case", async () => {
  expect((await app.request("/health/ready")).body).toEqual({
    statusCode: 200,
    message: "Ready",
    data: { postgres: "up", nats: "up" },
  });
  app.health.ready = async () => ({ postgres: "up", nats: "down" });
  const { status, body, headers } = await app.request("/health/ready");
  expect(status).toBe(503);
  expect(headers.get("retry-after")).toBe("1");
  expect(body).toMatchObject({
    statusCode: 503,
    code: "UNAVAILABLE",
    data: { postgres: "up", nats: "down" },
  });
  expect((await app.request("/health/live")).status).toBe(200);
});

test("a check that fails or hangs counts as down", async () => {
  app.health.ready = () => Promise.reject(new Error("no route to host"));
  expect((await app.request("/health/ready")).status).toBe(503);
  app.health.ready = () => Promise.withResolvers<never>().promise;
  expect((await app.request("/health/ready")).body.data).toEqual({ check: "down" });
});
