import { ValidationError } from "../../schemas/errors.ts";

/** RFC 3339 with a zone; the seconds may have a fraction. */
const RFC_3339 = /^(\d{4}-\d{2}-\d{2})[Tt ]([01]\d|2[0-3]):\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})$/;
/** PostgreSQL has no year 0, and ISO 8601 writes years past 9999 in another form. */
const FIRST_TIME = Date.parse("0001-01-01T00:00:00Z");
export const LAST_TIME = Date.parse("9999-12-31T23:59:59.999Z");

/** The time in a field of a request. @throws ValidationError naming the field, such as `query.start_date` */
export function timeIn(field: string, text: string): Date {
  const [, day] = RFC_3339.exec(text) ?? [];
  const date = new Date(text.replace(" ", "T"));
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // Date reads Feb 30 as Mar 2: a day that is not in the calendar is refused.
  const inCalendar = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day ?? "");
  if (!inCalendar || !(date.getTime() >= FIRST_TIME && date.getTime() <= LAST_TIME)) {
    throw new ValidationError(field, "must be a time such as 2026-01-31T09:30:00Z");
  }
  return date;
}
