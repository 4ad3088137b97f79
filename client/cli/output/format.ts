import { sizeText } from "../../compose/units.ts";

/** How values are shown to people. */

export const money = (cents: number): string => dollars(cents / 100);

/** `$2.50`, `-$2.50`. */
export const dollars = (amount: number | string): string =>
  `${Number(amount) < 0 ? "-" : ""}$${Math.abs(Number(amount)).toFixed(2)}`;

/** Types of transactions that raise the general balance; all others lower it. */
const RAISING = new Set(["credit", "top_up", "bonus", "refund"]);

/** What a transaction did to the balance: `+$25.00`, `-$7.00`. */
export const balanceChange = (type: string, amount: number): string =>
  `${RAISING.has(type) ? "+" : "-"}${dollars(amount)}`;

/** `1 rule`, `2 rules`. */
export const plural = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`;

/** An instant of the API (ISO 8601), to the second. */
export const time = (instant: string | null): string =>
  instant === null ? "" : `${instant.slice(0, 19).replace("T", " ")}Z`;

/** An instant as `time` shows it, to the minute; other texts as they are. */
export const withoutSeconds = (text: string): string =>
  text.replace(/^(\d{4}-\d{2}-\d{2} \d{2}:\d{2}):\d{2}Z$/, "$1Z");

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

/** A value of a record, by its name: instants, sizes and prices as people read them. */
export function shown(name: string, value: unknown): string {
  if (typeof value === "string" && INSTANT.test(value)) return time(value);
  if (typeof value === "number" && name.endsWith("_bytes")) return bytes(value);
  if (typeof value === "number" && name.endsWith("_cents")) return money(value);
  return String(value);
}

export const bytes = (count: number | null): string => (count === null ? "" : sizeText(count));

export const percent = (value: number | null): string => (value === null ? "" : `${value.toFixed(1)} %`);

export const yesNo = (value: boolean): string => (value ? "yes" : "no");

/** Seconds as a clock shows them: `1:05`, `2:00:09`. */
export function clock(seconds: number): string {
  const [whole, hours] = [
    Math.max(0, Math.round(seconds)),
    Math.floor(Math.max(0, Math.round(seconds)) / 3_600),
  ];
  const [minutes, rest] = [Math.floor(whole / 60) % 60, String(whole % 60).padStart(2, "0")];
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}
