import { DomainError, ValidationError } from "../../../schemas/errors.ts";
import { DAYS_MAX, type Prices } from "../../../schemas/market/server.ts";

/** A rental as its actor holds it. */
export interface RentalState {
  readonly serverId: string;
  readonly serverName: string;
  readonly userId: string;
  readonly poolId: string | null;
  readonly status: "active" | "ended";
  readonly start: Date;
  readonly end: Date;
  /** What a renewal costs at most; null: nothing was promised. */
  readonly frozenPrices: Prices | null;
  readonly livePrices: Prices;
  /** The extension that is being paid for. */
  readonly extending: { readonly saga: string; readonly days: number; readonly priceCents: number } | null;
  readonly createdAt: Date;
}

export const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS_AHEAD_MAX = 2 * DAYS_MAX;
/** A user is told this long before the end. */
export const NOTICE_DAYS = [7, 3, 1] as const;

/**
 * Refuses an extension of a rental that is not as its reader saw it (spec §4.3).
 * @throws EXTENSION_ALREADY_APPLIED, RENTAL_ENDED
 */
export function assertExtendable(rental: RentalState, expectedEnd: string, now: Date): void {
  const data = { rental_end: rental.end.toISOString() };
  if (rental.end.toISOString() !== expectedEnd)
    throw new DomainError("EXTENSION_ALREADY_APPLIED", "rental_end has changed: read the rental again", data);
  if (rental.extending !== null) {
    throw new DomainError(
      "EXTENSION_ALREADY_APPLIED",
      "an extension from this rental_end is being paid for: read the rental again",
      data,
    );
  }
  if (rental.status === "ended" || rental.end <= now)
    throw new DomainError("RENTAL_ENDED", "the rental has ended", data);
}

/**
 * Twice the longest rental ahead is more than anybody plans for, and far below what a time can hold.
 * @throws VALIDATION_ERROR
 */
export function assertNotTooLong(rental: RentalState, days: number, now: Date): void {
  if (rental.end.getTime() + days * DAY_MS > now.getTime() + DAYS_AHEAD_MAX * DAY_MS)
    throw new ValidationError(
      "body.additional_days",
      `a rental ends at most ${DAYS_AHEAD_MAX} days from now`,
    );
}

/** When the notices before an end are due that are not past. */
export const noticesBefore = (end: Date, now: Date): { days: number; at: Date }[] =>
  NOTICE_DAYS.map((days) => ({ days, at: new Date(end.getTime() - days * DAY_MS) })).filter(
    ({ at }) => at > now,
  );
