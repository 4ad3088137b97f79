import { expect, test } from "bun:test";
import { unusedCents } from "../../../actors/market/rental-payment.ts";

/** What is returned of a payment when its rental is ended by an operator. */

const DAY_MS = 24 * 60 * 60 * 1_000;
const START = Date.parse("2026-01-01T00:00:00.000Z");
const day = (days: number) => new Date(START + days * DAY_MS);
const paid = (cents: number, days = 10) => ({
  ...{ transaction_id: "0".repeat(24), charged_cents: cents + 500, rent_cents: cents },
  ...{ from: day(0).toISOString(), until: day(days).toISOString() },
});

test("the rest of the time is returned to the nearest cent, and never the setup fee", () => {
  expect([0, 2.5, 9.9, 10, 11].map((days) => unusedCents(paid(1_000), day(days)))).toEqual([
    1_000, 750, 10, 0, 0,
  ]);
  expect(unusedCents(paid(1), day(4.9))).toBe(1);
  expect(unusedCents(paid(1), day(5.1))).toBe(0);
});

test("a time that has not begun is returned whole, and one without a length not at all", () => {
  expect(unusedCents(paid(1_000), day(-3))).toBe(1_000);
  expect(unusedCents(paid(1_000, 0), day(-3))).toBe(0);
});
