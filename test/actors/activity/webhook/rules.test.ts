import { expect, test } from "bun:test";
import { change, RETRY_MS_MAX, retryAfterMs, rotate } from "../../../../actors/activity/webhook/rules.ts";
import type { WebhookRecord } from "../../../../actors/activity/webhook/table.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const TIMES = { firstRetryMs: 5_000, giveUpMs: DAY_MS };
const then = new Date("2026-01-31T09:30:00.000Z");

test("attempts are made for a day, with pauses that grow to four hours", () => {
  let at = then;
  const waits: number[] = [];
  for (let attempts = 1; ; attempts++) {
    const wait = retryAfterMs(attempts, then, at, TIMES);
    if (wait === undefined) break;
    waits.push(wait);
    at = new Date(at.getTime() + wait);
  }
  expect(waits[0]).toBe(5_000);
  expect(waits.at(-1)).toBe(RETRY_MS_MAX);
  expect(waits).toEqual(waits.toSorted((a, b) => a - b));
  const lastedMs = at.getTime() - then.getTime();
  expect(lastedMs).toBeLessThanOrEqual(DAY_MS);
  expect(lastedMs).toBeGreaterThan(DAY_MS - RETRY_MS_MAX);
  expect(waits.length).toBeLessThan(20);
});

const webhook: WebhookRecord = {
  userId: "u",
  url: "https://a.example/",
  description: "",
  eventTypes: null,
  enabled: true,
  disabledReason: null,
  enabledSince: then,
  secret: "first",
  previousSecret: null,
  previousSecretUntil: null,
  createdAt: then,
  changedAt: then,
};
const later = new Date(then.getTime() + 1_000);

test("switched off and on again, a webhook has the events from then on; other changes leave out none", () => {
  expect(change(webhook, { description: "x" }, later).enabledSince).toEqual(then);
  const off = change(webhook, { enabled: false }, later);
  expect([off.enabled, off.disabledReason]).toEqual([false, "by_owner"]);
  const on = change(off, { enabled: true }, later);
  expect([on.enabled, on.disabledReason, on.enabledSince]).toEqual([true, null, later]);
});

test("at most two secrets sign, the newest first", () => {
  const twice = rotate(rotate(webhook, "second", 24, then), "third", 24, later);
  expect([twice.secret, twice.previousSecret]).toEqual(["third", "second"]);
  expect(rotate(webhook, "second", 0, then)).toMatchObject({
    previousSecret: null,
    previousSecretUntil: null,
  });
});
