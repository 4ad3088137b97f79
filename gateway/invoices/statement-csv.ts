import { stringify } from "csv-stringify/sync";
import type { StatementLine } from "../../actors/billing/statement/queries.ts";
import { signedFromCents, toCents } from "../../actors/platform/money.ts";
import type { Statement } from "../../schemas/billing/statement.ts";

/** Lines that are read from the database at a time. */
export const CSV_PAGE = 1_000;

const HEADER = [
  "date",
  "type",
  "description",
  "amount",
  "balance",
  "currency",
  "transaction_id",
  "invoice_number",
];
const CURRENCY = "USD";

/** What a spreadsheet would run as a formula. Amounts, which may begin with a minus, are written by Berth. */
const FORMULA = /^[=+\-@\t\r]/;
const plain = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

const written = (rows: readonly (readonly string[])[], bom = false): string =>
  stringify(
    rows.map((row) => [...row]),
    { bom, record_delimiter: "windows" },
  );

/**
 * A statement as CSV, piece by piece: the opening balance, a line for each transaction with the balance after it, the closing balance. It begins
 * with a byte order mark, without which spreadsheets spoil umlauts.
 *
 * @param read the lines after one, oldest first, at most `CSV_PAGE`
 */
export async function* writeStatement(
  { opening_balance, closing_balance, from, until }: Statement,
  read: (after: StatementLine | undefined) => Promise<readonly StatementLine[]>,
): AsyncGenerator<string> {
  const end = (at: string, type: string, description: string, balance: string) =>
    [at, type, description, "", balance, CURRENCY, "", ""] as const;
  yield written([HEADER, end(from, "opening_balance", "Opening balance", opening_balance)], true);
  let balance = toCents(opening_balance);
  let page: readonly StatementLine[];
  let last: StatementLine | undefined;
  do {
    page = await read(last);
    last = page.at(-1);
    const rows = page.map(({ id, at, type, reason, cents, invoiceNumber }) => {
      balance += cents;
      const amounts = [signedFromCents(cents), signedFromCents(balance), CURRENCY];
      return [at.toISOString(), type, plain(reason), ...amounts, id, invoiceNumber ?? ""];
    });
    if (rows.length > 0) yield written(rows);
  } while (page.length === CSV_PAGE);
  yield written([end(until, "closing_balance", "Closing balance", closing_balance)]);
}
