import { formatCents, formatDateTime, formatDays, formatMoney } from "./format.ts";

/** The unit stands with the figure. */
export const nameWords = (name: string): string => name.replace(/_cents$/, "").replaceAll("_", " ");

/** Amounts of money that are text, in dollars. */
const AMOUNTS = new Set(["amount", "refunded"]);
/** Prices in cents, by days. */
const PRICES = new Set(["prices", "pricing_rules", "setup_fee_rules"]);
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** A value of a record as a person reads it: money, days and times in the reader's own format. */
export function valueWords(name: string, value: unknown): string {
  if (typeof value === "number" && name.endsWith("_cents")) return formatCents(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") {
    if (AMOUNTS.has(name)) return formatMoney(value);
    return TIME.test(value) ? formatDateTime(value) : value;
  }
  if (typeof value !== "object" || value === null) return String(value);
  const entries = Object.entries(value);
  if (PRICES.has(name))
    return entries.map(([days, cents]) => `${formatDays(Number(days))} ${formatCents(cents)}`).join(", ");
  if (Array.isArray(value)) return value.map((one) => valueWords("", one)).join("; ");
  return entries.map(([inner, one]) => `${nameWords(inner)} ${valueWords(inner, one)}`).join(", ");
}
