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
  readonly extending: ExtensionInProgress | null;
  /** What was paid for the extensions. */
  readonly extensionPayments: readonly RentalPayment[];
  /** How the rental extends itself; null: it does not. */
  readonly autoExtension: AutoExtension | null;
  /** Its operator still sets the server up: the paid time begins when the server's host joins, and nothing ends before. */
  readonly awaitsDelivery: boolean;
  readonly createdAt: Date;
}

interface ExtensionInProgress {
  readonly saga: string;
  readonly days: number;
  readonly priceCents: number;
  /** The rental extends itself: no request waits for the outcome. */
  readonly isAutomatic?: boolean;
}

export interface AutoExtension {
  readonly days: number;
  /** The most that one extension may cost. */
  readonly maxChargeCents: number;
  /** The time of the next attempt, ISO 8601; null: none until the rental's end changes. */
  readonly nextAt: string | null;
  /** Why the last attempt from the present end failed; null: it did not, or there was none. */
  readonly lastFailure: {
    readonly code: string;
    readonly priceCents: number | null;
    readonly failedAt: string;
  } | null;
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
  if (isOver(rental, now)) throw new DomainError("RENTAL_ENDED", "the rental has ended", data);
}

/** Whether the paid time is over. */
export const isOver = ({ end, awaitsDelivery }: RentalState, now: Date): boolean =>
  !awaitsDelivery && end <= now;

/** Moves the paid time of a rental that awaits its delivery, so that it begins now. */
export function beginPaidTime(rental: RentalState, now: Date): RentalState {
  if (!rental.awaitsDelivery) return rental;
  const moveMs = now.getTime() - rental.start.getTime();
  return {
    ...rental,
    awaitsDelivery: false,
    start: now,
    end: new Date(rental.end.getTime() + moveMs),
    extensionPayments: rental.extensionPayments.map((payment) => movePayment(payment, moveMs)),
  };
}

/** The same payment for a time that begins later. */
export const movePayment = (payment: RentalPayment, moveMs: number): RentalPayment => ({
  ...payment,
  from: movedTime(payment.from, moveMs),
  until: movedTime(payment.until, moveMs),
});

const movedTime = (at: string, moveMs: number): string => new Date(Date.parse(at) + moveMs).toISOString();

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

/** A rental extends itself a day before its end; one that is extended by few days, in the last quarter of such a time. */
const LEAD_MS_MAX = DAY_MS;
const LEAD_PART = 1 / 4;
/** An attempt that failed is followed by others, at most this many before the end: every 15 minutes in a day. */
const ATTEMPTS_MAX = 96;
/** The last attempt: a wallet has replied long before the end. */
const LAST_ATTEMPT_MS = 60_000;
/** Users are reminded of the next extension this many days before the end. */
export const REMINDER_DAYS: (typeof NOTICE_DAYS)[number] = 3;

const leadMs = (days: number): number => Math.min(LEAD_MS_MAX, days * DAY_MS * LEAD_PART);

/** When a rental first extends itself from its present end: at once, where that time is over. */
export const firstAttemptAt = ({ end }: RentalState, { days }: AutoExtension, now: Date): Date =>
  new Date(Math.max(end.getTime() - leadMs(days), now.getTime()));

/** The attempt after one of now; null: the end is too near. */
export function nextAttemptAt({ end }: RentalState, { days }: AutoExtension, now: Date): Date | null {
  const next = now.getTime() + leadMs(days) / ATTEMPTS_MAX;
  const last = end.getTime() - LAST_ATTEMPT_MS;
  return last <= now.getTime() ? null : new Date(Math.min(next, last));
}

/**
 * Whether a rental whose time is over must still be extended: no actor host ran when it should have extended itself.
 */
export const missedItsExtension = ({ end, autoExtension }: RentalState, now: Date): boolean =>
  autoExtension !== null &&
  autoExtension.lastFailure === null &&
  end.getTime() + autoExtension.days * DAY_MS > now.getTime();
