import { Type } from "@sinclair/typebox";
import { TransactionReceipt } from "../../../schemas/billing/wallet.ts";
import { DomainError } from "../../../schemas/errors.ts";
import type { EventType } from "../../../schemas/events.ts";
import { Charged, Extend, HOST_REMOVED } from "../../../schemas/market/rental.ts";
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
import { fromCents } from "../../platform/money.ts";
import { operatorCommand } from "../../platform/operator-command.ts";
import { recordPrivilegedAct } from "../../platform/record-audit.ts";
import { recordEvent } from "../../platform/record-event.ts";
import { toDomainError } from "../../platform/to-domain-error.ts";
import { actor, type Context, command } from "../../runtime/definition.ts";
import { messagesTo, ReplyTo } from "../../runtime/transport/message.ts";
import { daysText, extensionPrice } from "../prices.ts";
import { RentalPayment, unusedCents } from "../rental-payment.ts";
import type { serverActor } from "../server/index.ts";
import {
  assertExtendable,
  assertNotTooLong,
  DAY_MS,
  NOTICE_DAYS,
  noticesBefore,
  type RentalState,
} from "./rules.ts";
import { rentalTable } from "./table.ts";

type State = RentalState | null;
type Ctx = Context<State>;

const servers = messagesTo<ReturnType<typeof serverActor>>("server");

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
/** A rent, or a reservation. */
const FIRST_PAYMENTS_MAX = 1;
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
        createdAt: ctx.now,
      };
      ctx.setState(begun);
      setTimers(ctx, begun.end);
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

    /** Tells the renter that the server's host has joined: containers can run there. */
    announce_host: command(Nothing, Nothing, (rental: State, _input, ctx: Ctx) => {
      if (rental?.status === "active")
        recordRentalEvent(ctx, "server.updated", rental, { host_joined: true });
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

    /**
     * Ends the rental before its time, since the renter gives it up. Nothing is refunded; what runs there is stopped, and removed after
     * the time of grace, as at any end.
     *
     * @throws EXTENSION_ALREADY_APPLIED for another end than the caller has read, RENTAL_ENDED
     */
    end: command(
      Strict({ expected_rental_end: Type.String(), by: Id }),
      Nothing,
      (state: State, { expected_rental_end, by }, ctx: Ctx) => {
        const rental = requireRental(state);
        assertExtendable(rental, expected_rental_end, ctx.now);
        const ended = { ...rental, end: ctx.now };
        clearTimers(ctx);
        endRental(ctx, ended, { paid_until: rental.end.toISOString() }, by);
        return {};
      },
    ),

    /**
     * Ends the rental since its machine is gone, by an operator. What was paid for the rest of its time is returned; anything else is as
     * at any end.
     */
    terminate: operatorCommand(
      Strict({ payments: Type.Array(RentalPayment, { maxItems: FIRST_PAYMENTS_MAX }) }),
      Type.Object({ refunded_cents: Cents }),
      (state: State, { payments }, ctx: Ctx, operator) => {
        const rental = requireRental(state);
        if (rental.status === "ended") return { refunded_cents: 0 };
        abandonExtension(ctx, rental);
        clearTimers(ctx);
        const refunded = refundUnused(ctx, rental, [...payments, ...rental.extensionPayments]);
        const data = { paid_until: rental.end.toISOString(), refunded: fromCents(BigInt(refunded)) };
        const why = { ...data, reason: HOST_REMOVED };
        endRental(ctx, { ...rental, end: ctx.now, extending: null }, why, operator?.id);
        recordPrivilegedAct(ctx, operator, {
          act: "rental_terminated",
          userId: rental.userId,
          resourceId: ctx.actorId,
          data: { server: rental.serverName, ...data },
        });
        return { refunded_cents: refunded };
      },
    ),

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
          extend(ctx, { ...rental, extending: null }, days, charge);
          ctx.completeSaga(saga, { charged_cents: price_cents, transaction_id: reply.value.transaction_id });
        } else undoExtension(ctx, rental, saga, toDomainError(reply));
        return {};
      },
    ),

    /** Records how many days are left, as an event of which the inbox makes a notice. */
    send_notice: command(Strict({ days: Type.Integer() }), Nothing, (rental: State, { days }, ctx: Ctx) => {
      if (rental?.status === "active") {
        recordRentalEvent(ctx, "server.updated", rental, {
          ends_in_days: days,
          rental_end: rental.end.toISOString(),
        });
      }
      return {};
    }),

    /** Ends the rental and releases the server, unless a payment in progress extends it. */
    expire: command(Nothing, Nothing, (rental: State, _input, ctx: Ctx) => {
      if (rental === null || rental.status === "ended" || rental.extending !== null) return {};
      if (rental.end > ctx.now) setTimers(ctx, rental.end);
      else endRental(ctx, rental);
      return {};
    }),
  },
});

interface ExtensionCharge {
  readonly cents: number;
  readonly transactionId: string;
}

/** @param charge null: it costs nothing */
function extend(ctx: Ctx, rental: RentalState, days: number, charge: ExtensionCharge | null): void {
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
  const extended = { ...rental, end, extensionPayments: [...unusedOf(rental, ctx.now), ...paid] };
  ctx.setState(extended);
  setTimers(ctx, extended.end);
  recordRentalEvent(ctx, "server.extended", extended, {
    days,
    charged_cents: charge?.cents ?? 0,
    rental_end: extended.end.toISOString(),
  });
}

/** Payments for a time that is over are kept no longer: there is nothing of them to return. */
const unusedOf = ({ extensionPayments }: RentalState, now: Date): RentalPayment[] =>
  extensionPayments.filter(({ until }) => new Date(until) > now);

/** Returns what was paid for the time that is still to come. @returns the sum, in cents */
function refundUnused(ctx: Ctx, rental: RentalState, payments: readonly RentalPayment[]): number {
  let sum = 0;
  for (const payment of payments) {
    const part = unusedCents(payment, ctx.now);
    if (part === 0) continue;
    sum += part;
    refundCharge(ctx, rental.userId, {
      amount_cents: payment.charged_cents,
      charge_transaction_id: payment.transaction_id,
      part_cents: part,
      reason: `${rental.serverName} was taken out of service: the rest of its rental`,
    });
  }
  return sum;
}

/** Ends an extension whose payment is in progress: what is charged for it after all is refunded when the wallet says so. */
function abandonExtension(ctx: Ctx, { extending }: RentalState): void {
  if (extending === null) return;
  abandonCharge(ctx, extending.saga);
  endCharge(ctx, extending.saga);
  ctx.completeSaga(extending.saga, new DomainError("RENTAL_ENDED", "the rental has ended"));
}

function undoExtension(ctx: Ctx, extending: RentalState, saga: string, why: DomainError): void {
  const rental = { ...extending, extending: null };
  ctx.setState(rental);
  if (rental.status === "active" && rental.end <= ctx.now) endRental(ctx, rental);
  ctx.completeSaga(saga, why);
}

/** Refunds a charge whose reply came after the payment had timed out. */
function refundLateCharge(ctx: Ctx, rental: RentalState, cents: number, transactionId: string): void {
  refundCharge(ctx, rental.userId, {
    amount_cents: cents,
    charge_transaction_id: transactionId,
    reason: `Extension of ${rental.serverName} undone: the payment was confirmed too late`,
  });
}

function endRental(ctx: Ctx, rental: RentalState, data: Record<string, unknown> = {}, by?: string): void {
  ctx.setState({ ...rental, status: "ended" });
  ctx.send("release", servers(rental.serverId).release({ rental_id: ctx.actorId }));
  recordRentalEvent(ctx, "server.expired", rental, { rental_end: rental.end.toISOString(), ...data }, by);
}

function clearTimers(ctx: Ctx): void {
  for (const name of ["end", ...NOTICE_DAYS.map((days) => `notice-${days}`)])
    if (ctx.isPending(name)) ctx.clearTimer(name);
}

function setTimers(ctx: Ctx, end: Date): void {
  ctx.setTimer("end", { at: end, op: "expire" });
  for (const days of NOTICE_DAYS) if (ctx.isPending(`notice-${days}`)) ctx.clearTimer(`notice-${days}`);
  for (const { days, at } of noticesBefore(end, ctx.now))
    ctx.setTimer(`notice-${days}`, { at, op: "send_notice", input: { days } });
}

function requireRental(rental: State): RentalState {
  if (rental === null) throw new DomainError("RENTAL_NOT_FOUND", "Rental not found");
  return rental;
}

function recordRentalEvent(
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
