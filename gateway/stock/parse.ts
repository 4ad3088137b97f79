import { CsvError, parse } from "csv-parse/sync";
import { DomainError } from "../../schemas/errors.ts";
import { CSV_ERRORS_MAX, STOCK_ROWS_MAX } from "../../schemas/market/stock-import.ts";
import { columnNamed, IDENTITY_COLUMNS } from "./columns.ts";

/** Reads the text of a file of servers: its rows by column, and everything that is wrong with it, by line and column. */

export interface CsvProblem {
  readonly line: number;
  readonly column: string | null;
  readonly message: string;
}

export interface CsvRow {
  readonly line: number;
  readonly cells: ReadonlyMap<string, string>;
}

/** A longer row holds no server: the widest has some 3 KB. */
const ROW_CHARACTERS_MAX = 65_536;
/** Rows that are read, those without a word in them included: reading more would keep the gateway from its other work. */
const RECORDS_MAX = 10_000;
/** What `escape_formulas` puts an apostrophe before. */
const GUARDED = /^'(?=[=+\-@\t\r＝＋－＠])/;

/** @throws DomainError INVALID_CSV with all problems */
export function refuseProblems(problems: readonly CsvProblem[], code: "INVALID_CSV" | "STOCK_CHANGED"): void {
  const [first] = problems;
  if (first === undefined) return;
  const place = first.column === null ? `line ${first.line}` : `line ${first.line}, column ${first.column}`;
  const more = problems.length === 1 ? "" : ` (and ${problems.length - 1} more)`;
  const errors = problems.slice(0, CSV_ERRORS_MAX);
  throw new DomainError(code, `${place}: ${first.message}${more}`, { errors, count: problems.length });
}

/** @throws DomainError INVALID_CSV */
export function parseStock(bytes: Uint8Array): CsvRow[] {
  const records = readRecords(decode(bytes));
  const [header, ...rows] = records;
  if (header === undefined) return fail(1, null, "a header with the names of the columns is required");
  const names = header.cells.map((name) => name.trim());
  refuseProblems(problemsOfHeader(header.line, names), "INVALID_CSV");
  if (rows.length > STOCK_ROWS_MAX)
    return fail(rows[STOCK_ROWS_MAX]?.line ?? 1, null, `a file has at most ${STOCK_ROWS_MAX} servers`);
  const uneven = rows.filter(({ cells }) => cells.length !== names.length);
  const problems = uneven.map(({ line, cells }) => ({
    line,
    column: null,
    message: `has ${cells.length} cells, and the header has ${names.length} columns`,
  }));
  refuseProblems(problems, "INVALID_CSV");
  return rows.map(({ line, cells }) => ({
    line,
    cells: new Map(names.map((name, at) => [name, (cells[at] ?? "").trim().replace(GUARDED, "")])),
  }));
}

function decode(bytes: Uint8Array): string {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return fail(1, null, "the file must be text in UTF-8");
  }
  const nulAt = text.indexOf("\0");
  if (nulAt !== -1) return fail(text.slice(0, nulAt).split("\n").length, null, "has a NUL, which is no text");
  return text;
}

function readRecords(text: string): { line: number; cells: string[] }[] {
  const [head = ""] = text.split(/\r?\n/, 1);
  // Spreadsheets separate by semicolons where the comma is for decimals.
  const delimiter = head.includes(";") && !head.includes(",") ? ";" : ",";
  try {
    const records = parse(text, {
      delimiter,
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: ROW_CHARACTERS_MAX,
      to: RECORDS_MAX + 1,
    }) as unknown as { record: string[]; info: { lines: number } }[];
    if (records.length > RECORDS_MAX)
      return fail(RECORDS_MAX + 1, null, `a file has at most ${STOCK_ROWS_MAX} servers`);
    const filled = records.filter(({ record }) => record.some((cell) => cell.trim() !== ""));
    return filled.map(({ record, info }) => ({ line: info.lines, cells: record }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = typeof error.lines === "number" ? error.lines : 1;
    return fail(line, null, `is no CSV: ${error.message}`);
  }
}

function problemsOfHeader(line: number, names: readonly string[]): CsvProblem[] {
  const identity: readonly string[] = IDENTITY_COLUMNS;
  return names.flatMap((column, at) => {
    if (names.indexOf(column) !== at) return [{ line, column, message: "is there twice" }];
    if (identity.includes(column) || columnNamed(column) !== undefined) return [];
    return [{ line, column, message: "is no column of the stock" }];
  });
}

function fail(line: number, column: string | null, message: string): never {
  refuseProblems([{ line, column, message }], "INVALID_CSV");
  throw new Error("a problem is refused");
}
