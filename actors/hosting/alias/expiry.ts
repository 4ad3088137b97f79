import { ValidationError } from "../../../schemas/errors.ts";

const FIELD = "body.expires_at";
/** A date, optionally with a time and a zone. Without a zone it is UTC, as all times of the API are. */
const ISO_8601 =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?([Zz]|[+-]\d{2}(?::?\d{2})?)?)?$/;
/**
 * The smallest number that counts as milliseconds. It is September 2001 in milliseconds, and later than the year 9999
 * in seconds.
 */
const FIRST_MILLISECONDS = 1_000_000_000_000;
/** PostgreSQL has no year 0, and ISO 8601 writes years past 9999 in another form. */
const FIRST_TIME = Date.parse("0001-01-01T00:00:00Z");
const LAST_TIME = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * When an alias is to expire: ISO 8601, or Unix time in seconds or milliseconds; null for never.
 *
 * @throws ValidationError
 */
export function expiryOf(asked: string | number | null): Date | null {
  if (asked === null) return null;
  const ms = typeof asked === "number" ? fromUnix(asked) : fromIso(asked);
  if (ms >= FIRST_TIME && ms <= LAST_TIME) return new Date(ms);
  throw new ValidationError(FIELD, "must be a time such as 2026-01-31T09:30:00Z, of the years 1 to 9999");
}

const fromUnix = (time: number): number => Math.round(time < FIRST_MILLISECONDS ? time * 1_000 : time);

/** Milliseconds since 1970; NaN for an invalid time, such as Feb 30, which `Date` would read as Mar 2. */
function fromIso(text: string): number {
  const parts = ISO_8601.exec(text);
  if (parts === null) return Number.NaN;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map((part) => Number(part ?? 0));
  const zone = zoneMinutes(parts[8]);
  const date = new Date(0);
  date.setUTCFullYear(year ?? 0, (month ?? 0) - 1, day);
  const isDay = date.getUTCMonth() + 1 === month && date.getUTCDate() === day;
  const isTime = (hour ?? 0) <= 23 && (minute ?? 0) <= 59 && (second ?? 0) <= 59;
  if (!isDay || !isTime || Number.isNaN(zone)) return Number.NaN;
  const millisecond = Number((parts[7] ?? "").slice(0, 3).padEnd(3, "0"));
  return date.setUTCHours(hour ?? 0, (minute ?? 0) - zone, second, millisecond);
}

/** Minutes east of UTC. */
function zoneMinutes(zone: string | undefined): number {
  if (zone === undefined || zone === "Z" || zone === "z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(":", ""));
  if (hours > 23 || minutes > 59) return Number.NaN;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}
