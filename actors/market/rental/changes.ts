import type { EventType } from "../../../schemas/events.ts";
import { recordEvent } from "../../platform/record-event.ts";
import type { Context } from "../../runtime/definition.ts";
import { messagesTo } from "../../runtime/transport/message.ts";
import type { RentalPayment } from "../rental-payment.ts";
import type { serverActor } from "../server/index.ts";
import {
  type AutoExtension,
  DAY_MS,
  firstAttemptAt,
  NOTICE_DAYS,
  noticesBefore,
  type RentalState,
} from "./rules.ts";

/** Steps that the handlers of a rental share. */

export type State = RentalState | null;
export type Ctx = Context<State>;

const servers = messagesTo<ReturnType<typeof serverActor>>("server");

const AUTO_EXTENSION = "auto-extension";
const TIMERS = ["end", AUTO_EXTENSION, ...NOTICE_DAYS.map((days) => `notice-${days}`)];

export interface ExtensionCharge {
  readonly cents: number;
  readonly transactionId: string;
}

/**
 * Moves the end of the rental. @returns the extended rental
 *
 * @param charge null: it costs nothing
 */
export function extend(
  ctx: Ctx,
  rental: RentalState,
  days: number,
  charge: ExtensionCharge | null,
  isAutomatic = false,
): RentalState {
  const end = new Date(rental.end.getTime() + days * DAY_MS);
  const paid =
    charge === null
      ? []
      : [
          {
            transaction_id: charge.transactionId,
            charged_cents: charge.cents,
            rent_cents: charge.cents,
            from: rental.end.toISOString(),
            until: end.toISOString(),
          },
        ];
  const extended = startTimers(ctx, {
    ...rental,
    end,
    extending: null,
    extensionPayments: [...unusedOf(rental, ctx.now), ...paid],
  });
  ctx.setState(extended);
  recordRentalEvent(ctx, "server.extended", extended, {
    days,
    charged_cents: charge?.cents ?? 0,
    rental_end: extended.end.toISOString(),
    ...(isAutomatic ? { automatic: true } : {}),
  });
  return extended;
}

/** Payments for a time that is over are kept no longer: there is nothing of them to return. */
const unusedOf = ({ extensionPayments, awaitsDelivery }: RentalState, now: Date): RentalPayment[] =>
  extensionPayments.filter(({ until }) => awaitsDelivery || new Date(until) > now);

export function endRental(
  ctx: Ctx,
  rental: RentalState,
  data: Record<string, unknown> = {},
  by?: string,
): void {
  ctx.setState({ ...rental, status: "ended", extending: null, autoExtension: null });
  ctx.clearTimer(AUTO_EXTENSION);
  ctx.send("release", servers(rental.serverId).release({ rental_id: ctx.actorId }));
  recordRentalEvent(ctx, "server.expired", rental, { rental_end: rental.end.toISOString(), ...data }, by);
}

export function clearTimers(ctx: Ctx): void {
  for (const name of TIMERS) ctx.clearTimer(name);
}

/** Sets the timers of the rental's present end. While it awaits its delivery it has none. @returns the rental with the time of its next extension */
export function startTimers(ctx: Ctx, rental: RentalState): RentalState {
  clearTimers(ctx);
  if (!rental.awaitsDelivery) {
    setEndTimer(ctx, rental.end);
    for (const { days, at } of noticesBefore(rental.end, ctx.now))
      ctx.setTimer(`notice-${days}`, { at, op: "send_notice", input: { days } });
  }
  if (rental.autoExtension === null) return rental;
  return scheduleExtension(ctx, rental, { ...rental.autoExtension, lastFailure: null });
}

export const setEndTimer = (ctx: Ctx, at: Date): void => ctx.setTimer("end", { at, op: "expire" });

/** Sets the timer of the first attempt from the rental's present end. */
export function scheduleExtension(ctx: Ctx, rental: RentalState, auto: AutoExtension): RentalState {
  return setNextAttempt(
    ctx,
    rental,
    auto,
    rental.awaitsDelivery ? null : firstAttemptAt(rental, auto, ctx.now),
  );
}

/** @param at null: no attempt follows */
export function setNextAttempt(
  ctx: Ctx,
  rental: RentalState,
  auto: AutoExtension,
  at: Date | null,
): RentalState {
  if (at === null) ctx.clearTimer(AUTO_EXTENSION);
  else ctx.setTimer(AUTO_EXTENSION, { at, op: "extend_automatically" });
  return { ...rental, autoExtension: { ...auto, nextAt: at?.toISOString() ?? null } };
}

export function stopAutoExtension(ctx: Ctx, rental: RentalState): RentalState {
  ctx.clearTimer(AUTO_EXTENSION);
  return { ...rental, autoExtension: null };
}

export function recordRentalEvent(
  ctx: Ctx,
  event_type: EventType,
  rental: RentalState,
  data: Record<string, unknown>,
  by?: string,
): void {
  recordEvent(ctx, {
    event_type,
    resource_id: rental.serverId,
    user_id: rental.userId,
    by,
    data: { name: rental.serverName, rental_id: ctx.actorId, ...data },
  });
}
