import type { Invoice } from "../../../schemas/billing/invoice.ts";
import {
  ACCENT,
  body,
  CELL,
  day,
  frame,
  HALF,
  INK,
  kindOf,
  LEFT,
  LINE,
  LINE_HEIGHT,
  label,
  MIDDLE,
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

/** Renders an invoice as a PDF: always the same bytes for the same invoice. */

const PAID = "#1c7c4a";
const PAID_PAPER = "#e3f3ea";
const AMOUNT_WIDTH = 110;

export async function renderInvoice(invoice: Invoice): Promise<Buffer> {
  const { seller, buyer, items, billing_details: paid } = invoice;
  const title = isCreditNote(invoice) ? "Credit note" : "Invoice";
  const sheet = await Sheet.open({
    title: `${title} ${invoice.invoice_number}`,
    author: seller.name,
    at: new Date(invoice.issue_date),
    texts: [
      WORDS,
      seller.name,
      ...seller.details,
      ...partyLines(buyer, paid),
      paid.payment_method,
      ...items.map((item) => item.description),
      ...Object.values(invoice).filter((value) => typeof value === "string"),
    ],
    onPage: (page, number) => frame(page, `${title} ${invoice.invoice_number}`, number),
  });
  const below = parties(sheet, invoice, dates(sheet, invoice, head(sheet, invoice, title)));
  const end = total(sheet, invoice, table(sheet, invoice, below));
  payment(sheet, invoice, end);
  return sheet.bytes();
}

/** A refund is documented by a credit note: nobody owes or pays anything, the money went back. */
const isCreditNote = ({ transaction }: Invoice): boolean => transaction.transaction_type === "refund";

/** As the balance of the business sees it: what went back is below zero. */
const signed = (invoice: Invoice, amount: number): string => money(isCreditNote(invoice) ? -amount : amount);

/** Draws the head. Like every part of the page, it returns the position of its end. */
function head(sheet: Sheet, invoice: Invoice, title: string): number {
  sheet.line(title, RIGHT, 76, { size: 24, weight: "bold", color: ACCENT }, "right");
  sheet.line(invoice.invoice_number, RIGHT, 95, { ...strong, size: 11 }, "right");
  const room = COLUMN - 200;
  const name: Style = { size: 18, weight: "bold", color: INK };
  return Math.max(95, sheet.paragraph(invoice.seller.name, LEFT, 76, room, name));
}

function dates(sheet: Sheet, invoice: Invoice, above: number): number {
  const top = above + 29;
  sheet.box(LEFT, top, COLUMN, 46, PAPER, 5);
  const issued = ["ISSUED", day(invoice.issue_date)] as const;
  const cells = isCreditNote(invoice)
    ? [issued, ["RETURNED", day(invoice.paid_date)] as const]
    : ([issued, ["DUE", day(invoice.due_date)], ["PAID", day(invoice.paid_date)]] as const);
  for (const [index, [name, value]] of cells.entries()) {
    const x = LEFT + CELL + index * 130;
    sheet.line(name, x, top + 18, label);
    sheet.line(value, x, top + 34, strong);
  }
  const badge: Style = { size: 9, weight: "bold", color: PAID };
  const word = isCreditNote(invoice) ? "RETURNED" : invoice.status.toUpperCase();
  const width = sheet.width(word, badge) + 20;
  sheet.box(RIGHT - CELL - width, top + 13, width, 20, PAID_PAPER, 10);
  sheet.line(word, RIGHT - CELL - width + 10, top + 26.4, badge);
  return top + 46;
}

function parties(sheet: Sheet, invoice: Invoice, above: number): number {
  const { seller, buyer, billing_details } = invoice;
  const top = above + 34;
  const party = (name: string, x: number, lines: readonly string[]) => {
    sheet.line(name, x, top, label);
    let at = top + 3;
    for (const [index, text] of lines.entries()) {
      at = sheet.paragraph(text, x, at + LINE_HEIGHT, HALF, index === 0 ? strong : soft);
    }
    return at;
  };
  const from = party("FROM", LEFT, [seller.name, ...seller.details]);
  const to = party(
    isCreditNote(invoice) ? "RETURNED TO" : "BILLED TO",
    MIDDLE,
    partyLines(buyer, billing_details),
  );
  return Math.max(from, to);
}

function table(sheet: Sheet, invoice: Invoice, above: number): number {
  const { items } = invoice;
  const width = COLUMN - AMOUNT_WIDTH - 2 * CELL;
  const heightOf = (text: string) => 19 + sheet.height(text, width, body) + 24;
  let at = sheet.room(above + 36, 9 + heightOf(items[0]?.description ?? ""));
  sheet.line("DESCRIPTION", LEFT + CELL, at, label);
  sheet.line("AMOUNT (USD)", RIGHT - CELL, at, label, "right");
  at += 9;
  sheet.rule(at, INK, 1);
  for (const item of items) {
    const top = sheet.room(at, heightOf(item.description)) + 19;
    const last = sheet.paragraph(item.description, LEFT + CELL, top, width, body);
    sheet.line(signed(invoice, item.amount), RIGHT - CELL, top, body, "right");
    sheet.line(kindOf(item.type), LEFT + CELL, last + 13, small);
    at = last + 24;
    sheet.rule(at, LINE);
  }
  return at;
}

function total(sheet: Sheet, invoice: Invoice, above: number): number {
  const { amount, currency } = invoice;
  const top = sheet.room(above + 14, 38);
  const width = 230;
  sheet.box(RIGHT - width, top, width, 38, PAPER, 5);
  sheet.line(
    `${isCreditNote(invoice) ? "Total returned" : "Total"} ${currency}`,
    RIGHT - width + CELL,
    top + 23.5,
    { ...strong, size: 11 },
  );
  sheet.line(
    signed(invoice, amount),
    RIGHT - CELL,
    top + 24,
    { size: 14, weight: "bold", color: ACCENT },
    "right",
  );
  return top + 38;
}

function payment(sheet: Sheet, invoice: Invoice, above: number): void {
  const top = sheet.room(above + 36, 17);
  const facts = [
    [isCreditNote(invoice) ? "RETURNED AS" : "PAID WITH", invoice.billing_details.payment_method],
    ["TRANSACTION", invoice.transaction_id],
  ] as const;
  for (const [index, [name, value]] of facts.entries()) {
    const x = index === 0 ? LEFT : MIDDLE;
    sheet.line(name, x, top, label);
    sheet.line(value, x, top + 17, body);
  }
}
