/** Sizes and times as people write them. */

const TIME_UNITS: Readonly<Record<string, number>> = { us: 1e-6, ms: 1e-3, s: 1, m: 60, h: 3_600 };

/** `1m30s` in whole seconds: those that are begun count; undefined: it is no time. */
export function secondsIn(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(us|ms|s|m|h))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(us|ms|s|m|h)/g)];
  return Math.ceil(
    parts.reduce((sum, [, number, unit]) => sum + Number(number) * (TIME_UNITS[unit ?? ""] ?? 0), 0),
  );
}

const UNITS: Readonly<Record<string, number>> = { "": 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 };

/** `256M` in bytes; units of 1024, as memory has them; undefined: it is no size. */
export function bytesIn(text: string): number | undefined {
  const [, number = "", unit = ""] = /^(\d{1,15})([KMGT]?)(?:i?B)?$/i.exec(text) ?? [];
  return number === "" ? undefined : Number(number) * (UNITS[unit.toUpperCase()] ?? 1);
}

const SIZE_UNITS = ["B", "KiB", "MiB", "GiB", "TiB"] as const;
const UNIT = 1_024;

/** "1.5 GiB". */
export function sizeText(bytes: number): string {
  let [value, at] = [bytes, 0];
  while (value >= UNIT && at < SIZE_UNITS.length - 1) [value, at] = [value / UNIT, at + 1];
  return `${at === 0 ? value : value.toFixed(1)} ${SIZE_UNITS[at]}`;
}
