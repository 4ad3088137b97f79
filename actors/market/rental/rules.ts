import { DomainError, ValidationError } from "../../../schemas/errors.ts";
import { DAYS_MAX, type Prices } from "../../../schemas/market/server.ts";
import type { RentalPayment } from "../rental-payment.ts";

/** A rental as its actor holds it. */
export interface RentalState {
  readonly serverId: string;
  readonly serverName: string;
  readonly userId: string;
  readonly poolId: string | null;
  readonly status: "active" | "ended";
  readonly start: Date;
  readonly end: Date;
  /** The highest prices of a renewal; null: none were fixed. */
  readonly frozenPrices: Prices | null;
  readonly livePrices: Prices;
  /** The extension whose payment is in progress. */
  readonly extending: { readonly saga: string; readonly days: number; readonly priceCents: number } | null;
  /** What was paid for the extensions. */
  readonly extensionPayments: readonly RentalPayment[];
  readonly createdAt: Date;
}

export const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS_AHEAD_MAX = 2 * DAYS_MAX;
/** Users are notified this many days before the end. */
export const NOTICE_DAYS = [7, 3, 1] as const;

/**
 * Refuses an extension of a rental that has changed since the client read it (spec §4.3). @throws
 * EXTENSION_ALREADY_APPLIED, RENTAL_ENDED
 */
export function assertExtendable(rental: RentalState, expectedEnd: string, now: Date): void {
  const data = { rental_end: rental.end.toISOString() };
  if (rental.status === "ended") throw new DomainError("RENTAL_ENDED", "the rental has ended", data);
  if (rental.end.toISOString() !== expectedEnd)
    throw new DomainError("EXTENSION_ALREADY_APPLIED", "rental_end has changed: read the rental again", data);
  if (rental.extending !== null) {
    throw new DomainError(
      "EXTENSION_ALREADY_APPLIED",
      "an extension from this rental_end is being paid for: read the rental again",
      data,
    );
  }
  if (rental.end <= now) throw new DomainError("RENTAL_ENDED", "the rental has ended", data);
}

/**
 * Limits a rental's end to twice the longest rental from now: more than anybody plans ahead. @throws VALIDATION_ERROR
 */
export function assertNotTooLong(rental: RentalState, days: number, now: Date): void {
  if (rental.end.getTime() + days * DAY_MS > now.getTime() + DAYS_AHEAD_MAX * DAY_MS)
    throw new ValidationError(
      "body.additional_days",
      `a rental ends at most ${DAYS_AHEAD_MAX} days from now`,
    );
}

/** The times of the notices before an end that are still to come. */
export const noticesBefore = (end: Date, now: Date): { days: number; at: Date }[] =>
  NOTICE_DAYS.map((days) => ({ days, at: new Date(end.getTime() - days * DAY_MS) })).filter(
    ({ at }) => at > now,
  );
