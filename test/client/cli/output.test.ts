import { expect, test } from "bun:test";
import { bytes, clock } from "../../../client/cli/output/format.ts";
import { table } from "../../../client/cli/output/table.ts";

const rows = [
  ["1", "shop", "a long description of the shop"],
  ["2", "日本語", "short"],
];

test("columns are aligned by what they take on the screen", () => {
  expect(table(["ID", "NAME", "TEXT"], rows).split("\n").slice(1, 3)).toEqual([
    "1   shop    a long description of the shop",
    "2   日本語  short",
  ]);
});

test("a table fits the terminal: its widest column is cut", () => {
  const lines = table(["ID", "NAME", "TEXT"], rows, 24).trimEnd().split("\n");
  expect(Math.max(...lines.map((line) => Bun.stringWidth(line)))).toBeLessThanOrEqual(24);
  expect(lines[1]).toContain("shop");
  expect(lines[1]).toEndWith("…");
});

test("somebody else's text cannot steer the terminal", () => {
  expect(table(["NAME"], [["\u001b[2Jgone\u202e\n"]])).toBe("NAME\n [2Jgone\n");
});

test("sizes and times are short", () => {
  expect([bytes(0), bytes(1_536), bytes(null)]).toEqual(["0 B", "1.5 KiB", ""]);
  expect([clock(65), clock(7_209)]).toEqual(["1:05", "2:00:09"]);
});
