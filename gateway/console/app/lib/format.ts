/** Dates and money in the reader's own format. */

const usd = new Intl.NumberFormat(undefined, { style: "currency", currency: "USD" });
const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const date = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });

/** @param amount text or number in USD */
export const formatMoney = (amount: string | number): string => usd.format(Number(amount));
export const formatCents = (cents: number): string => usd.format(cents / 100);
export const formatDateTime = (iso: string): string => dateTime.format(new Date(iso));
export const formatDate = (iso: string): string => date.format(new Date(iso));

const UNITS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** "in 3 days", "2 minutes ago". */
export function formatRelative(iso: string, nowMs = Date.now()): string {
  const seconds = (new Date(iso).getTime() - nowMs) / 1_000;
  for (const [unit, length] of UNITS)
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit);
  return relative.format(0, "second");
}

const BYTE_UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
/** A figure with one decimal at most: "1.5 GiB". */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), BYTE_UNITS.length - 1);
  const figure = bytes / 1024 ** power;
  return `${figure.toLocaleString(undefined, { maximumFractionDigits: figure < 10 ? 1 : 0 })} ${BYTE_UNITS[power]}`;
}

export const formatNumber = (figure: number): string => figure.toLocaleString();

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString()} ${count === 1 ? one : many}`;

/** "1 day", "1 month (30 days)". */
export const formatDays = (days: number): string => plural(days, "day");
