import { withoutSeconds } from "./format.ts";

const GAP = "  ";
const CUT = "…";
/** A column is not cut below this: names would become unreadable. */
const WIDTH_MIN = 6;

interface Table {
  readonly titles: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/**
 * Rows below their titles. Where a width is given and they are wider, ids go that names stand for, then the seconds of times; then the widest
 * columns are cut until the table fits. A cut id or time is of no use to anybody, so those are the last.
 *
 * @param width of the terminal; undefined: nothing is cut, as for a file or another program
 */
export function table(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  width?: number,
): string {
  const whole: Table = { titles, rows: rows.map((row) => row.map(printable)) };
  if (width === undefined) return drawn(whole, widthsOf(whole));
  const fits = (one: Table) => sum(widthsOf(one)) <= roomOf(one, width);
  const shorter = [withoutIds, withShortTimes].reduce(
    (one, shorten) => (fits(one) ? one : shorten(one)),
    whole,
  );
  return drawn(shorter, fit(shorter, roomOf(shorter, width)));
}

const roomOf = ({ titles }: Table, width: number) => width - GAP.length * (titles.length - 1);

/** Titles of columns by which people name things. */
const NAMES = ["NAME", "ALIAS", "USERNAME", "NUMBER"];

/** Without the ids, where each row has a name of its own. */
function withoutIds(one: Table): Table {
  const { titles, rows } = one;
  const [at, name] = [titles.indexOf("ID"), titles.findIndex((title) => NAMES.includes(title))];
  if (at === -1 || name === -1 || new Set(rows.map((row) => row[name])).size < rows.length) return one;
  return { titles: titles.toSpliced(at, 1), rows: rows.map((row) => row.toSpliced(at, 1)) };
}

const withShortTimes = ({ titles, rows }: Table): Table => ({
  titles,
  rows: rows.map((row) => row.map(withoutSeconds)),
});

function drawn({ titles, rows }: Table, widths: readonly number[]): string {
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) => pad(cell, widths[at] ?? 0))
      .join(GAP)
      .trimEnd();
  return `${[titles, ...rows].map(line).join("\n")}\n`;
}

/** A name or a description is somebody else's text: it must not steer the terminal. */
export const printable = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
  text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g, " ");

const widthOf = (text: string) => Bun.stringWidth(text);

const widthsOf = ({ titles, rows }: Table): number[] =>
  titles.map((title, at) => Math.max(widthOf(title), ...rows.map((row) => widthOf(row[at] ?? ""))));

/** An id, an instant to the minute, or an amount. */
const WHOLE = /^(?:[0-9a-f]{24}|\d{4}-\d{2}-\d{2} \d{2}:\d{2}Z|[-+]?\$\d+\.\d{2})?$/;

function fit(one: Table, room: number): number[] {
  const widths = widthsOf(one);
  const isWhole = one.titles.map((_, at) => one.rows.every((row) => WHOLE.test(row[at] ?? "")));
  for (const isCut of [(at: number) => !isWhole[at], () => true])
    for (let over = sum(widths) - room; over > 0; over--) {
      const widest = Math.max(...widths.filter((_, at) => isCut(at)));
      if (!(widest > WIDTH_MIN)) break;
      widths[widths.findIndex((width, at) => width === widest && isCut(at))] = widest - 1;
    }
  return widths;
}

function pad(text: string, width: number): string {
  const missing = width - widthOf(text);
  if (missing >= 0) return text + " ".repeat(missing);
  let kept = "";
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (widthOf(kept + segment) > width - CUT.length) break;
    kept += segment;
  }
  return pad(kept + CUT, width);
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
