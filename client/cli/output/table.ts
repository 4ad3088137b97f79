const GAP = "  ";
const CUT = "…";
/** A column is not cut below this: names would become unreadable. */
const WIDTH_MIN = 6;

/**
 * Rows below their titles. Where a width is given, the widest columns are cut until the table fits.
 *
 * @param width of the terminal; undefined: nothing is cut, as for a file or another program
 */
export function table(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  width?: number,
): string {
  const cells = [titles, ...rows.map((row) => row.map(printable))];
  const wanted = titles.map((_, at) => Math.max(...cells.map((row) => widthOf(row[at] ?? ""))));
  const widths = width === undefined ? wanted : fit(wanted, width - GAP.length * (titles.length - 1));
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) => pad(cell, widths[at] ?? 0))
      .join(GAP)
      .trimEnd();
  return `${cells.map(line).join("\n")}\n`;
}

/** A name or a description is somebody else's text: it must not steer the terminal. */
export const printable = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
  text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g, " ");

const widthOf = (text: string) => Bun.stringWidth(text);

function fit(wanted: readonly number[], room: number): number[] {
  const widths = [...wanted];
  for (let over = sum(widths) - room; over > 0; over--) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= WIDTH_MIN) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
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
