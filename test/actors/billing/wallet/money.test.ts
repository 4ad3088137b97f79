import { expect, test } from "bun:test";
import fc from "fast-check";
import { BALANCE_CENTS_MAX } from "../../../../actors/billing/wallet/rules.ts";
import {
  dollars,
  fromCents,
  fromMicros,
  MICROS_PER_CENT,
  moneyText,
  toCents,
  toMicros,
} from "../../../../actors/platform/money.ts";

test.each([
  ["0", 0n],
  ["0.0", 0n],
  ["0.01", 1n],
  ["0.1", 10n],
  ["0.10", 10n],
  ["1", 100n],
  ["25", 2_500n],
  ["25.5", 2_550n],
  ["25.50", 2_550n],
  ["999999999999.99", 99_999_999_999_999n],
])("%s dollars are %s cents", (text, cents) => {
  expect(toCents(text)).toBe(cents);
});

test.each([
  [0n, "0.00"],
  [1n, "0.01"],
  [10n, "0.10"],
  [99n, "0.99"],
  [100n, "1.00"],
  [47_500n, "475.00"],
  [100_000_000_000_000n, "1000000000000.00"],
])("%s cents are written %s", (cents, text) => {
  expect(fromCents(cents)).toBe(text);
});

test.each([
  [0n, "0.00"],
  [1n, "0.000001"],
  [125n, "0.000125"],
  [10_000n, "0.01"],
  [12_500n, "0.0125"],
  [100_000n, "0.10"],
  [1_000_000n, "1.00"],
  [1_234_500n, "1.2345"],
  [23_750_000n, "23.75"],
  [1_000_000_000_000_000_000n, "1000000000000.00"],
])("%s micro-USD are written %s", (micros, text) => {
  expect(fromMicros(micros)).toBe(text);
});

/** As far as wallets go, and at their edges. */
const anyCents = fc.bigInt({ min: 0n, max: BALANCE_CENTS_MAX });
const anyMicros = fc.bigInt({ min: 0n, max: BALANCE_CENTS_MAX * MICROS_PER_CENT });
const ROUNDS = { numRuns: 5_000 };

test("every number of cents survives being written and read", () => {
  fc.assert(
    fc.property(anyCents, (cents) => {
      expect(fromCents(cents)).toMatch(/^\d+\.\d{2}$/);
      expect(toCents(fromCents(cents))).toBe(cents);
    }),
    ROUNDS,
  );
});

test("cents are written alike whether they are counted in cents or in micro-USD", () => {
  fc.assert(
    fc.property(anyCents, (cents) => expect(fromMicros(cents * MICROS_PER_CENT)).toBe(fromCents(cents))),
    ROUNDS,
  );
});

test("micro-USD are written to the last part and with no zero too many", () => {
  fc.assert(
    fc.property(anyMicros, (micros) => {
      const [, dollars = "", fraction = ""] = /^(\d+)\.(\d{2}|\d{2,5}[1-9])$/.exec(fromMicros(micros)) ?? [];
      expect(BigInt(dollars || "-1") * 1_000_000n + BigInt(fraction.padEnd(6, "0"))).toBe(micros);
    }),
    ROUNDS,
  );
});

test("an amount as a number is the cents that it was, however large", () => {
  fc.assert(
    fc.property(anyCents, (cents) => {
      expect(BigInt(Math.round(dollars(cents) * 100))).toBe(cents);
      expect(dollars(cents).toFixed(2)).toBe(fromCents(cents));
    }),
    ROUNDS,
  );
});

test("dollars of a provider's JSON become micro-USD to the nearest", () => {
  for (const [dollars, micros] of [
    [0, 0n],
    [0.29, 290_000n],
    [1.2345678, 1_234_568n],
    [0.0000004, 0n],
    [23.75, 23_750_000n],
    [999_999_999.99, 999_999_999_990_000n],
  ] as const)
    expect(toMicros(dollars)).toBe(micros);
  for (const none of [-1, Number.NaN, Number.POSITIVE_INFINITY, 1e21])
    expect(() => toMicros(none)).toThrow(RangeError);
});

test.each([
  ["0.00", "$0.00"],
  ["999.50", "$999.50"],
  ["1234.50", "$1,234.50"],
  ["1000000.5", "$1,000,000.5"],
  ["-32000.00", "-$32,000.00"],
  ["1234.000125", "$1,234.000125"],
])("an amount of %s is read as %s", (amount, text) => {
  expect(moneyText(amount)).toBe(text);
});
