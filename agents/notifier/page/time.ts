/** The largest unit first. Times a week or longer ago are shown as dates. */
const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["day", 24 * 60 * 60],
  ["hour", 60 * 60],
  ["minute", 60],
];
const DAYS_MAX = 7;

/** A relative time in words: "5 minutes ago"; a date for a week or longer ago. */
export function relativeTime(at: Date, now: Date, locale?: string): string {
  const seconds = Math.max(0, (now.getTime() - at.getTime()) / 1_000);
  if (seconds >= DAYS_MAX * 24 * 60 * 60) return at.toLocaleDateString(locale);
  const format = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  for (const [unit, length] of UNITS) {
    if (seconds >= length) return format.format(-Math.floor(seconds / length), unit);
  }
  return "just now";
}
