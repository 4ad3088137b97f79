import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { newId } from "../../actors/platform/ids.ts";
import { Amount, Id, IdempotencyKey, Strict } from "../../schemas/primitives.ts";

describe("an amount", () => {
  test.each(["0", "0.0", "0.00", "0.01", "1", "1.5", "25", "25.00", "999999999999", "999999999999.99"])(
    "%s",
    (text) => {
      expect(Value.Check(Amount, text)).toBe(true);
    },
  );

  test.each([
    ...[
      "",
      ".",
      "1.",
      ".5",
      "00",
      "01",
      "1.234",
      "1e3",
      "-1",
      "+1",
      " 1",
      "1 ",
      "1\n",
      "\n1",
      "1,0",
      "1_0",
      "٣",
      "１",
    ],
    ...["1000000000000", "9".repeat(22), "0x1", "NaN", "Infinity", "1.2.3"],
  ])("%j is none", (text) => {
    expect(Value.Check(Amount, text)).toBe(false);
  });

  test.each([[25], [0], [null], [undefined], [true], [{}], [["1"]], [1n]])("%p is none", (value) => {
    expect(Value.Check(Amount, value)).toBe(false);
  });
});

test("an id is 24 hexadecimal characters in lower case, as every new one is", () => {
  const ids = Array.from({ length: 1_000 }, newId);
  for (const id of ids) expect(Value.Check(Id, id)).toBe(true);
  expect(new Set(ids).size).toBe(1_000);
  expect(ids.toSorted()).toEqual(ids);
  for (const text of [
    "",
    "0".repeat(23),
    "0".repeat(25),
    `${"0".repeat(23)}g`,
    "A".repeat(24),
    `${"0".repeat(24)}\n`,
  ]) {
    expect(Value.Check(Id, text)).toBe(false);
  }
});

test("an idempotency key is 1 to 128 characters of which one is no white space", () => {
  for (const key of ["k", " k", "k ", "\tk\n", "🔑", "k".repeat(128)])
    expect(Value.Check(IdempotencyKey, key)).toBe(true);
  for (const key of ["", " ", "\n\t", "\u00a0", "k".repeat(129)])
    expect(Value.Check(IdempotencyKey, key)).toBe(false);
});

test("a strict object refuses what it does not know", () => {
  const schema = Strict({ name: Type.String() });
  expect(Value.Check(schema, { name: "x" })).toBe(true);
  for (const extra of ["nam", "Name", "toString", "constructor"]) {
    expect(Value.Check(schema, { name: "x", [extra]: 1 })).toBe(false);
  }
  expect(Value.Check(schema, JSON.parse('{"name":"x","__proto__":1}'))).toBe(false);
});
