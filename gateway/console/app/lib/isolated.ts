/** Letters that are written from right to left: Hebrew, Arabic, and the others of Unicode. */
const LETTERS = "\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}";
/** From such a letter to the last one or to the last digit, while nothing comes between that belongs to the sentence; then brackets that close. */
const RUN = new RegExp(`([${LETTERS}](?:[^\\p{L},:;?!“”]*[${LETTERS}\\p{N}])*)([)\\]}]*)`, "gu");

/**
 * A sentence in which what is written from right to left, such as a name that somebody chose, has its own direction, and leaves that of
 * the words around it alone. For texts; elements have `unicode-bidi: isolate`.
 */
export const isolated = (text: string): string =>
  text.replace(RUN, (_whole, run: string, closing: string) => {
    // Brackets that were opened within the name are closed there.
    const own = Math.min(closing.length, Math.max(0, count(run, /[([{]/g) - count(run, /[)\]}]/g)));
    return `\u2068${run}${closing.slice(0, own)}\u2069${closing.slice(own)}`;
  });

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
