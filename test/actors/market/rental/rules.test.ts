import { expect, test } from "bun:test";
import {
  type AutoExtension,
  beginPaidTime,
  DAY_MS,
  firstAttemptAt,
  isOver,
  missedItsExtension,
  nextAttemptAt,
  type RentalState,
} from "../../../../actors/market/rental/rules.ts";

const START = new Date("2026-01-01T00:00:00.000Z");
const after = (days: number, ms = 0) => new Date(START.getTime() + days * DAY_MS + ms);
const MINUTE_MS = 60_000;

const rental: RentalState = {
  serverId: "s",
  serverName: "node",
  userId: "u",
  poolId: null,
  status: "active",
  start: START,
  end: after(7),
  frozenPrices: null,
  livePrices: {},
  extending: null,
  extensionPayments: [],
  autoExtension: null,
  awaitsDelivery: false,
  createdAt: START,
};
const auto = (days: number, fields: Partial<AutoExtension> = {}): AutoExtension => ({
  ...{ days, maxChargeCents: 700, nextAt: null, lastFailure: null },
  ...fields,
});

test("a rental extends itself a day before its end, and for short times in the last quarter of them", () => {
  expect(firstAttemptAt(rental, auto(30), START)).toEqual(after(6));
  expect(firstAttemptAt(rental, auto(4), START)).toEqual(after(6));
  expect(firstAttemptAt(rental, auto(2), START)).toEqual(after(6.5));
  expect(firstAttemptAt(rental, auto(1), START)).toEqual(after(6.75));
});

test("where that time is over, it extends itself at once", () => {
  expect(firstAttemptAt(rental, auto(30), after(6.9))).toEqual(after(6.9));
});

test("attempts follow each other until a minute before the end", () => {
  let now = after(6);
  let attempts = 1;
  for (let next = nextAttemptAt(rental, auto(30), now); next !== null; attempts++) {
    expect(next.getTime()).toBeGreaterThan(now.getTime());
    now = next;
    next = nextAttemptAt(rental, auto(30), now);
  }
  expect(now).toEqual(after(7, -MINUTE_MS));
  expect(attempts).toBe(97);
});

test("a rental that no host extended in time is extended late, unless that was refused or would end before now", () => {
  const lapsed = (fields: Partial<AutoExtension> = {}) => ({ ...rental, autoExtension: auto(7, fields) });
  expect(missedItsExtension(lapsed(), after(8))).toBe(true);
  expect(missedItsExtension(lapsed(), after(14))).toBe(false);
  const lastFailure = { code: "INSUFFICIENT_BALANCE", priceCents: 700, failedAt: after(6).toISOString() };
  expect(missedItsExtension(lapsed({ lastFailure }), after(8))).toBe(false);
  expect(missedItsExtension(rental, after(8))).toBe(false);
});

test("the paid time of a rental that awaits its delivery moves as a whole", () => {
  const payment = {
    ...{ transaction_id: "t", charged_cents: 700, rent_cents: 700 },
    ...{ from: after(7).toISOString(), until: after(14).toISOString() },
  };
  const held = { ...rental, end: after(14), awaitsDelivery: true, extensionPayments: [payment] };
  expect(isOver(held, after(100))).toBe(false);
  expect(beginPaidTime(held, after(100))).toEqual({
    ...held,
    awaitsDelivery: false,
    start: after(100),
    end: after(114),
    extensionPayments: [{ ...payment, from: after(107).toISOString(), until: after(114).toISOString() }],
  });
  expect(beginPaidTime(rental, after(100))).toBe(rental);
});
