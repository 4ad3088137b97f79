import { afterAll, beforeAll, expect, test } from "bun:test";
import { startMadeUpApp } from "./sample-app.ts";

let app: Awaited<ReturnType<typeof startMadeUpApp>>;
beforeAll(async () => {
  app = await startMadeUpApp();
});
afterAll(() => app.stop());

test("requests are counted and timed by the pattern of their route, never by their path", async () => {
  await app.get(`/api/v1/boats/${"c".repeat(24)}`);
  await app.get(`/api/v1/boats/${"d".repeat(24)}`);
  await app.post("/api/v1/boats", "{");
  await app.request("/wrecks/fault");
  await app.request("/some/made-up/path");
  const lines = (await app.registry.metrics()).split("\n");
  expect(lines).toContain('http_requests_total{method="GET",route="/api/v1/boats/:id",status="200"} 2');
  expect(lines).toContain('http_requests_total{method="POST",route="/api/v1/boats/",status="400"} 1');
  expect(lines).toContain('http_requests_total{method="GET",route="/wrecks/fault",status="500"} 1');
  expect(lines).toContain('http_requests_total{method="GET",route="none",status="404"} 1');
  expect(lines).toContain('http_request_duration_seconds_count{method="GET",route="/api/v1/boats/:id"} 2');
  expect(lines.join("\n")).not.toContain("made-up");
});

test("the API's port tells nobody what is measured", async () => {
  for (const path of ["/metrics", "/metrics/", "/METRICS"])
    expect((await app.request(path)).status).toBe(404);
});
