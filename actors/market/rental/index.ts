import { Type } from "@sinclair/typebox";
import { TransactionReceipt } from "../../../schemas/billing/wallet.ts";
import { DomainError } from "../../../schemas/errors.ts";
import { Charged, Extend } from "../../../schemas/market/rental.ts";
import { Cents, Prices } from "../../../schemas/market/server.ts";
import { Id, Nullable, Strict } from "../../../schemas/primitives.ts";
import {
  abandonCharge,
  beginCharge,
  endCharge,
  PaymentTimedOut,
  paymentTimedOut,
  refundCharge,
} from "../../platform/charge-saga.ts";
import { deletedAccountConflict } from "../../platform/deleted-account.ts";
import { idempotencyKeyReused } from "../../platform/idempotency-key-reused.ts";
import { toDomainError } from "../../platform/to-domain-error.ts";
import { actor, command } from "../../runtime/definition.ts";
import { ReplyTo } from "../../runtime/transport/message.ts";
import { daysText, extensionPrice } from "../prices.ts";
import { autoExtensionCommands, recordFailure, tryExtension } from "./auto-extension.ts";
import {
  type Ctx,
  endRental,
  extend,
  recordRentalEvent,
  type State,
  setEndTimer,
  startTimers,
} from "./changes.ts";
import { endingCommands } from "./ending.ts";
import {
  assertExtendable,
  assertNotTooLong,
  beginPaidTime,
  isOver,
  missedItsExtension,
  REMINDER_DAYS,
  type RentalState,
} from "./rules.ts";
import { rentalTable } from "./table.ts";

const Nothing = Type.Object({});
const BeginInput = Strict({
  server_id: Id,
  server_name: Type.String(),
  user_id: Id,
  pool_id: Nullable(Id),
  rental_end: Type.String({ description: "ISO 8601" }),
  frozen_prices: Nullable(Prices),
  live_prices: Prices,
});
const Extension = Type.Object({ saga: Id, days: Type.Integer(), price_cents: Cents });

/** Rentals. Keyed by rental; a rental's server begins it. */
export const rentalActor = actor("rental", {
  table: rentalTable,
  hasTasks: true,
  empty: (): State => null,
  conflicts: deletedAccountConflict(),
  on: {
    /** Begins the rental: the user has the server from now on. */
    begin: command(BeginInput, Nothing, (rental: State, input, ctx: Ctx) => {
      if (rental !== null) {
        // Either a repeated message, or a key that was used for another server at the same time.
        if (rental.serverId === input.server_id && rental.userId === input.user_id) return {};
        throw idempotencyKeyReused();
      }
      const begun: RentalState = {
        serverId: input.server_id,
        serverName: input.server_name,
        userId: input.user_id,
        poolId: input.pool_id,
        status: "active",
        start: ctx.now,
        end: new Date(input.rental_end),
        frozenPrices: input.frozen_prices,
        livePrices: input.live_prices,
        extending: null,
        extensionPayments: [],
        autoExtension: null,
        awaitsDelivery: false,
        createdAt: ctx.now,
      };
      ctx.setState(startTimers(ctx, begun));
      recordRentalEvent(ctx, "server.rented", begun, { rental_end: begun.end.toISOString() });
      return {};
    }),

    /** Moves the rental to another pool, since its pool was deleted. */
    move: command(Strict({ pool_id: Id }), Nothing, (rental: State, { pool_id }, ctx: Ctx) => {
      if (rental !== null) ctx.setState({ ...rental, poolId: pool_id });
      return {};
    }),

    /** Records the server's changed prices. */
    reprice: command(Strict({ prices: Prices }), Nothing, (rental: State, { prices }, ctx: Ctx) => {
      if (rental !== null) ctx.setState({ ...rental, livePrices: prices });
      return {};
    }),

    /**
     * Holds the paid time, since an operator still sets the server up. The reconciler says so and not the server as it begins the
     * rental: hosts of an earlier version refuse what they do not know in that message.
     */
    await_delivery: command(Nothing, Nothing, (rental: State, _input, ctx: Ctx) => {
      if (rental?.status === "active" && !rental.awaitsDelivery)
        ctx.setState(startTimers(ctx, { ...rental, awaitsDelivery: true }));
      return {};
    }),

    /** Tells the renter that the server's host has joined: containers can run there. The paid time begins, if it was held. */
    announce_host: command(Nothing, Nothing, (rental: State, _input, ctx: Ctx) => {
      if (rental?.status !== "active") return {};
      const delivered = beginPaidTime(rental, ctx.now);
      if (rental.awaitsDelivery) ctx.setState(startTimers(ctx, delivered));
      const rental_end = delivered.end.toISOString();
      recordRentalEvent(ctx, "server.updated", delivered, { host_joined: true, rental_end });
      return {};
    }),

    /** Extends the rental by a number of days, once for each end that a client has read (spec §4.3). */
    extend: command(
      Extend,
      Charged,
      (state: State, input, ctx: Ctx) => {
        const rental = requireRental(state);
        assertExtendable(rental, input.expected_rental_end, ctx.now);
        const days = input.additional_days;
        assertNotTooLong(rental, days, ctx.now);
        const priceCents = extensionPrice(
          rental.livePrices,
          rental.frozenPrices,
          days,
          input.max_charge_cents,
        );
        if (priceCents === 0) {
          extend(ctx, rental, days, null);
          return { charged_cents: 0, transaction_id: null };
        }
        const saga = ctx.newId();
        ctx.setState({ ...rental, extending: { saga, days, priceCents } });
        beginCharge(ctx, {
          saga,
          userId: rental.userId,
          charge: {
            amount_cents: priceCents,
            transaction_type: "rental_extension",
            reason: `${rental.serverName} for ${daysText(days, "more")}`,
          },
          onReply: "on_paid",
          context: { saga, days, price_cents: priceCents },
        });
        return ctx.awaitSaga(saga);
      },
      // The confirmed price is no part of the request.
      {
        fingerprint: ({ expected_rental_end, additional_days }) =>
          JSON.stringify([expected_rental_end, additional_days]),
      },
    ),

    ...autoExtensionCommands(requireRental),

    ...endingCommands(requireRental),

    /**
     * Ends an extension whose wallet does not reply: the rental stays as it was, and ends if its time is over by now.
     */
    on_payment_timed_out: command(PaymentTimedOut, Nothing, (rental: State, { saga }, ctx: Ctx) => {
      abandonCharge(ctx, saga);
      if (rental?.extending?.saga === saga) undoExtension(ctx, rental, saga, paymentTimedOut());
      return {};
    }),

    /** Handles the wallet's reply to the charge. */
    on_paid: command(
      ReplyTo(TransactionReceipt, Extension),
      Nothing,
      (state: State, { context, reply }, ctx: Ctx) => {
        const rental = requireRental(state);
        const { saga, days, price_cents } = context;
        endCharge(ctx, saga);
        if (rental.extending?.saga !== saga) {
          if (reply.status === "ok") refundLateCharge(ctx, rental, price_cents, reply.value.transaction_id);
          return {};
        }
        if (reply.status === "ok") {
          const charge = { cents: price_cents, transactionId: reply.value.transaction_id };
          const { isAutomatic = false } = rental.extending;
          extend(ctx, rental, days, charge, isAutomatic);
          if (!isAutomatic)
            ctx.completeSaga(saga, {
              charged_cents: price_cents,
              transaction_id: reply.value.transaction_id,
            });
        } else undoExtension(ctx, rental, saga, toDomainError(reply));
        return {};
      },
    ),

    /** Records how many days are left, as an event of which the inbox makes a notice. */
    send_notice: command(Strict({ days: Type.Integer() }), Nothing, (rental: State, { days }, ctx: Ctx) => {
      if (rental?.status !== "active") return {};
      const { autoExtension: auto } = rental;
      // One that extends itself is a reminder of the charge, and needs no other.
      if (auto !== null && days !== REMINDER_DAYS) return {};
      const extension =
        auto === null
          ? {}
          : { auto_extension: { additional_days: auto.days, max_charge_cents: auto.maxChargeCents } };
      const data = { ends_in_days: days, rental_end: rental.end.toISOString(), ...extension };
      recordRentalEvent(ctx, "server.updated", rental, data);
      return {};
    }),

    /** Ends the rental and releases the server, unless a payment in progress extends it. */
    expire: command(Nothing, Nothing, (rental: State, _input, ctx: Ctx) => {
      if (rental === null || rental.status === "ended" || rental.extending !== null) return {};
      if (rental.awaitsDelivery) return {};
      if (rental.end > ctx.now) {
        setEndTimer(ctx, rental.end);
        return {};
      }
      const tried = missedItsExtension(rental, ctx.now) ? tryExtension(ctx, rental) : rental;
      if (tried.extending === null && isOver(tried, ctx.now)) endRental(ctx, tried);
      return {};
    }),
  },
});

function undoExtension(ctx: Ctx, paying: RentalState, saga: string, why: DomainError): void {
  const { isAutomatic = false, priceCents = null } = paying.extending ?? {};
  const unpaid = { ...paying, extending: null };
  const rental = isAutomatic ? recordFailure(ctx, unpaid, why, priceCents) : unpaid;
  ctx.setState(rental);
  if (rental.status === "active" && isOver(rental, ctx.now)) endRental(ctx, rental);
  if (!isAutomatic) ctx.completeSaga(saga, why);
}

/** Refunds a charge whose reply came after the payment had timed out. */
function refundLateCharge(ctx: Ctx, rental: RentalState, cents: number, transactionId: string): void {
  refundCharge(ctx, rental.userId, {
    amount_cents: cents,
    charge_transaction_id: transactionId,
    reason: `Extension of ${rental.serverName} undone: the payment was confirmed too late`,
  });
}

function requireRental(rental: State): RentalState {
  if (rental === null) throw new DomainError("RENTAL_NOT_FOUND", "Rental not found");
  return rental;
}
