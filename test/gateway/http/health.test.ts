import { afterAll, beforeAll, expect, test } from "bun:test";
import { startMadeUpApp } from "./sample-app.ts";

let app: Awaited<ReturnType<typeof startMadeUpApp>>;
beforeAll(async () => {
  app = await startMadeUpApp();
});
afterAll(() => app.stop());

const up = async () => {};

test("a process is ready while all that it needs is up, and alive in any case", async () => {
  expect((await app.request("/health/ready")).body).toEqual({
    statusCode: 200,
    message: "Ready",
    data: { postgres: "up", nats: "up" },
  });
  app.health.nats = () => Promise.reject(new Error("no route to host"));
  const { status, body, headers } = await app.request("/health/ready");
  expect(status).toBe(503);
  expect(headers.get("retry-after")).toBe("1");
  expect(body).toMatchObject({
    statusCode: 503,
    code: "UNAVAILABLE",
    message: "Not ready: nats down",
    data: { postgres: "up", nats: "down" },
  });
  expect((await app.request("/health/live")).status).toBe(200);
  app.health.nats = up;
});

test("a component that hangs is down, the others are not, and it is asked once at a time", async () => {
  let asked = 0;
  const answer = Promise.withResolvers<void>();
  app.health.postgres = () => {
    asked++;
    return answer.promise;
  };
  const answers = await Promise.all([app.request("/health/ready"), app.request("/health/ready")]);
  for (const { status, body } of answers) {
    expect([status, body.data]).toEqual([503, { postgres: "down", nats: "up" }]);
  }
  expect(asked).toBe(1);
  answer.resolve();
  app.health.postgres = up;
  expect((await app.request("/health/ready")).status).toBe(200);
});

test("a process that is about to stop serves on, is not ready, and lets its connections go", async () => {
  expect((await app.request("/health/live")).headers.get("connection")).not.toBe("close");
  app.draining.now = true;
  const { status, body } = await app.request("/health/ready");
  expect(status).toBe(503);
  expect(body).toMatchObject({
    message: "Not ready: it is about to stop",
    data: { postgres: "up", nats: "up" },
  });
  const served = await app.request("/health/live");
  expect([served.status, served.headers.get("connection")]).toEqual([200, "close"]);
  app.draining.now = false;
});
