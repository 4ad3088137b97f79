import { describe, expect, test } from "bun:test";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { Value } from "@sinclair/typebox/value";
import { Name, Text } from "../../schemas/text.ts";

const EMOJI = "🔥";

describe("text", () => {
  const schema = Text({ minLength: 2, maxLength: 3 });
  const compiled = TypeCompiler.Compile(schema);
  const takes = (value: unknown) => {
    expect(compiled.Check(value)).toBe(Value.Check(schema, value));
    return compiled.Check(value);
  };

  test("is measured in characters, of which an emoji is one", () => {
    expect(["", "a", "ab", "abc", "abcd"].map(takes)).toEqual([false, false, true, true, false]);
    expect([1, 2, 3, 4].map((n) => takes(EMOJI.repeat(n)))).toEqual([false, true, true, false]);
  });

  test("is nothing but text", () => {
    expect([12, null, undefined, ["ab"], { length: 2 }].map(takes)).toEqual(Array(5).fill(false));
  });

  test("reads as a plain string in a JSON Schema", () => {
    expect(JSON.parse(JSON.stringify(schema))).toEqual({ type: "string", minLength: 2, maxLength: 3 });
  });
});

describe("a name", () => {
  const isName = (value: string) => Value.Check(Name(100), value);

  test("may be in any script, with spaces and emoji in it", () => {
    for (const name of ["web", " a ", "Größe 1", "مشروع", "פרויקט", "项目", "👩‍💻 lab", EMOJI.repeat(100)]) {
      expect([name, isName(name)]).toEqual([name, true]);
    }
  });

  test.each([
    "\n",
    "\r",
    "\t",
    "\u0001",
    "\u007f",
    "\u0085",
    "\u2028",
    "\u2029",
    "\u202e",
    "\u2066",
    "\u200f",
    "\u061c",
  ])("does not hold %j, wherever it stands", (character) => {
    for (const name of [`${character}a`, `a${character}`, `a${character}b`, character]) {
      expect(isName(name)).toBe(false);
    }
  });

  test("is not blank and not too long", () => {
    for (const name of ["", " ", "\u00a0\u3000", "a".repeat(101), EMOJI.repeat(101)])
      expect(isName(name)).toBe(false);
  });

  test("is checked in a moment, however it is made", () => {
    // A pattern that backtracks would take hours for this one.
    expect(isName(" ".repeat(100))).toBe(false);
    expect(Value.Check(Name(1_000_000), `${" ".repeat(200_000)}\n`)).toBe(false);
  });
});
