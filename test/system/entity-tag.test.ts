import { expect, test } from "bun:test";
import { matchesTag } from "../../system/entity-tag.ts";

test.each([
  [undefined, null],
  ['"a"', true],
  ['W/"a"', true],
  ['"x,y", W/"b" , "a"', true],
  ["*", true],
  [" * ", true],
  ['"b"', false],
  ["a", false],
  ["", false],
] as const)("whether %j names the tag: %j", (header, expected) => {
  const headers = new Headers(header === undefined ? {} : { "if-none-match": header });
  expect(matchesTag(headers, '"a"')).toBe(expected);
});
