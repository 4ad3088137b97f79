import { describe, expect, test } from "bun:test";
import { visibleFrom } from "../../../../agents/terminal/screen/flood.ts";
import { SCROLLBACK_LINES, Screen } from "../../../../agents/terminal/screen/screen.ts";

const LINES = 100;
const utf8 = (text: string) => new TextEncoder().encode(text);
const flood = (first: string) => utf8(`${first}\r\n${"line\r\n".repeat(LINES + 50)}`);
const black = [0, 0, 0] as const;

describe("of a flood is left out", () => {
  test("what so many lines follow, up to the end of a line", () => {
    const bytes = flood("first");
    const from = visibleFrom(bytes, LINES);
    expect(bytes.subarray(from).toString()).toBe(utf8("line\r\n".repeat(LINES - 1)).toString());
  });

  test("nothing, when fewer follow, or lines end without a carriage return", () => {
    expect(visibleFrom(utf8("line\r\n".repeat(LINES - 1)), LINES)).toBe(0);
    expect(visibleFrom(utf8("line\n".repeat(LINES * 2)), LINES)).toBe(0);
  });

  test.each([
    ["a sequence", "\x1b[31m"],
    ["a question", "\x05"],
    ["another set of characters", "\x0e"],
    ["the first set of characters", "\x0f"],
    ["a control of eight bits", "\u009b31m"],
  ])("nothing, when it has %s: more follows from it than can be seen where it stands", (_, odd) => {
    expect(visibleFrom(flood(odd), LINES)).toBe(0);
  });

  test.each(["\b", "\v", "\f", "\x07", "\t", "\x7f", "\0", "é", "漢"])(
    "a line with %j, which stays where it is",
    (one) => {
      const lines = `a${one}b\r\n`.repeat(30);
      const end = `${"end\r\n".repeat(SCROLLBACK_LINES + 60)}last`;
      expect(visibleFrom(utf8(lines + end), SCROLLBACK_LINES + 48)).toBeGreaterThan(utf8(lines).length);
      const [whole, parts] = [0, 1].map(
        () =>
          new Screen({ cols: 80, rows: 24, reply: () => undefined, foreground: black, background: black }),
      ) as [Screen, Screen];
      whole.feed(utf8(lines + end));
      for (const char of lines) {
        parts.feed(utf8(char));
        parts.flush();
      }
      parts.feed(utf8(end));
      expect(whole.snapshot()?.toString()).toBe(parts.snapshot()?.toString() ?? "none");
    },
  );
});
