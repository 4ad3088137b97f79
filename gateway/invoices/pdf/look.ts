import { moneyText } from "../../../actors/platform/money.ts";
import { COLUMN, SHEET, type Sheet, type Style } from "./page.ts";

/** The look of all documents: colours, styles, the frame of a page, and how days, amounts and kinds are written. */

export const INK = "#16202c";
export const SOFT = "#5d6b7a";
export const LINE = "#d9dfe6";
export const PAPER = "#f4f7fa";
export const ACCENT = "#0f5d8f";

export const body: Style = { size: 9.5, weight: "regular", color: INK };
export const strong: Style = { ...body, weight: "bold" };
export const soft: Style = { ...body, color: SOFT };
export const label: Style = { size: 7.5, weight: "bold", color: SOFT };
export const small: Style = { size: 8, weight: "regular", color: SOFT };

export const LEFT = SHEET.margin;
export const RIGHT = SHEET.width - SHEET.margin;
export const MIDDLE = LEFT + COLUMN / 2 + 8;
export const HALF = COLUMN / 2 - 16;
export const LINE_HEIGHT = 14;
export const CELL = 12;

export const MONTHS =
  "January February March April May June July August September October November December".split(" ");

/** The characters of the page's own texts: ASCII. */
export const WORDS = String.fromCharCode(...Array.from({ length: 0x7f - 0x20 }, (_, i) => 0x20 + i));

/** Draws the frame of every page. */
export function frame(sheet: Sheet, name: string, page: number): void {
  const y = SHEET.height - 44;
  sheet.box(0, 0, SHEET.width, 6, ACCENT);
  sheet.rule(y - 16, LINE);
  sheet.line(page === 1 ? name : `${name}, page ${page}`, LEFT, y, small);
  sheet.line("Amounts are in US dollars. Dates are in UTC.", RIGHT, y, small, "right");
}

/** "21 November 2026", in UTC. */
export function day(time: string): string {
  const date = new Date(time);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** "$1,234.50", "-$32.00" */
export const money = (amount: number): string => moneyText(amount.toFixed(2));

/** The printed names of transaction types; other types are printed as they are. */
const KINDS: Readonly<Record<string, string>> = {
  ai_credit: "AI credit",
  fee: "Fee",
  credit: "Credit to the wallet",
  top_up: "Top-up of the wallet",
  bonus: "Bonus",
  rental: "Server rental",
  rental_extension: "Extension of a server rental",
  reservation: "Reservation of a server",
  image_purchase: "Container image",
  refund: "Refund",
  ai_credit_transfer: "AI credit",
  forfeit: "Given up with the account",
};

export const kindOf = (type: string) => KINDS[type] ?? type.replaceAll("_", " ");
