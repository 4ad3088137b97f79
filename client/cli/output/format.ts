/** How values are shown to people. */

export const money = (cents: number): string => `$${(cents / 100).toFixed(2)}`;

export const dollars = (amount: number | string): string => `$${Number(amount).toFixed(2)}`;

/** An instant of the API (ISO 8601), to the second. */
export const time = (instant: string | null): string =>
  instant === null ? "" : `${instant.slice(0, 19).replace("T", " ")}Z`;

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"] as const;
const UNIT = 1_024;

export function bytes(count: number | null): string {
  if (count === null) return "";
  let [value, at] = [count, 0];
  while (value >= UNIT && at < UNITS.length - 1) [value, at] = [value / UNIT, at + 1];
  return `${at === 0 ? value : value.toFixed(1)} ${UNITS[at]}`;
}

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
