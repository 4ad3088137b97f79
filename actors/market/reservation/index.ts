import { type Static, Type } from "@sinclair/typebox";
import { Operator } from "../../../schemas/accounts/audit.ts";
import { TransactionReceipt } from "../../../schemas/billing/wallet.ts";
import { DomainError } from "../../../schemas/errors.ts";
import type { EventType } from "../../../schemas/events.ts";
import { HandedOver } from "../../../schemas/market/rental.ts";
import { Cents, Prices, RentalDays } from "../../../schemas/market/server.ts";
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
import { quotaConflicts } from "../../platform/quota-conflicts.ts";
import { recordPrivilegedAct } from "../../platform/record-audit.ts";
import { recordEvent } from "../../platform/record-event.ts";
import { toDomainError } from "../../platform/to-domain-error.ts";
import { actor, type Context, command } from "../../runtime/definition.ts";
import { messagesTo, ReplyTo } from "../../runtime/transport/message.ts";
import { daysText } from "../prices.ts";
import type { serverActor } from "../server/index.ts";
import { type ReservationState, reservationTable } from "./table.ts";

type State = ReservationState | null;
type Ctx = Context<State>;

const servers = messagesTo<ReturnType<typeof serverActor>>("server");

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

const Nothing = Type.Object({});
/** The purpose of a delivery: who ordered it, which is written down when it has succeeded. */
const Delivery = Type.Object({
  saga: Id,
  smaller: Type.Optional(Type.Boolean()),
  operator: Type.Optional(Operator),
});
/**
 * The purpose of a payment: the context of its charge, which is needed even if the reservation was cancelled
 * meanwhile.
 */
const Payment = Type.Object({ saga: Id, user_id: Id, total_cents: Cents, offer_name: Type.String() });
/** The reservation, with the price that the offer has fixed. */
const BeginInput = Strict({
  user_id: Id,
  pool_id: Nullable(Id),
  offer_id: Id,
  offer_name: Type.String(),
  days: RentalDays,
  lead_time_hours: Type.Integer(),
  rent_cents: Cents,
  setup_fee_cents: Cents,
  renewal_prices: Prices,
});
/** `smaller`: the server has less than was ordered, and the operator means it. */
const DeliverInput = Strict({ server_id: Id, smaller: Type.Optional(Type.Boolean()) });

/** Reservations. Keyed by reservation. */
export const reservationActor = actor("reservation", {
  table: reservationTable,
  hasTasks: true,
  empty: (): State => null,
  conflicts: { ...quotaConflicts("open_reservations_per_user"), ...deletedAccountConflict() },
  on: {
    /** Pays, and replies when that is done. An existing reservation is the reply: the request is a repetition under the same key. */
    begin: command(BeginInput, Nothing, (reservation: State, input, ctx: Ctx) => {
      if (reservation !== null) {
        if (reservation.offerId !== input.offer_id) throw idempotencyKeyReused();
        return outcomeOf(ctx, reservation);
      }
      const saga = ctx.newId();
      const pending: ReservationState = {
        userId: input.user_id,
        poolId: input.pool_id,
        offerId: input.offer_id,
        offerName: input.offer_name,
        days: input.days,
        leadTimeHours: input.lead_time_hours,
        rentCents: input.rent_cents,
        setupFeeCents: input.setup_fee_cents,
        renewalPrices: input.renewal_prices,
        status: "pending",
        saga,
        transactionId: null,
        deliveryDue: null,
        rentalId: null,
        createdAt: ctx.now,
      };
      const total = input.rent_cents + input.setup_fee_cents;
      if (total === 0) {
        confirm(ctx, pending, null);
        return {};
      }
      ctx.setState(pending);
      beginCharge(ctx, {
        saga,
        userId: input.user_id,
        charge: {
          amount_cents: total,
          transaction_type: "reservation",
          reason: `Reservation of ${input.offer_name} for ${daysText(input.days)}`,
        },
        onReply: "on_paid",
        context: {
          saga,
          user_id: input.user_id,
          total_cents: total,
          offer_name: input.offer_name,
        } satisfies Static<typeof Payment>,
      });
      return ctx.awaitSaga(saga);
    }),

    /** Replies when the payment succeeded or failed. */
    await_payment: command(Nothing, Nothing, (state: State, _input, ctx: Ctx) =>
      outcomeOf(ctx, requireReservation(state)),
    ),

    /** Ends a payment whose wallet does not reply: nothing is reserved, and the same key may try again. */
    on_payment_timed_out: command(PaymentTimedOut, Nothing, (reservation: State, { saga }, ctx: Ctx) => {
      abandonCharge(ctx, saga);
      if (reservation?.status !== "pending" || reservation.saga !== saga) return {};
      ctx.setState(null);
      ctx.completeSaga(saga, paymentTimedOut());
      return {};
    }),

    /** Handles the wallet's reply. After a refusal no record remains, and the same key may try again. */
    on_paid: command(
      ReplyTo(TransactionReceipt, Payment),
      Nothing,
      (state: State, { context, reply }, ctx: Ctx) => {
        endCharge(ctx, context.saga);
        if (state?.status !== "pending" || state.saga !== context.saga) {
          if (reply.status === "ok") refund(ctx, context, reply.value.transaction_id);
          return {};
        }
        if (reply.status === "ok") {
          confirm(ctx, state, reply.value.transaction_id);
          ctx.completeSaga(context.saga, {});
        } else {
          ctx.setState(null);
          ctx.completeSaga(context.saga, toDomainError(reply));
        }
        return {};
      },
    ),

    /**
     * Delivers a server that an operator has built: the reservation becomes a rental, which is paid already.
     * @throws RESERVATION_STATE_CONFLICT, and what the server's `hand_over` refuses
     */
    deliver: operatorCommand(DeliverInput, Nothing, (state: State, input, ctx: Ctx, operator) => {
      const reservation = confirmed(state);
      const saga = ctx.newId();
      const rental_id = ctx.newId();
      ctx.setState({ ...reservation, rentalId: rental_id });
      ctx.send(
        `hand-over:${saga}`,
        servers(input.server_id).hand_over({
          rental_id,
          user_id: reservation.userId,
          pool_id: reservation.poolId,
          rental_end: new Date(ctx.now.getTime() + reservation.days * DAY_MS).toISOString(),
          frozen_prices: reservation.renewalPrices,
        }),
        {
          onReply: "on_handed_over",
          context: { saga, smaller: input.smaller ?? false, ...(operator && { operator }) },
        },
      );
      return ctx.awaitSaga(saga);
    }),

    on_handed_over: command(
      ReplyTo(HandedOver, Delivery),
      Nothing,
      (state: State, { context: { saga, smaller, operator }, reply }, ctx: Ctx) => {
        const reservation = requireReservation(state);
        if (reply.status === "ok") {
          const { userId, offerName: offer, rentalId: rental_id, days } = reservation;
          const { server_name = null } = reply.value;
          const isSmaller = smaller === true ? { smaller } : {};
          ctx.setState({ ...reservation, status: "delivered" });
          recordReservationEvent(ctx, "server.delivered", reservation, {
            rental_id,
            server_name,
            days,
            ...isSmaller,
          });
          recordPrivilegedAct(ctx, operator, {
            act: "reservation_delivered",
            userId,
            resourceId: ctx.actorId,
            // The id that the page of the server has in its address.
            data: { offer, server_name, rental_id, ...isSmaller },
          });
          ctx.completeSaga(saga, {});
        } else {
          ctx.setState({ ...reservation, rentalId: null });
          ctx.completeSaga(saga, toDomainError(reply));
        }
        return {};
      },
    ),

    /** Cancels the reservation, by an operator who cannot deliver, and refunds the payment. */
    cancel: operatorCommand(Strict({}), Nothing, (state: State, _input, ctx: Ctx, operator) => {
      const { userId, offerName: offer } = cancel(ctx, confirmed(state), operator?.id);
      recordPrivilegedAct(ctx, operator, {
        act: "reservation_cancelled",
        userId,
        resourceId: ctx.actorId,
        data: { offer },
      });
      return {};
    }),

    /** Cancels the reservation, by its user, until it is delivered, and refunds the payment. @throws RESERVATION_STATE_CONFLICT */
    cancel_by_user: command(Strict({}), Nothing, (state: State, _input, ctx: Ctx) => {
      const reservation = confirmed(state);
      cancel(ctx, reservation, reservation.userId);
      return {};
    }),
  },
});

function cancel(ctx: Ctx, reservation: ReservationState, by: string | undefined): ReservationState {
  const { userId, rentCents, setupFeeCents, offerName, transactionId } = reservation;
  const total_cents = rentCents + setupFeeCents;
  ctx.setState({ ...reservation, status: "cancelled" });
  if (transactionId !== null)
    refund(ctx, { user_id: userId, total_cents, offer_name: offerName }, transactionId);
  const refunded = transactionId === null ? {} : { refunded: fromCents(BigInt(total_cents)) };
  recordReservationEvent(ctx, "server.released", reservation, { reservation: "cancelled", ...refunded }, by);
  return reservation;
}

const outcomeOf = (ctx: Ctx, { status, saga }: ReservationState) =>
  status === "pending" && saga !== null ? ctx.awaitSaga(saga) : {};

function confirm(ctx: Ctx, reservation: ReservationState, transactionId: string | null): void {
  const deliveryDue = new Date(ctx.now.getTime() + reservation.leadTimeHours * HOUR_MS);
  ctx.setState({ ...reservation, status: "confirmed", transactionId, deliveryDue });
  recordReservationEvent(ctx, "server.reserved", reservation, {
    transaction_id: transactionId,
    delivery_due: deliveryDue.toISOString(),
  });
}

/** Refunds the payment. */
function refund(ctx: Ctx, paid: Omit<Static<typeof Payment>, "saga">, transactionId: string): void {
  refundCharge(ctx, paid.user_id, {
    amount_cents: paid.total_cents,
    charge_transaction_id: transactionId,
    reason: `Reservation of ${paid.offer_name} cancelled`,
  });
}

function requireReservation(reservation: State): ReservationState {
  if (reservation === null) throw new DomainError("RESERVATION_NOT_FOUND", "Reservation not found");
  return reservation;
}

function confirmed(state: State): ReservationState {
  const reservation = requireReservation(state);
  if (reservation.status === "confirmed" && reservation.rentalId === null) return reservation;
  throw new DomainError("RESERVATION_STATE_CONFLICT", `the reservation is ${reservation.status}`);
}

function recordReservationEvent(
  ctx: Ctx,
  event_type: EventType,
  { userId, offerName }: ReservationState,
  data: Record<string, unknown>,
  by?: string,
): void {
  recordEvent(ctx, {
    event_type,
    resource_id: ctx.actorId,
    user_id: userId,
    by,
    data: { offer: offerName, ...data },
  });
}
