import { Screen } from "../../../../agents/terminal/screen/screen.ts";

/** Feeds a screen with every control sequence, each with numbers beyond all bounds. Ends when they are parsed. */

const black = [0, 0, 0] as const;
const one = new Screen({ cols: 80, rows: 24, reply: () => undefined, foreground: black, background: black });
const utf8 = (text: string) => new TextEncoder().encode(text);

const FINALS = Array.from({ length: 0x7f - 0x40 }, (_, at) => String.fromCharCode(0x40 + at));
const MAX = 2_147_483_647;
const NUMBERS = [
  `${MAX}`,
  "99999999999999999999",
  `${MAX};${MAX}`,
  `1;${MAX}`,
  `400000000:${MAX}`,
  `${MAX};`.repeat(1000),
];

for (const final of FINALS) {
  for (const prefix of ["", "?", ">", "=", "<"]) {
    for (const intermediate of ["", " ", "!", '"', "$", "'", "#", "*"]) {
      for (const numbers of NUMBERS) {
        one.feed(utf8(`\x1b[2;20r\x1b[5;5H漢a\x1b[${prefix}${numbers}${intermediate}${final}`));
      }
    }
  }
}
for (const command of [0, 1, 2, 4, 8, 9, 10, 11, 12, 52, 104, 110, 111, 112, 133, 1337]) {
  for (const part of ["0;?;", ";", "x", "1;rgb:1/2/3;", `${MAX};`]) {
    one.feed(utf8(`\x1b]${command};${part.repeat(5_000_000 / part.length)}\x1b\\`));
  }
}
for (const step of [
  "\x1b]8;id=a;http://a.example\x07\x1b[B",
  "\x1b]8;;http://a.example\x07x",
  "\x1bH",
  "\x1b[22t",
  "\x1b7",
]) {
  one.feed(utf8(step.repeat(100_000)));
}
one.feed(utf8("\x1bcdone"));
if (one.text() !== "done") throw new Error(`not parsed: ${one.text()}`);
