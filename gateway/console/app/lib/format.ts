/** Dates and money in the reader's own format. */

const usd = new Intl.NumberFormat(undefined, { style: "currency", currency: "USD" });
const signedUsd = new Intl.NumberFormat(undefined, {
  style: "currency",
  currency: "USD",
  signDisplay: "always",
});
const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const date = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });

/** @param amount text or number in USD */
export const formatMoney = (amount: string | number): string => usd.format(Number(amount));
/** "+$5.00" or "-$5.00". */
export const formatChange = (amount: number): string => signedUsd.format(amount);
export const formatCents = (cents: number): string => usd.format(cents / 100);
export const formatDateTime = (iso: string): string => dateTime.format(new Date(iso));
export const formatDate = (iso: string): string => date.format(new Date(iso));

const time = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });
const timeWithSeconds = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });

/** A mark of a scale whose marks are `stepSeconds` apart: a time, or a day where one begins. */
export function formatMark(seconds: number, stepSeconds: number): string {
  const at = new Date(seconds * 1_000);
  if (stepSeconds >= 86_400 || at.getHours() + at.getMinutes() + at.getSeconds() === 0) return day.format(at);
  return (stepSeconds < 60 ? timeWithSeconds : time).format(at);
}

const preciseTime = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  fractionalSecondDigits: 3,
});
/** To the millisecond, for lines of a log. */
export const formatPreciseTime = (iso: string): string => preciseTime.format(new Date(iso));

const UNITS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** What was set to end in a day a moment ago ends in a day, not in 23 hours. */
const JUST_SET_S = 10;

/** "in 3 days", "2 minutes ago". Days are those of the calendar: "tomorrow" is no word for what is 47 hours away. */
export function formatRelative(iso: string, nowMs = Date.now()): string {
  const exact = (new Date(iso).getTime() - nowMs) / 1_000;
  const seconds = exact > 0 ? exact + JUST_SET_S : exact;
  for (const [unit, length] of UNITS) {
    if (Math.abs(seconds) < length) continue;
    const amount = unit === "day" ? daysBetween(nowMs, iso) : Math.trunc(seconds / length);
    return relative.format(amount, unit);
  }
  return relative.format(0, "second");
}

const DAY_MS = 86_400_000;

/** Rounded: a day with a change of the clock has 23 or 25 hours. */
const daysBetween = (nowMs: number, iso: string): number =>
  Math.round((new Date(iso).setHours(0, 0, 0, 0) - new Date(nowMs).setHours(0, 0, 0, 0)) / DAY_MS);

const BYTE_UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
/** A figure with one decimal at most: "1.5 GiB". */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), BYTE_UNITS.length - 1);
  const figure = bytes / 1024 ** power;
  return `${figure.toLocaleString(undefined, { maximumFractionDigits: figure < 10 ? 1 : 0 })} ${BYTE_UNITS[power]}`;
}

const number = new Intl.NumberFormat();
export const formatNumber = (figure: number): string => number.format(figure);

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;

/** A word of the API for a person: "AI credit transfer". */
export const formatType = (type: string): string => type.replaceAll("_", " ").replace(/^ai /, "AI ");

/** "1 day", "1 month (30 days)". */
export const formatDays = (days: number): string => plural(days, "day");

/** "0.4 %", "87 %". */
export const formatPercent = (percent: number): string =>
  `${percent.toLocaleString(undefined, { maximumFractionDigits: percent < 10 ? 1 : 0 })} %`;
