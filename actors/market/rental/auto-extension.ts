import { Type } from "@sinclair/typebox";
import { DomainError } from "../../../schemas/errors.ts";
import { ACCOUNT_SUSPENDED, AutoExtend } from "../../../schemas/market/rental.ts";
import { Id, Strict } from "../../../schemas/primitives.ts";
import { beginCharge } from "../../platform/charge-saga.ts";
import { command } from "../../runtime/definition.ts";
import { daysText, extensionPrice } from "../prices.ts";
import {
  type Ctx,
  extend,
  recordRentalEvent,
  type State,
  scheduleExtension,
  setNextAttempt,
  stopAutoExtension,
} from "./changes.ts";
import { firstAttemptAt, isOver, nextAttemptAt, type RentalState } from "./rules.ts";

/** A rental that extends itself (docs/decisions/0138-rentals-extend-themselves.md). */

const Nothing = Type.Object({});
const By = { by: Id };

/** A wallet that did not reply, or could not be asked. The user can do nothing about it. */
const TEMPORARY = "UNAVAILABLE";

export const autoExtensionCommands = (requireRental: (rental: State) => RentalState) => ({
  /**
   * Switches it on, or changes it. @throws RENTAL_ENDED, CHARGE_EXCEEDS_MAX for a price above the ceiling,
   * VALIDATION_ERROR for a length that has no price
   */
  set_auto_extension: command(
    Strict({ ...AutoExtend.properties, ...By }),
    Nothing,
    (state: State, { additional_days: days, max_charge_cents: maxChargeCents, by }, ctx: Ctx) => {
      const rental = requireActive(requireRental(state), ctx.now);
      extensionPrice(rental.livePrices, rental.frozenPrices, days, maxChargeCents);
      const wanted = { days, maxChargeCents, nextAt: null, lastFailure: null };
      ctx.setState(scheduleExtension(ctx, rental, wanted));
      const auto_extension = { additional_days: days, max_charge_cents: maxChargeCents };
      recordRentalEvent(ctx, "server.updated", rental, { auto_extension }, by);
      return {};
    },
  ),

  /** Switches it off. An extension that is being paid for goes on. */
  clear_auto_extension: command(Strict(By), Nothing, (state: State, { by }, ctx: Ctx) => {
    const rental = requireRental(state);
    if (rental.autoExtension === null) return {};
    ctx.setState(stopAutoExtension(ctx, rental));
    recordRentalEvent(ctx, "server.updated", rental, { auto_extension: null }, by);
    return {};
  }),

  /** Switches it off, since the renter's account is suspended: nobody could sign in and stop it. */
  suspend_auto_extension: command(Nothing, Nothing, (rental: State, _input, ctx: Ctx) => {
    if (rental === null || rental.autoExtension === null) return {};
    ctx.setState(stopAutoExtension(ctx, rental));
    const why = {
      auto_extension: null,
      reason: ACCOUNT_SUSPENDED,
      rental_end: rental.end.toISOString(),
    };
    recordRentalEvent(ctx, "server.updated", rental, why);
    return {};
  }),

  extend_automatically: command(Nothing, Nothing, (rental: State, _input, ctx: Ctx) => {
    if (rental?.status !== "active" || rental.autoExtension === null || isOver(rental, ctx.now)) return {};
    // Its end was moved in between by a host of an earlier version, which leaves the timer as it is.
    if (firstAttemptAt(rental, rental.autoExtension, ctx.now) > ctx.now)
      ctx.setState(scheduleExtension(ctx, rental, rental.autoExtension));
    else tryExtension(ctx, rental);
    return {};
  }),
});

/** Extends the rental by itself: the only request that nobody makes. @returns the rental afterwards */
export function tryExtension(ctx: Ctx, rental: RentalState): RentalState {
  const { autoExtension: auto } = rental;
  if (auto === null) return rental;
  const { days, maxChargeCents } = auto;
  const prepared = setNextAttempt(ctx, rental, auto, nextAttemptAt(rental, auto, ctx.now));
  // An extension that is being paid for, by a request or by itself, decides first.
  if (rental.extending !== null) {
    ctx.setState(prepared);
    return prepared;
  }
  const price = priceOrRefusal(rental, days, maxChargeCents);
  if (price instanceof DomainError) {
    const failed = recordFailure(ctx, prepared, price, totalOf(price));
    ctx.setState(failed);
    return failed;
  }
  if (price === 0) return extend(ctx, prepared, days, null, true);
  const saga = ctx.newId();
  const extending = { saga, days, priceCents: price, isAutomatic: true };
  const paying = { ...prepared, extending };
  ctx.setState(paying);
  beginCharge(ctx, {
    saga,
    userId: rental.userId,
    charge: {
      amount_cents: price,
      transaction_type: "rental_extension",
      reason: `${rental.serverName} for ${daysText(days, "more")}, extended by itself`,
    },
    onReply: "on_paid",
    context: { saga, days, price_cents: price },
  });
  return paying;
}

/** Keeps why an attempt failed, and records it once: further attempts that fail for the same reason say nothing new. */
export function recordFailure(
  ctx: Ctx,
  rental: RentalState,
  { code: refused }: DomainError,
  priceCents: number | null,
): RentalState {
  const { autoExtension: auto } = rental;
  if (auto === null) return rental;
  const code = refused === "VALIDATION_ERROR" ? "PRICE_NOT_FOUND" : refused;
  if (code !== TEMPORARY && code !== auto.lastFailure?.code)
    recordRentalEvent(ctx, "server.updated", rental, {
      auto_extension_failed: code,
      price_cents: priceCents,
      max_charge_cents: auto.maxChargeCents,
      rental_end: rental.end.toISOString(),
    });
  const lastFailure = { code, priceCents, failedAt: ctx.now.toISOString() };
  return { ...rental, autoExtension: { ...auto, lastFailure } };
}

function priceOrRefusal(
  { livePrices, frozenPrices }: RentalState,
  days: number,
  max: number,
): number | DomainError {
  try {
    return extensionPrice(livePrices, frozenPrices, days, max);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

const totalOf = ({ data }: DomainError): number | null =>
  typeof data?.total_cents === "number" ? data.total_cents : null;

function requireActive(rental: RentalState, now: Date): RentalState {
  if (rental.status === "ended" || isOver(rental, now))
    throw new DomainError("RENTAL_ENDED", "the rental has ended", { rental_end: rental.end.toISOString() });
  return rental;
}
