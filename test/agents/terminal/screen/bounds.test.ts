import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { MARKS_MAX, PAYLOAD_CHARS_MAX } from "../../../../agents/terminal/screen/bounds.ts";
import { LINK_CHARS_MAX, LINKS_MAX } from "../../../../agents/terminal/screen/links.ts";
import { Screen } from "../../../../agents/terminal/screen/screen.ts";

const black = [0, 0, 0] as const;
const fed = (output: string) => {
  const one = new Screen({ cols: 20, rows: 6, reply: () => undefined, foreground: black, background: black });
  one.feed(Buffer.from(output));
  return one;
};
const shown = (output: string) => fed(output).snapshot()?.toString();

/** It takes a second or two; without the bounds, hours. */
const CHILD_MS_MAX = 280_000;
const FILLED = "one\r\ntwo\r\nthree\r\nfour\r\nfive\r\nsix\x1b[2;4r\x1b[3;2Hx";

describe("a number in a sequence is no amount of work", () => {
  // Without the bound each of these takes minutes, in which nothing else on the server goes on.
  test.each(["L", "M", "S", "T"])(
    "lines, by CSI %s: more than the screen has are all that it has",
    (final) => {
      expect(shown(`${FILLED}\x1b[2147483647${final}`)).toBe(shown(`${FILLED}\x1b[6${final}`));
      expect(shown(`${FILLED}\x1b[7${final}`)).toBe(shown(`${FILLED}\x1b[6${final}`));
    },
  );

  test.each(["I", "Z"])("tab stops, by CSI %s", (final) => {
    expect(shown(`${FILLED}\x1b[2147483647${final}`)).toBe(shown(`${FILLED}\x1b[20${final}`));
  });

  test("a character that is repeated, by CSI b: a row of it at most", () => {
    expect(fed("ab\x1b[2147483647b").text()).toBe(fed(`a${"b".repeat(21)}`).text());
    expect(fed("ab\x1b[5b").text()).toBe("abbbbbb");
  });

  test("whatever the sequence: with every number that there can be, it is parsed at all", async () => {
    // In a process of its own, since one that never comes to an end cannot be given up from within.
    const child = Bun.spawn([process.execPath, join(import.meta.dir, "numbers-victim.ts")], {
      stderr: "pipe",
    });
    const limit = setTimeout(() => child.kill("SIGKILL"), CHILD_MS_MAX);
    expect(await child.exited, await new Response(child.stderr).text()).toBe(0);
    clearTimeout(limit);
  }, 300_000);
});

describe("what one character carries is bounded", () => {
  const mark = "\u0301";

  test("marks beyond what text has are left out, however they come", () => {
    expect(fed(`e${mark.repeat(MARKS_MAX)}f`).text()).toBe(`e${mark.repeat(MARKS_MAX)}f`);
    expect(fed(`e${mark.repeat(50_000)}f`).text()).toBe(`e${mark.repeat(MARKS_MAX)}f`);
    const drop = fed("e");
    for (let n = 0; n < 500; n++) drop.feed(Buffer.from(mark));
    drop.feed(Buffer.from("f"));
    expect(drop.text()).toBe(`e${mark.repeat(MARKS_MAX)}f`);
  });

  test("after a snapshot as before it", () => {
    for (const marks of [1, MARKS_MAX - 1, MARKS_MAX]) {
      const one = fed(`e${mark.repeat(marks)}`);
      const copy = fed(one.snapshot()?.toString() ?? "");
      for (const screen of [one, copy]) screen.feed(Buffer.from(`${mark.repeat(5)}f`));
      expect(copy.text()).toBe(one.text());
    }
  });

  test("marks that are upon no character are not counted", () => {
    const sequences = `${mark}\x1b[m`.repeat(MARKS_MAX + 10);
    expect(fed(`\x1b[m${sequences}`).text().replaceAll("\n", "").length).toBeGreaterThan(MARKS_MAX);
  });

  test("the marks of each character are counted for themselves", () => {
    const one = `e${mark.repeat(MARKS_MAX)}`;
    expect(fed(`${one}${mark}${one}${mark}`).text()).toBe(one + one);
  });
});

describe("links", () => {
  const link = (uri: string, text: string) => `\x1b]8;;${uri}\x07${text}`;

  test("of any sensible length are kept, and longer ones are no links, nor part of the one before", () => {
    const uri = `https://a.example/${"x".repeat(1000)}`;
    expect(shown(link(uri, "kept"))).toContain(uri);
    const after = shown(link("https://before.example", "a") + link("h".repeat(LINK_CHARS_MAX + 1), "b"));
    const plain = after?.replaceAll("\x1b[0m", "").replaceAll("\x1b[m", "");
    expect(plain).toContain("https://before.example\x1b\\a\x1b]8;;\x1b\\b");
    expect(after).not.toContain("hhhh");
  });

  test("are so many at most, and more again when those are gone", () => {
    const one = fed(
      Array.from({ length: LINKS_MAX + 50 }, (_, n) => link(`https://a.example/${n}`, "x")).join(""),
    );
    const held = one.snapshot()?.toString() ?? "";
    expect(held).toContain(`https://a.example/${LINKS_MAX - 1}\x1b`);
    expect(held).not.toContain(`https://a.example/${LINKS_MAX}\x1b`);
    one.feed(Buffer.from(`\x1b]8;;\x07${"\r\n".repeat(3000)}${link("https://later.example", "y")}`));
    expect(one.snapshot()?.toString()).toContain("https://later.example");
  });
});

test("a title longer than any is none", () => {
  const one = fed("\x1b]2;mine\x07");
  for (const command of [0, 1, 2])
    one.feed(Buffer.from(`\x1b]${command};${"x".repeat(1_000_000)}\x07\x1b[22t`));
  expect(one.title).toBe("mine");
});

test("data in a sequence beyond what any has is forgotten, and what comes after it is not", () => {
  for (const begin of ["\x1b]2;", "\x1b]1337;", "\x1bP$q", "\x1bPq"]) {
    const one = fed(`${begin}${"x".repeat(PAYLOAD_CHARS_MAX + 1)}`);
    one.feed(Buffer.from("y\x1b\\after\x1b]2;mine\x07"));
    expect(one.text()).toBe("after");
    expect(one.title).toBe("mine");
  }
});
