import { DomainError } from "../../../schemas/errors.ts";
import type { Prices, ServerSpecs } from "../../../schemas/market/server.ts";
import { priceFor, setupFeeFor } from "../prices.ts";

/** An offer as its actor holds it. */
export interface OfferState {
  readonly name: string;
  readonly leadTimeHours: number;
  readonly pricingRules: Prices;
  /** Days of rent → setup fee. An entry takes precedence over `setupFeeCents`. */
  readonly setupFeeRules: Prices;
  readonly setupFeeCents: number;
  readonly specs: ServerSpecs;
  readonly orderable: boolean;
  readonly createdAt: Date;
}

/**
 * The price of a reservation, which must be exactly what the client showed (spec §4.2). Cents.
 * @throws VALIDATION_ERROR for a length without a price, CHARGE_CONFIRMATION_REQUIRED and CHARGE_MISMATCH with
 * `total_cents`
 */
export function quote(
  offer: OfferState,
  days: number,
  maxChargeCents: number | undefined,
): { rentCents: number; setupFeeCents: number } {
  const rentCents = priceFor(offer.pricingRules, days, "body.days");
  const setupFeeCents = setupFeeFor(offer.setupFeeRules, offer.setupFeeCents, days);
  const total = rentCents + setupFeeCents;
  const data = { total_cents: total };
  if (maxChargeCents === undefined && total > 0)
    throw new DomainError("CHARGE_CONFIRMATION_REQUIRED", "max_charge_cents is required", data);
  if (maxChargeCents !== undefined && maxChargeCents !== total) {
    throw new DomainError(
      "CHARGE_MISMATCH",
      "the total is another one: show it and try again with it as max_charge_cents",
      data,
    );
  }
  return { rentCents, setupFeeCents };
}
