import { expect, test } from "bun:test";
import { byToken } from "../../../../agents/notifier/credential.ts";
import { RateLimits } from "../../../../agents/notifier/http/rate-limit.ts";
import { RATES } from "../../../../agents/notifier/limits.ts";
import { startService } from "../service.ts";

const isServed = (limits: RateLimits, client = "a", bucket: keyof typeof RATES = "notify") => {
  try {
    limits.count(bucket, client);
    return true;
  } catch {
    return false;
  }
};

test.each([
  ["general", ":1", 60],
  ["notify", "notify", 10],
  ["icons", "icons/none", 100],
  ["health", "health", 60],
  ["metrics", "metrics", 60],
])(
  "%s: after %s so many in a minute (%i), 429 with what to wait, and the others are not touched",
  async (_, path, most) => {
    await using service = startService({ client: "one" });
    const ask = () =>
      path === "notify"
        ? service.call(path, { json: { display: "1", title: "t", body: "" } })
        : service.call(path);
    for (let at = 0; at < most; at++) expect((await ask()).status).not.toBe(429);
    const refused = await ask();
    expect(refused.status).toBe(429);
    const seconds = Number(refused.headers.get("retry-after"));
    expect(seconds).toBeWithin(1, 61);
    const details = `at most ${most} requests a minute here; try again in ${seconds} s`;
    expect(await refused.json()).toEqual({ success: false, error: "RATE_LIMITED", details });
    const others = [":1", "notify", "icons/none", "health", "metrics"].filter((other) => other !== path);
    for (const other of others) {
      const method = other === "notify" ? "POST" : "GET";
      expect((await service.call(other, { method })).status).not.toBe(429);
    }
  },
);

test("probes and scrapers take nothing from a page, and a page nothing from them", async () => {
  await using service = startService({ client: "one" });
  for (let at = 0; at < 50; at++) {
    for (const path of ["health", "metrics"]) expect((await service.call(path)).status).toBe(200);
  }
  for (let at = 0; at < 60; at++) expect((await service.call(":1")).status).toBe(200);
  expect((await service.call(":1")).status).toBe(429);
  expect((await service.call("health")).status).toBe(200);
  expect(await (await service.call("metrics")).text()).toContain(
    'notifier_rate_limited_total{bucket="general"} 1',
  );
});

test("who has no right token uses up nothing of who has it, behind one address, and is limited too", async () => {
  const token = "0123456789abcdef-token";
  await using service = startService({ client: "one", authorize: byToken(token) });
  const asked = async (shown: string, init: RequestInit = {}) =>
    (await service.call(":1", { headers: { authorization: `Bearer ${shown}` }, ...init })).status;
  const wrong: number[] = [];
  for (let at = 0; at <= RATES.refused; at++) wrong.push(await asked("wrong"));
  expect(wrong).toEqual([...Array.from({ length: RATES.refused }, () => 401), 429]);
  for (let at = 0; at <= RATES.preflight; at++) await asked("", { method: "OPTIONS" });
  for (let at = 0; at < RATES.general; at++) expect(await asked(token)).toBe(200);
  expect(await asked(token)).toBe(429);
});

test("no minute ever has more, wherever it begins", () => {
  let now = 0;
  const limits = new RateLimits(() => now);
  const served: number[] = [];
  for (now = 0; now < 300_000; now += 700) if (isServed(limits)) served.push(now);
  for (const from of served) {
    expect(served.filter((time) => time >= from && time < from + 60_000).length).toBeLessThanOrEqual(
      RATES.notify,
    );
  }
  expect(served.length).toBe(5 * RATES.notify);
});

test("one client's requests are not another's", () => {
  const limits = new RateLimits(() => 0);
  for (let at = 0; at < RATES.notify; at++) expect(isServed(limits, "a")).toBe(true);
  expect(isServed(limits, "a")).toBe(false);
  expect(isServed(limits, "b")).toBe(true);
});

test("only so many clients are remembered, and none for longer than a minute", () => {
  let now = 0;
  const limits = new RateLimits(() => now, 100);
  for (let at = 0; at < 1_000; at++) isServed(limits, `client-${at}`);
  expect(limits.size).toBeLessThanOrEqual(100);
  now = 60_000;
  isServed(limits, "new");
  expect(limits.size).toBe(1);
});
