import { DomainError, ValidationError } from "../../schemas/errors.ts";
import { DAYS_MAX, type Prices } from "../../schemas/market/server.ts";

/** The prices of lengths of rent, and the client's consent to them. Whole cents. */

/** Refuses lengths out of bounds: the schema of a key only checks its form. */
export function assertDays(prices: Prices, field: string): void {
  const tooLong = Object.keys(prices).find((days) => Number(days) > DAYS_MAX);
  if (tooLong !== undefined)
    throw new ValidationError(`${field}.${tooLong}`, `nothing is rented for more than ${DAYS_MAX} days`);
}

/** The price for a number of days. @throws VALIDATION_ERROR that names `field` and the available lengths */
export function priceFor(prices: Prices, days: number, field: string): number {
  const price = prices[String(days)];
  if (price !== undefined) return price;
  const lengths = Object.keys(prices).join(", ");
  throw new ValidationError(field, lengths === "" ? "there is no price" : `must be one of ${lengths}`);
}

/**
 * The one-time fee: an override for the length of rent takes precedence over the standard, even if it is 0 (spec
 * §4.2).
 */
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
 * The price of an extension: the present price, but at most the one that was fixed when the rental began. Without a
 * fixed price the client must confirm the price (spec §4.3).
 * @throws VALIDATION_ERROR for a length that has no price, CHARGE_CONFIRMATION_REQUIRED, CHARGE_EXCEEDS_MAX
 */
export function extensionPrice(
  live: Prices,
  frozen: Prices | null,
  days: number,
  max: number | undefined,
): number {
  const price = presentExtensionPrice(live, frozen, days);
  if (price === undefined) return priceFor({ ...frozen, ...live }, days, "body.additional_days");
  if (max !== undefined || frozen?.[String(days)] === undefined) assertAgreed(price, 0, max);
  return price;
}

/** What an extension costs, to whomever agrees to it; undefined for a length that has no price. */
export function presentExtensionPrice(live: Prices, frozen: Prices | null, days: number): number | undefined {
  const promised = frozen?.[String(days)];
  const now = live[String(days)];
  return promised === undefined || now === undefined ? (promised ?? now) : Math.min(promised, now);
}

/** A length of rent in words: "1 day", "7 more days". */
export const daysText = (days: number, adjective?: string): string =>
  [days, adjective, days === 1 ? "day" : "days"].filter((word) => word !== undefined).join(" ");
