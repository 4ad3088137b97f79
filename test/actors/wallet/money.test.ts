import { expect, test } from "bun:test";
import { fromCents, fromMicros, MICROS_PER_CENT, toCents } from "../../../actors/money.ts";
import { Seeded } from "./seeded.ts";

const ROUNDS = 20_000;

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

test("every number of cents survives being written and read", () => {
  const random = new Seeded(1);
  for (let i = 0; i < ROUNDS; i++) {
    const cents = random.bigint(14);
    const text = fromCents(cents);
    if (toCents(text) !== cents || !/^\d+\.\d{2}$/.test(text)) throw new Error(`${cents} became ${text}`);
  }
});

test("cents are written alike whether they are counted in cents or in micro-USD", () => {
  const random = new Seeded(2);
  for (let i = 0; i < ROUNDS; i++) {
    const cents = random.bigint(14);
    if (fromMicros(cents * MICROS_PER_CENT) !== fromCents(cents)) throw new Error(`${cents} differs`);
  }
});

test("micro-USD are written to the last part and with no zero too many", () => {
  const random = new Seeded(3);
  for (let i = 0; i < ROUNDS; i++) {
    const micros = random.bigint(18);
    const text = fromMicros(micros);
    const [, dollars = "", fraction = ""] = /^(\d+)\.(\d{2}|\d{2,5}[1-9])$/.exec(text) ?? [];
    const back = dollars === "" ? -1n : BigInt(dollars) * 1_000_000n + BigInt(fraction.padEnd(6, "0"));
    if (back !== micros) throw new Error(`${micros} became ${text}`);
  }
});
