import { describe, expect, test } from "bun:test";
import type { Terminal } from "@xterm/headless";
import { type Attributes, internalsOf } from "../../../../agents/terminal/screen/internals.ts";
import { savedWith } from "../../../../agents/terminal/screen/saved-cursor.ts";
import { Screen } from "../../../../agents/terminal/screen/screen.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);

function screen(cols = 20, rows = 6): Screen {
  const black = [0, 0, 0] as const;
  return new Screen({ cols, rows, reply: () => undefined, foreground: black, background: black });
}

function fed(output: string | Uint8Array, cols?: number, rows?: number): Screen {
  const one = screen(cols, rows);
  one.feed(typeof output === "string" ? utf8(output) : output);
  return one;
}

function copyOf(one: Screen): Screen {
  const snapshot = one.snapshot();
  if (snapshot === null) throw new Error("no snapshot");
  return fed(snapshot, one.cols, one.rows);
}

/** Both have to show the same, now and after whatever comes next. */
function expectSame(output: string | Uint8Array, next: string | Uint8Array, cols?: number, rows?: number) {
  const original = fed(output, cols, rows);
  const copy = copyOf(original);
  expect(stateOf(copy)).toEqual(stateOf(original));
  for (const one of [original, copy]) one.feed(typeof next === "string" ? utf8(next) : next);
  expect(stateOf(copy)).toEqual(stateOf(original));
}

/** Bold, italic and the like, above a cell's colour; without the mark that it has more, such as a link. */
const FLAGS = 0xec000000;
const UNDERLINE_STYLE = 0x1c000000;
const COLOUR_MODE = 0x3000000;
const PALETTE = 0x2000000;
const UNDERLINE_AND_FLAGS = 0xfc000000;

// biome-ignore lint/suspicious/noExplicitAny: looks at everything that the terminal holds
const terminalOf = (one: Screen): Terminal => (one as any).terminal;

/** All that can be seen of a terminal, or can matter to what it shows later. */
function stateOf(one: Screen): unknown {
  one.flush();
  const terminal = terminalOf(one);
  const internals = internalsOf(terminal);
  const rows = (["normal", "alternate"] as const)
    .filter((which) => which === "normal" || terminal.buffer.active.type === "alternate")
    .map((which) => {
      const buffer = terminal.buffer[which];
      return Array.from({ length: buffer.length }, (_, row) => {
        const line = buffer.getLine(row);
        const cells = Array.from({ length: terminal.cols }, (_, x) => {
          // biome-ignore lint/suspicious/noExplicitAny: as above
          const cell = line?.getCell(x) as any;
          const link = cell.hasExtendedAttrs()
            ? internals._oscLinkService.getLinkData(cell.extended.urlId)?.uri
            : "";
          const background = `${cell.getBgColorMode()},${cell.getBgColor()},${cell.bg & FLAGS}`;
          // Links that xterm has forgotten, with the rows that they were on, are underlined still.
          const hasStyle = cell.hasExtendedAttrs() && (cell.extended._ext & UNDERLINE_STYLE) !== 0;
          const underline = hasStyle ? underlineOf(cell.extended._ext) : "";
          const foreground = `${cell.getFgColorMode()},${cell.getFgColor()},${cell.fg & FLAGS},${underline},${link ?? ""}`;
          // A cursor that waits behind an erased cell can only be brought there by a blank.
          const chars = x === terminal.cols - 1 ? cell.getChars().trim() : cell.getChars();
          return `${chars}|${background}|${foreground}`;
        });
        // The first row has none before it that it could continue.
        return `${row > 0 && line?.isWrapped}:${cells.join(" ")}`;
      });
    });
  const active =
    internals._bufferService.buffers[terminal.buffer.active.type === "normal" ? "normal" : "alt"];
  const look = internals._inputHandler._curAttrData;
  return {
    rows,
    // A mark upon nothing at the end of a row leads further behind it than any character.
    cursor: [Math.min(active.x, terminal.cols), active.y, active.ybase],
    look: lookOf(look),
    link: internals._oscLinkService.getLinkData(look.extended.urlId)?.uri,
    savedLook: lookOf(active.savedCurAttrData),
    preceding: internals._inputHandler._parser.precedingJoinState,
    region: [active.scrollTop, active.scrollBottom],
    tabs: Object.keys(active.tabs).filter((col) => active.tabs[Number(col)] && Number(col) < terminal.cols),
    saved: [active.savedX, savedWith(active).row, savedWith(active).level, four(savedWith(active).charsets)],
    modes: { ...internals.coreService.decPrivateModes, ...internals.coreService.modes },
    hidden: internals.coreService.isCursorHidden,
    mouse: [internals.coreMouseService.activeProtocol, internals.coreMouseService.activeEncoding],
    charset: [
      internals._charsetService.charset,
      internals._charsetService.glevel,
      four(internals._charsetService._charsets),
    ],
    isBlinking: terminal.options.cursorBlink,
    title: one.title,
  };
}

const four = (charsets: readonly (object | undefined)[]) => [0, 1, 2, 3].map((at) => charsets[at]);

const lookOf = (look: Attributes) => [
  [look.getFgColorMode(), look.getFgColor(), look.fg & UNDERLINE_AND_FLAGS],
  [look.getBgColorMode(), look.getBgColor(), look.bg & FLAGS],
  underlineOf(look.extended._ext),
];

/** Its style and colour, without what is left of an earlier colour beside one of the palette. */
const underlineOf = (ext: number) =>
  (ext & COLOUR_MODE) === PALETTE ? ext & (UNDERLINE_STYLE | COLOUR_MODE | 0xff) : ext;

describe("a snapshot brings a fresh terminal to the same state, now and for what follows", () => {
  test.each([
    [
      "colours and styles",
      "\x1b[1;31mred\x1b[0;4:3;58:2::1:2:3mcurly\x1b[38;5;200;48;2;1;2;3mrgb\x1b[7;9;53mx",
      "y",
    ],
    ["a background behind erased cells", "\x1b[44m\x1b[2Jab\x1b[5Ccd\x1b[K\r\n\x1b[Kx", "\r\nz"],
    ["the scroll region", "a\r\nb\r\nc\x1b[2;4r\x1b[4;1H", "x\r\ny\r\nz"],
    ["origin mode", "\x1b[2;4r\x1b[?6h\x1b[2;3H", "x\x1b[1;1Hy"],
    ["line drawing characters", "\x1b(0lqk", "xx\x1b(Bq"],
    ["a character set that is shifted in", "\x1b)0\x0eqq", "q\x0fq"],
    ["tab stops", "\x1b[3g\x1b[4G\x1bH\x1b[10G\x1bH\r", "a\tb\tc"],
    ["the saved cursor with its look", "\x1b[3;5H\x1b[32m\x1b(0\x1b7\x1b(B\x1b[m\x1b[H", "x\x1b8q"],
    ["a saved cursor, and what scrolled since", `\x1b[3;5H\x1b7\x1b[6H${"\r\n".repeat(9)}a`, "\r\n\x1b8x"],
    ["no saved cursor, and what scrolled", `${"\r\n".repeat(9)}a`, "b\x1b8x"],
    ["a cursor saved with a set that was shifted in", "\x1b)0\x0e\x1b7\x0f", "q\x1b8q\x0fq\x0eq"],
    ["a restored set that was shifted in", "\x1b)0\x0e\x1b7\x0f\x1b8", "q\x0fq\x0eq"],
    ["sets that are not in use", "\x1b)0\x1b*A\x1b+0", "#\x1bn#\x1boq\x0eq"],
    ["a cursor that does not blink", "\x1b[?12l", ""],
    ["a cursor that blinks again", "\x1b[?12l\x1b[5 q\x1b[?12h", "\x1b[0 q"],
    ["mouse reports", "\x1b[?1002h\x1b[?1006h", ""],
    ["a hidden cursor and its style", "\x1b[?25l\x1b[4 q", "\x1b[?25h"],
    ["bracketed paste, focus, keypad and cursor keys", "\x1b[?2004h\x1b[?1004h\x1b[?1h\x1b=", ""],
    ["insert mode and no wrapping", "abc\x1b[4h\x1b[?7l\x1b[1;1H", "x".repeat(30)],
    [
      "links",
      "\x1b]8;id=a;https://a.example/x\x1b\\link\x1b]8;;\x1b\\ plain \x1b]8;;http://b.example\x07on",
      "going",
    ],
    ["the title", "\x1b]2;mine – ü\x07", ""],
    ["a cursor behind a full row", "x".repeat(20), "y"],
    ["a cursor behind a full row that ends wide", `${"x".repeat(18)}漢`, "y"],
    ["wide characters that wrap", `${"x".repeat(19)}漢字`, "\r\ny"],
    ["long lines that wrap, and are one line still", "word ".repeat(20), "\r\nz"],
    ["wrapped rows that were erased in part", `${"x".repeat(50)}\x1b[A\x1b[2K\x1b[A\x1b[5G\x1b[K`, "z"],
    ["combined and emoji characters", "e\u0301 \u{1f600} \u{1f1e9}\u{1f1ea}", "a"],
    ["scrollback", Array.from({ length: 40 }, (_, n) => `line ${n}`).join("\r\n"), "\r\nnext"],
    ["the alternate screen", "shell$ vi\r\n\x1b[?1049h\x1b[2;3Hfile\x1b[5;1H~", "x\x1b[?1049l$ "],
    ["the alternate screen by 47", "shell\x1b[3;3H\x1b[?47h\x1b[31mx", "y\x1b[?47lz"],
    ["an alternate screen with a scroll region", "a\x1b[?1049h\x1b[2;4r\x1b[4;1H", "x\r\ny\x1b[?1049lb"],
    ["what is above the bottom right corner is erased", "x".repeat(120), "\x1b[1Jy"],
    ["the character that is repeated next", "\x1b[44mab", "\x1b[3b"],
    ["a wide one", "漢\x1b[4;5H漢", "\x1b[3b"],
    ["one behind a full row, with marks", `${"x".repeat(19)}e\u0301`, "\x1b[3b"],
    ["one of a character set", "\x1b(0lq", "\x1b[3b"],
    ["one that was inserted", "abc\x1b[1;2H\x1b[4hx", "\x1b[2b"],
    ["one that did not fit", "\x1b[?7l\x1b[1;20H漢", "\x1b[2b\x1b[?7h"],
    ["a mark to come", "abe", "\u0301c"],
    ["a mark upon nothing", "ab\x1b[m\u0301c\x1b[3;1H\u0301\x1b[4;20H\u0301", "d"],
    ["a mark after a repeated character", "a\x1b[3b\u0301b", "c"],
    ["the underline's colour, without an underline", "\x1b[58:2::1:2:3m", "\x1b[4mx"],
    ["an underline below a link", "\x1b[4:3;58;5;9m\x1b]8;;http://a.example\x07x", "y\x1b]8;;\x07z"],
    ["the saved cursor's underline", "\x1b[4:3;58;5;9m\x1b7\x1b[m", "a\x1b8x"],
    [
      "a link that was open when the cursor was saved",
      "\x1b]8;;http://a.example\x07\x1b7\x1b]8;;\x07x",
      "\x1b8y",
    ],
    [
      "a link that is open when the cursor is restored",
      "\x1b[4m\x1b7\x1b[m\x1b]8;;http://a.example\x07",
      "\x1b8y",
    ],
    ["what a soft reset leaves", "\x1b[4:3m\x1b7\x1b[!p", "x\x1b8y"],
    ["the end of a row where a wide character did not fit", `\x1b[4;7;45m${"x".repeat(19)}漢`, "y"],
    ["halves of wide characters", "\x1b[7m漢字漢\x1b[1;2H\x1b[4ma\x1b[1;5Hb\x1b[1;19H漢\x1b[1;19Hc", "d"],
    ["letters all over, underlined and linked", "\x1b[4:3;31m\x1b]8;;http://a.example\x07\x1b#8", "x"],
    ["protected cells", 'a\x1b[1"qb\x1b[0"qc', "\r\x1b[?0Kd"],
    ["half an escape sequence", "a\x1b[3", "1mred"],
    ["half a sequence of eight bits", "a\u009b3", "1mred"],
    ["one in the middle of another", "a\x1b]2;ti\u009b3", "1mred"],
    ["half an OSC of eight bits", "a\u009d2;ti", "tle\u009cb"],
    ["half an OSC", "a\x1b]2;ti", "tle\x07b"],
    ["an OSC whose end is half there", "a\x1b]2;title\x1b", "\\b"],
  ])("%s", (_name, output, next) => {
    expectSame(output, next);
  });

  test("half a character or sequence, cut anywhere", () => {
    for (const character of ["ü", "漢", "😀", "\u009b31m", "\x1b]2;t\u009c", "\u0090x\u009d2;t\u009c"]) {
      const bytes = utf8(`a${character}b`);
      for (let cut = 1; cut < bytes.length; cut++) {
        expectSame(bytes.subarray(0, cut), bytes.subarray(cut));
      }
    }
  });

  test("any output, cut anywhere", () => {
    for (let seed = 1; seed <= 300; seed++) {
      const next = numbers(seed);
      const output = utf8(babble(next, 120));
      const cut = next(output.length);
      expectSame(output.subarray(0, cut), output.subarray(cut), 10 + next(30), 3 + next(8));
    }
  });

  test("a sequence too long to repeat is waited for", () => {
    const one = fed(`a\x1b]1337;File=:${"x".repeat(20_000)}`);
    expect(one.snapshot()).toBeNull();
    one.feed(utf8("\x07b"));
    expect(one.text()).toBe("ab");
    expect(one.snapshot()).not.toBeNull();
  });
});

const ODD = [
  "\b\bx",
  "a\vb",
  "a\fb",
  "\x07",
  "\ta\tb",
  "\x7f",
  "\0",
  "é",
  "\u0085x",
  "\x0fx",
  "漢".repeat(9),
];

describe("a flood", () => {
  test("leaves the same screen whether its lines come at once or one by one", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const next = numbers(seed);
      const before = babble(next, 40);
      const flood = Array.from(
        { length: 1300 + next(200) },
        (_, n) => `${n} ${"x".repeat(next(50) * (seed % 2))}\r\n`,
      );
      if (next(3) === 0) flood[next(flood.length)] = "\x1b[35mcoloured\r\n";
      const at = [fed(before), fed(before)] as const;
      at[0].feed(utf8(flood.join("")));
      for (const line of flood) {
        at[1].feed(utf8(line));
        at[1].flush();
      }
      expect(stateOf(at[0])).toEqual(stateOf(at[1]));
    }
  });

  test("leaves the same screen in whatever pieces it comes, with a sequence here and there", () => {
    for (let seed = 1; seed <= 6; seed++) {
      const next = numbers(seed);
      const lines = Array.from({ length: 30_000 }, (_, n) => `${n} ${"x".repeat(next(50) * (seed % 2))}\r\n`);
      for (let nth = 0; nth < seed - 1; nth++)
        lines[next(lines.length)] = "\x1b[3;20r\x1b[35mregion\x1b[r\r\n";
      for (let nth = 0; nth < 200; nth++) {
        lines[next(lines.length)] = `${ODD[next(ODD.length)]}\r\n`;
      }
      // Line drawing from somewhere in the last lines, or from long before.
      lines[lines.length - 1 - next(seed % 2 === 0 ? 2_000 : 20_000)] = "\x1b)0\x0eqqq\r\n";
      const flood = utf8(lines.join(""));
      const at = [fed(""), fed("")] as const;
      for (let from = 0; from < flood.length; ) {
        const piece = flood.subarray(from, from + next(400_000) + 1);
        at[0].feed(piece);
        from += piece.length;
      }
      for (let from = 0; from < flood.length; from += 4_000) {
        at[1].feed(flood.subarray(from, from + 4_000));
        at[1].flush();
      }
      expect(stateOf(at[0])).toEqual(stateOf(at[1]));
    }
  });
});

test("the cursor is restored where on the screen it was saved, with its character sets, however much has scrolled", () => {
  const scrolled = (rows: number) => `\x1b[6H${"\r\n".repeat(rows)}`;
  const row = (one: Screen) => one.text().split("\n").slice(-6)[2];
  for (const rows of [1, 20, 2_000]) {
    const one = fed(`\x1b)0\x1b[3;5H\x0e\x1b7\x0f${scrolled(rows)}\x1b8q\x0fq\x1b[6Hend`);
    const copy = copyOf(one);
    for (const at of [one, copy]) expect(row(at)).toBe("    ─q");
    copy.feed(utf8(`${scrolled(rows)}\x1b8qq\x1b[6Hend`));
    expect(row(copy)).toBe("    ──");
  }
});

test("programs are answered: who the terminal is, where the cursor stands, what its colours are", () => {
  const replies: string[] = [];
  const one = new Screen({
    cols: 80,
    rows: 24,
    reply: (text) => replies.push(text),
    foreground: [255, 255, 255],
    background: [0x2b, 0x2b, 0x2b],
  });
  one.feed(utf8("ab\x1b[c\x1b[6n\x1b]11;?\x07\x1b]10;?\x07\x1b[21t\x1b]2;title\x07\x1b[21t"));
  expect(replies).toEqual([
    "\x1b[?1;2c",
    "\x1b[1;3R",
    "\x1b]11;rgb:2b2b/2b2b/2b2b\x1b\\",
    "\x1b]10;rgb:ffff/ffff/ffff\x1b\\",
  ]);
});

/** The same whole numbers below a bound for the same seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return (state >> 8) % below;
  };
}

/** Output such as programs write, without sense. */
function babble(next: (below: number) => number, pieces: number): string {
  const n = () => next(12);
  const kinds: (() => string)[] = [
    () => "word ".repeat(next(6)),
    () => "üéß".slice(0, next(4)),
    () => "\r\n",
    () => `\x1b[${n()};${n()}H`,
    () => `\x1b[${next(3)}J`,
    () => `\x1b[${next(3)}K`,
    () => `\x1b[${30 + next(8)};${40 + next(8)}m`,
    () => `\x1b[${["1", "3", "7", "0", "38;5;99", "48;2;9;8;7"][next(6)]}m`,
    () => `\x1b[${1 + next(3)};${4 + next(4)}r`,
    () => ["\x1b7", "\x1bM", "\x1bD", "\x1bE"][next(4)] ?? "",
    () => ["\x1b[?1049h", "\x1b[?1049l"][next(2)] ?? "",
    () => ["\x1b[?6h", "\x1b[?6l", "\x1b[?7l", "\x1b[?7h", "\x1b[4h", "\x1b[4l"][next(6)] ?? "",
    () => ["\x1b(0", "\x1b(B"][next(2)] ?? "",
    () => `\x1b[${1 + next(5)}${"ABCDLMP@XST"[next(11)]}`,
    () => ["\t", "\b", "\x1bH", "\x1b[g"][next(4)] ?? "",
    () => `\x1b[${1 + next(40)}b`,
    () => ["漢", "漢字".repeat(next(8)), "\u0301", "e\u0301", "漢\u0301"][next(5)] ?? "",
    () => `\x1b[${["4", "4:3", "4:0", "21", "24", "58:2::1:2:3", "58;5;9", "59"][next(8)]}m`,
    () => ["\x1b]8;;http://a.example\x07", "\x1b]8;id=b;http://b.example\x07", "\x1b]8;;\x07"][next(3)] ?? "",
    () => ["\x1b8", "\x1b[s", "\x1b[u", "\x1b[?1048h", "\x1b[?1048l", "\x1b[!p"][next(6)] ?? "",
    () => (next(6) === 0 ? "\x1b#8" : ""),
    () => ["\x0e", "\x0f", "\x1b)0", "\x1b)A", "\x1bn"][next(5)] ?? "",
    () => ["\u009b31m", "\u009d2;t\u009c", "\x1b[?12l", "\x1b[?12h", "\x1b[3 q", "\x1b[0 q"][next(6)] ?? "",
  ];
  return Array.from({ length: pieces }, () => kinds[next(kinds.length)]?.() ?? "").join("");
}
