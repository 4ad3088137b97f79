/** A command as people type it, and as the API takes it: a list of words. */

const WORD = /"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/gs;

/** `sh -c "echo hi"` is three words; within double quotes `\` keeps the next character. */
export const readWords = (text: string): string[] =>
  [...text.matchAll(WORD)].map(([, double, single, plain = ""]) =>
    double !== undefined ? double.replace(/\\(.)/gs, "$1") : (single ?? plain),
  );

/** The same words as text that `readWords` reads back. */
export const writeWords = (words: readonly string[]): string =>
  words.map((word) => (/^[^\s"'\\]+$/.test(word) ? word : `"${word.replace(/["\\]/g, "\\$&")}"`)).join(" ");
