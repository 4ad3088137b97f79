import { expect, test } from "bun:test";
import { escapeReader, withoutAnswers } from "../../../client/cli/edge/escape.ts";
import { quoted } from "../../../client/cli/edge/shell-words.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (given: Uint8Array) => new TextDecoder().decode(given);

test("~. at the beginning of a line leaves, also in pieces; ~~ is a ~, and elsewhere a ~ is a ~", () => {
  const typed = (...pieces: string[]) => {
    const read = escapeReader();
    const keys = pieces.map((piece) => read(bytes(piece)));
    return [keys.map(({ passed }) => text(passed)).join(""), keys.some(({ isLeaving }) => isLeaving)];
  };
  expect(typed("ls\r~.")).toEqual(["ls\r", true]);
  expect(typed("~", ".")).toEqual(["", true]);
  expect(typed("~~.")).toEqual(["~.", false]);
  expect(typed("ls ~.\r")).toEqual(["ls ~.\r", false]);
  expect(typed("~/bin\r")).toEqual(["~/bin\r", false]);
});

test("what the terminal says by itself is not typed into the program; keys are", () => {
  const answers =
    "\u001b[?62;c\u001b[>0;10;1c\u001b[24;80R\u001b]11;rgb:0000/0000/0000\u001b\\\u001bP1$r0m\u001b\\\u001b[?25;1$y";
  expect(text(withoutAnswers(bytes(`a${answers}b`)))).toBe("ab");
  const keys = "\u001b[A\u001bOP\u001b[200~é\u001b[201~\u001b[1;5C";
  expect(text(withoutAnswers(bytes(keys)))).toBe(keys);
});

test("a shell makes the same words of a quoted command", () => {
  const words = ["sh", "-c", "echo 'two  words'; exit 3", "", "$HOME", "a=b", "~"];
  const { stdout } = Bun.spawnSync(["sh", "-c", `printf '%s\\n' ${quoted(words)}`]);
  expect(stdout.toString().split("\n").slice(0, -1)).toEqual(words);
});
