/** Fields of several lines: a pair on each, as in a file of variables. */

/** `name=value` of each line; a line without `=` is a name with an empty value, which the API judges. A value in double quotes is read as JSON. */
export const pairsOf = (text: string): [string, string][] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => {
      const end = line.indexOf("=");
      return end === -1 ? [line, ""] : [line.slice(0, end).trim(), unquoted(line.slice(end + 1))];
    });

/** What is wrong with lines of variables, in words: a name alone is a slip, since a variable that is empty is written `NAME=`. */
export function missingValueIn(text: string): string | null {
  const at = text.split("\n").findIndex((line) => line.trim() !== "" && !line.includes("="));
  return at === -1 ? null : `Line ${at + 1}: write NAME=value.`;
}

/** The same pairs as text that `pairsOf` reads back. */
export const linesOf = (pairs: readonly (readonly [string, string])[]): string =>
  pairs.map(([name, value]) => `${name}=${isPlain(value) ? value : JSON.stringify(value)}`).join("\n");

/** A value of several lines, or with blanks at its ends, is itself only in quotes. */
const isPlain = (value: string): boolean => value === value.trim() && !/^"|[\n\r]/.test(value);

function unquoted(text: string): string {
  if (!/^".*"$/.test(text)) return text;
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}
