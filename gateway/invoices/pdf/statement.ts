import type { StatementLine } from "../../../actors/billing/statement/queries.ts";
import { dollars } from "../../../actors/platform/money.ts";
import type { BilledParty } from "../../../schemas/billing/billing-details.ts";
import type { Statement } from "../../../schemas/billing/statement.ts";
import {
  ACCENT,
  body,
  CELL,
  day,
  frame,
  INK,
  kindOf,
  LEFT,
  LINE,
  LINE_HEIGHT,
  label,
  MONTHS,
  money,
  PAPER,
  RIGHT,
  small,
  soft,
  strong,
  WORDS,
} from "./look.ts";
import { COLUMN, Sheet, type Style } from "./page.ts";
import { partyLines } from "./party.ts";

const DATE_WIDTH = 64;
const AMOUNT_WIDTH = 76;
const TEXT_WIDTH = COLUMN - DATE_WIDTH - 2 * AMOUNT_WIDTH - 2 * CELL;

const figure: Style = { ...body, size: 9 };

export interface StatementDocument {
  readonly statement: Statement;
  /** Null: there are too many for a document to print. */
  readonly lines: readonly StatementLine[] | null;
  readonly holder: { readonly username: string; readonly email: string };
  readonly billing: BilledParty | null;
}

/** Renders a statement of a month as a PDF: the same bytes for the same content. */
export async function renderStatement({
  statement,
  lines,
  holder,
  billing,
}: StatementDocument): Promise<Buffer> {
  const title = `Statement ${monthName(statement.month)}`;
  const party = partyLines(holder, billing ?? {});
  const sheet = await Sheet.open({
    title,
    author: "Berth",
    at: new Date(statement.until),
    texts: [WORDS, ...party, ...(lines ?? []).map(({ reason }) => reason)],
    onPage: (page, number) => frame(page, title, number),
  });
  const below = balances(sheet, statement, head(sheet, statement, party));
  const end = totals(sheet, statement, below);
  if (lines === null) tooMany(sheet, statement, end);
  else if (lines.length > 0) table(sheet, statement, lines, end);
  return sheet.bytes();
}

/** Draws the head. Like every part of the page, it returns the position of its end. */
function head(sheet: Sheet, { month, is_complete, until }: Statement, party: readonly string[]): number {
  sheet.line("Statement", RIGHT, 76, { size: 24, weight: "bold", color: ACCENT }, "right");
  sheet.line(monthName(month), RIGHT, 95, { ...strong, size: 11 }, "right");
  if (!is_complete) sheet.line(`until ${day(until)}`, RIGHT, 110, small, "right");
  let at = 76 - LINE_HEIGHT;
  for (const [index, text] of party.entries())
    at = sheet.paragraph(text, LEFT, at + LINE_HEIGHT, COLUMN - 200, index === 0 ? strong : soft);
  return Math.max(110, at);
}

function balances(sheet: Sheet, { opening_balance, closing_balance }: Statement, above: number): number {
  const top = above + 24;
  sheet.box(LEFT, top, COLUMN, 46, PAPER, 5);
  const change = Number(closing_balance) - Number(opening_balance);
  const cells = [
    ["OPENING BALANCE", money(Number(opening_balance))],
    ["CHANGE", money(change)],
    ["CLOSING BALANCE", money(Number(closing_balance))],
  ] as const;
  for (const [index, [name, value]] of cells.entries()) {
    const x = LEFT + CELL + (index * COLUMN) / 3;
    sheet.line(name, x, top + 18, label);
    sheet.line(value, x, top + 34, { ...strong, size: 11 });
  }
  return top + 46;
}

/** The sums by kind. */
function totals(sheet: Sheet, { totals: sums }: Statement, above: number): number {
  let at = above + 34;
  if (sums.length === 0) {
    sheet.line("No money moved in this month.", LEFT, at, body);
    return at;
  }
  sheet.line("BY KIND", LEFT, at, label);
  sheet.line("NUMBER", RIGHT - AMOUNT_WIDTH, at, label, "right");
  sheet.line("AMOUNT (USD)", RIGHT, at, label, "right");
  at += 9;
  sheet.rule(at, INK, 1);
  for (const { transaction_type, count, amount } of sums) {
    const top = sheet.room(at, 22) + 15;
    sheet.line(kindOf(transaction_type), LEFT, top, body);
    sheet.line(String(count), RIGHT - AMOUNT_WIDTH, top, figure, "right");
    sheet.line(money(Number(amount)), RIGHT, top, figure, "right");
    at = top + 7;
    sheet.rule(at, LINE);
  }
  return at;
}

function table(
  sheet: Sheet,
  { opening_balance }: Statement,
  lines: readonly StatementLine[],
  above: number,
): void {
  let at = sheet.room(above + 36, 60);
  sheet.line("DATE", LEFT, at, label);
  sheet.line("DESCRIPTION", LEFT + DATE_WIDTH, at, label);
  sheet.line("AMOUNT (USD)", RIGHT - AMOUNT_WIDTH, at, label, "right");
  sheet.line("BALANCE", RIGHT, at, label, "right");
  at += 9;
  sheet.rule(at, INK, 1);
  let balance = Number(opening_balance);
  for (const { at: when, type, reason, cents, invoiceNumber } of lines) {
    balance += dollars(cents);
    const top = sheet.room(at, 38 + sheet.height(reason, TEXT_WIDTH, body)) + 16;
    sheet.line(shortDay(when), LEFT, top, figure);
    const last = sheet.paragraph(reason, LEFT + DATE_WIDTH, top, TEXT_WIDTH, body);
    sheet.line(money(dollars(cents)), RIGHT - AMOUNT_WIDTH, top, figure, "right");
    sheet.line(money(balance), RIGHT, top, figure, "right");
    const kind = [kindOf(type), ...(invoiceNumber === null ? [] : [invoiceNumber])].join(", ");
    sheet.line(kind, LEFT + DATE_WIDTH, last + 12, small);
    at = last + 20;
    sheet.rule(at, LINE);
  }
}

function tooMany(sheet: Sheet, { transaction_count }: Statement, above: number): void {
  const text = `The ${transaction_count} transactions of this month are more than a document prints. The same statement as CSV has them all.`;
  sheet.paragraph(text, LEFT, sheet.room(above + 34, 30), COLUMN, body);
}

/** "November 2026" */
function monthName(month: string): string {
  const [year = "", number = ""] = month.split("-");
  return `${MONTHS[Number(number) - 1]} ${year}`;
}

/** "26 Nov" */
const shortDay = (at: Date): string => `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]?.slice(0, 3)}`;
