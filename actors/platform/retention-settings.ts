import { type Environment, integer } from "./environment.ts";

export interface KeepHours {
  /** Receipts under keys that gateways minted. */
  readonly receipts: number;
  /** Delivered effects. */
  readonly effects: number;
  /** Deliveries of webhooks, and mails, that ended. */
  readonly deliveries: number;
}

/** 0: for good. */
export interface KeepDays {
  readonly events: number;
  readonly audit: number;
  readonly notifications: number;
  /** Receipts under clients' own keys. */
  readonly clientReceipts: number;
}

const DAYS_MAX = 3_650;
/** Shorter times than these are mistakes: of a retry that comes after a holiday, and of an audit that looks back a quarter. */
const CLIENT_RECEIPT_DAYS_MIN = 30;
const AUDIT_DAYS_MIN = 90;
/** Somebody who was away for a month finds what was said meanwhile. */
const NOTIFICATION_DAYS_MIN = 30;

/** @throws Error with one line that names the variable and its allowed values */
export function readKeepHours(env: Environment): KeepHours {
  const effects = integer(env, "BERTH_KEEP_EFFECTS_HOURS", 24, 1, 8_760);
  const deliveries = integer(env, "BERTH_KEEP_DELIVERIES_HOURS", Math.max(168, effects + 1), 2, 8_760);
  // An event that the outbox still has can be handed over again: its delivery says that it was sent.
  if (deliveries <= effects)
    throw new Error(
      `BERTH_KEEP_DELIVERIES_HOURS is ${deliveries}: it has to be more than BERTH_KEEP_EFFECTS_HOURS, which is ${effects}`,
    );
  return {
    receipts: integer(env, "BERTH_KEEP_RECEIPTS_HOURS", 24, 1, 8_760),
    effects,
    deliveries,
  };
}

/** @throws Error with one line that names the variable and its allowed values */
export const readKeepDays = (env: Environment): KeepDays => ({
  events: days(env, "BERTH_KEEP_EVENTS_DAYS", 1),
  audit: days(env, "BERTH_KEEP_AUDIT_DAYS", AUDIT_DAYS_MIN),
  notifications: days(env, "BERTH_KEEP_NOTIFICATIONS_DAYS", NOTIFICATION_DAYS_MIN),
  clientReceipts: days(env, "BERTH_KEEP_CLIENT_RECEIPTS_DAYS", CLIENT_RECEIPT_DAYS_MIN),
});

function days(env: Environment, variable: string, min: number): number {
  const value = integer(env, variable, 0, 0, DAYS_MAX);
  if (value === 0 || value >= min) return value;
  throw new Error(`${variable} is "${value}": it may be 0, for good, or ${min} to ${DAYS_MAX} days`);
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** What is kept for so many days is kept from this midnight (UTC) on; undefined: for good. */
export const startOfRetention = (keepDays: number, now: Date): Date | undefined =>
  keepDays === 0 ? undefined : new Date((Math.floor(now.getTime() / DAY_MS) - keepDays) * DAY_MS);
