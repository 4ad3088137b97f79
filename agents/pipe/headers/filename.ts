import { FILENAME_CHARS_MAX } from "../limits.ts";

// Path separators, control characters (including NUL and line ends), and marks that change the direction of text:
// "gpj.exe" must not read as "exe.jpg".
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not pass
const STRIPPED = /[/\\\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/gu;

/** The name of a receiver's file, from its URL (spec §4.2). May be empty. */
export function safeFilename(asked: string): string {
  const name = asked
    .replace(STRIPPED, "")
    .trim()
    .replace(/^[.\s]+/, "");
  return Array.from(name).slice(0, FILENAME_CHARS_MAX).join("");
}
