import { Elysia } from "elysia";
import { readOffer } from "../../../actors/market/offer/queries.ts";
import { listReservations, readReservation } from "../../../actors/market/reservation/queries.ts";
import { DomainError, ValidationError } from "../../../schemas/errors.ts";
import {
  RESERVATIONS_PAGE,
  type Reservation,
  ReservationReply,
  ReservationsQuery,
  ReservationsReply,
  Reserve,
} from "../../../schemas/market/offer.ts";
import { IdParams } from "../../../schemas/primitives.ts";
import { NEWEST_FIRST } from "../../../schemas/sorting.ts";
import { signedIn } from "../../auth/guards.ts";
import { ownedPool } from "../../auth/owned-pool.ts";
import type { GatewayContext } from "../../context.ts";
import { actorIdFor } from "../../http/actor-id.ts";
import { created, errors, ok } from "../../http/envelope.ts";
import { cursorPagination, listPage, ownList } from "../../http/paging.ts";

/** Reservations of servers that are not built yet (spec, control plane §4.2). */
export const reservationRoutes = (context: GatewayContext) => {
  const { db, actors, credentials, newId } = context;

  /** Waits for the payment of a reservation. False: it was refused in the meantime, and nothing of the reservation remains. */
  const isPaid = (id: string): Promise<boolean> =>
    actors
      .reservation(id)
      .await_payment({})
      .then(
        () => true,
        (error) => {
          if (error instanceof DomainError && error.code === "RESERVATION_NOT_FOUND") return false;
          throw error;
        },
      );

  const reading = new Elysia()
    .use(signedIn(credentials, "resources.read"))
    .get(
      "/reservations",
      async ({ caller, query }) => {
        const page = listPage(ownList("reservations", caller), query, RESERVATIONS_PAGE, NEWEST_FIRST);
        const { rows: reservations, total, next } = await listReservations(db, caller.userId, page);
        const { limit, offset } = page;
        return ok("Reservations", {
          reservations,
          total,
          limit,
          offset,
          pagination: cursorPagination(page, next),
        });
      },
      {
        query: ReservationsQuery,
        response: { 200: ReservationsReply },
        detail: { summary: "Your reservations, newest first" },
      },
    )
    .get(
      "/reservations/:id",
      async ({ caller, params }) =>
        ok("Reservation", existing(await readReservation(db, params.id, caller.userId))),
      {
        params: IdParams,
        response: { 200: ReservationReply, ...errors("RESERVATION_NOT_FOUND") },
        detail: { summary: "A reservation" },
      },
    );

  const spending = new Elysia().use(signedIn(credentials, "wallet.spend")).post(
    "/offers/:id/reserve",
    async ({ caller, params, body, operation }) => {
      if ((await readOffer(db, params.id)) === undefined)
        throw new DomainError("OFFER_NOT_FOUND", "Offer not found");
      if (!operation.hasClientKey)
        throw new ValidationError("body.idempotency_key", "required, here or in the header Idempotency-Key");
      // The id follows from the key, so a repeated key finds the reservation itself and needs no receipt.
      const id = actorIdFor("reservation", caller.userId, operation, newId);
      const made = await readReservation(db, id, caller.userId);
      if (made !== undefined && made.offer_id !== params.id)
        throw new DomainError("IDEMPOTENCY_KEY_REUSED", "this idempotency key was used for another offer");
      if (made !== undefined && (await isPaid(id))) operation.onReplayed();
      else {
        const poolId = await ownedPool(context, caller, body.pool_id);
        const { days, max_charge_cents } = body;
        await actors.offer(params.id).reserve({
          days,
          ...(max_charge_cents === undefined ? {} : { max_charge_cents }),
          reservation_id: id,
          user_id: caller.userId,
          pool_id: poolId,
        });
      }
      return created("Reserved", existing(await readReservation(db, id, caller.userId)));
    },
    {
      params: IdParams,
      body: Reserve,
      response: {
        201: ReservationReply,
        ...errors(
          "OFFER_NOT_FOUND",
          "POOL_NOT_FOUND",
          "CHARGE_CONFIRMATION_REQUIRED",
          "CHARGE_MISMATCH",
          "INSUFFICIENT_BALANCE",
          "QUOTA_EXCEEDED",
          "IDEMPOTENCY_KEY_REUSED",
        ),
      },
      detail: {
        summary: "Reserve a server of an offer; it is paid at once",
        description:
          "`max_charge_cents` must be the exact total of rent and setup fee; any difference is refused with `total_cents`. The key is " +
          "required, in the body or in the header `Idempotency-Key`. The same key answers the original reservation, whatever else the " +
          "request says, and charges nothing more. A refusal is not kept: after INSUFFICIENT_BALANCE the same key may try again.",
      },
    },
  );

  const cancelling = new Elysia().use(signedIn(credentials, "wallet.spend")).post(
    "/reservations/:id/cancel",
    async ({ caller, params, operation }) => {
      existing(await readReservation(db, params.id, caller.userId));
      await actors.reservation(params.id).cancel_by_user({}, operation);
      return ok("Reservation cancelled", existing(await readReservation(db, params.id, caller.userId)));
    },
    {
      params: IdParams,
      response: {
        200: ReservationReply,
        ...errors("RESERVATION_NOT_FOUND", "RESERVATION_STATE_CONFLICT", "IDEMPOTENCY_KEY_REUSED"),
      },
      detail: {
        summary: "Cancel a reservation that is not delivered yet, and get back what was paid",
        description:
          "Rent and setup fee return to the general balance. A reservation that was delivered is a rental: end that instead, without a refund.",
      },
    },
  );

  return new Elysia({ prefix: "/api/v1", detail: { tags: ["Reservations"] } })
    .use(reading)
    .use(spending)
    .use(cancelling);
};

function existing(reservation: Reservation | undefined): Reservation {
  if (reservation === undefined) throw new DomainError("RESERVATION_NOT_FOUND", "Reservation not found");
  return reservation;
}
