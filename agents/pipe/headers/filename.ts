import { FILENAME_CHARS_MAX } from "../limits.ts";

// Separators of paths, controls (NUL and line ends among them), and the marks that turn the direction of text around:
// "gpj.exe" must not read as "exe.jpg".
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not pass
const STRIPPED = /[/\\\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/gu;

/** A name for a receiver's file, from what its URL asked for (spec §4.2). May be empty. */
export function safeFilename(asked: string): string {
  const name = asked
    .replace(STRIPPED, "")
    .trim()
    .replace(/^[.\s]+/, "");
  return Array.from(name).slice(0, FILENAME_CHARS_MAX).join("");
}

/** `attachment` with a file name as RFC 6266 has it: for old readers in ASCII, and in full by RFC 8187 where that loses something. */
export function attachment(filename: string): string {
  if (filename === "") return "attachment";
  const ascii = filename.replace(/[^\x20-\x7e]/gu, "_");
  const quoted = `attachment; filename="${ascii.replace(/["\\]/g, "\\$&")}"`;
  // Readers decode an escape in the quoted form now and then, so a name with a percent sign is said twice, too.
  return ascii === filename && !filename.includes("%")
    ? quoted
    : `${quoted}; filename*=UTF-8''${extValue(filename)}`;
}

function extValue(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
