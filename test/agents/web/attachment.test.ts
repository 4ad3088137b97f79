import { expect, test } from "bun:test";
import { attachment } from "../../../agents/web/attachment.ts";

test.each([
  ["a b.txt", 'attachment; filename="a b.txt"'],
  ['say "hi".txt', 'attachment; filename="say \\"hi\\".txt"'],
  [
    "naïve (1)'*.txt",
    `attachment; filename="na_ve (1)'*.txt"; filename*=UTF-8''na%C3%AFve%20%281%29%27%2A.txt`,
  ],
  ["a%41.txt", "attachment; filename=a%41.txt; filename*=UTF-8''a%2541.txt"],
  ["a\nb.txt", "attachment; filename=a_b.txt"],
  ["", "attachment"],
])("%j is written as RFC 6266 has it", (name, expected) => {
  expect(attachment(name)).toBe(expected);
});
