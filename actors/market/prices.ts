import { DomainError, ValidationError } from "../../schemas/errors.ts";
import { DAYS_MAX, type Prices } from "../../schemas/market/server.ts";

/** What a length of rent costs, and what a client has agreed to pay for it. Whole cents. */

/** Refuses lengths that nobody may rent for: the form of a key does not say that its number is in bounds. */
export function assertDays(prices: Prices, field: string): void {
  const tooLong = Object.keys(prices).find((days) => Number(days) > DAYS_MAX);
  if (tooLong !== undefined)
    throw new ValidationError(`${field}.${tooLong}`, `nothing is rented for more than ${DAYS_MAX} days`);
}

/** The price for so many days. @throws VALIDATION_ERROR that names `field` and the lengths there are. */
export function priceFor(prices: Prices, days: number, field: string): number {
  const price = prices[String(days)];
  if (price !== undefined) return price;
  const lengths = Object.keys(prices).join(", ");
  throw new ValidationError(field, lengths === "" ? "there is no price" : `must be one of ${lengths}`);
}

/** The one-time fee: an override for the length of rent wins over the standard, also when it is 0 (spec §4.2). */
export const setupFeeFor = (rules: Prices, standardCents: number, days: number): number =>
  rules[String(days)] ?? standardCents;

/**
 * Whether the client agreed to the first payment of a rental (spec §4.3). A total of zero needs no agreement.
 * @throws SETUP_FEE_CONFIRMATION_REQUIRED, CHARGE_CONFIRMATION_REQUIRED, CHARGE_EXCEEDS_MAX, each with `total_cents`
 */
export function assertAgreed(rent: number, setupFee: number, max: number | undefined): void {
  const total = rent + setupFee;
  if (total === 0) return;
  const data = { total_cents: total };
  if (max === undefined) {
    throw setupFee > 0
      ? new DomainError(
          "SETUP_FEE_CONFIRMATION_REQUIRED",
          "a setup fee applies: max_charge_cents is required",
          data,
        )
      : new DomainError("CHARGE_CONFIRMATION_REQUIRED", "max_charge_cents is required", data);
  }
  if (total > max)
    throw new DomainError(
      "CHARGE_EXCEEDS_MAX",
      "the total (data.total_cents) is more than max_charge_cents",
      data,
    );
}

/**
 * What an extension costs: the price of now, and never more than the one that was promised when the rental began. Without a
 * promise the client has to agree (spec §4.3).
 * @throws VALIDATION_ERROR for a length that has no price, CHARGE_CONFIRMATION_REQUIRED, CHARGE_EXCEEDS_MAX
 */
export function extensionPrice(
  live: Prices,
  frozen: Prices | null,
  days: number,
  max: number | undefined,
): number {
  const promised = frozen?.[String(days)];
  const now = live[String(days)];
  const price =
    promised === undefined || now === undefined
      ? (promised ?? priceFor({ ...frozen, ...live }, days, "body.additional_days"))
      : Math.min(promised, now);
  if (max !== undefined || promised === undefined) assertAgreed(price, 0, max);
  return price;
}

/** A length of rent in words: "1 day", "7 more days". */
export const daysText = (days: number, adjective?: string): string =>
  [days, adjective, days === 1 ? "day" : "days"].filter((word) => word !== undefined).join(" ");
