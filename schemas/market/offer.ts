import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { CursorPagination, ListReply, namedListQuery, offsetQuery } from "../paging.ts";
import { Id, IdempotencyKey, Nullable, OneOf, Strict, Timestamp } from "../primitives.ts";
import { NEWEST_FIRST, sorting, sortKeys } from "../sorting.ts";
import { Name } from "../text.ts";
import { Cents, PRICE_CENTS_MAX, Prices, RentalDays, ServerSpecs } from "./server.ts";

/** Offers of servers that are delivered later, and reservations of them (spec, control plane §2, §4.1, §4.2). */

const LeadTime = Type.Integer({
  minimum: 1,
  maximum: 720,
  description: "hours from the order to the delivery",
});

export const Offer = Type.Object({
  id: Id,
  name: Type.String(),
  lead_time_hours: LeadTime,
  pricing_rules: Prices,
  setup_fee_rules: Prices,
  setup_fee_cents: Cents,
  specs: ServerSpecs,
  orderable: Type.Boolean(),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Offer = Static<typeof Offer>;

/** From an operator, and between actors. */
export const AddOffer = Strict({
  name: Name(100),
  lead_time_hours: LeadTime,
  pricing_rules: Prices,
  setup_fee_rules: Type.Optional(Prices),
  setup_fee_cents: Type.Optional(Cents),
  specs: ServerSpecs,
});
export type AddOffer = Static<typeof AddOffer>;

export const CreateOffer = Strict({ ...AddOffer.properties, idempotency_key: Type.Optional(IdempotencyKey) });

/** Missing fields stay unchanged. */
export const ChangeOffer = Strict(
  {
    name: Type.Optional(Name(100)),
    lead_time_hours: Type.Optional(LeadTime),
    pricing_rules: Type.Optional(Prices),
    setup_fee_rules: Type.Optional(Prices),
    setup_fee_cents: Type.Optional(Cents),
    specs: Type.Optional(ServerSpecs),
  },
  { minProperties: 1 },
);
export type ChangeOffer = Static<typeof ChangeOffer>;

export const Reserve = Strict({
  days: RentalDays,
  max_charge_cents: Type.Optional({
    ...Cents,
    maximum: 2 * PRICE_CENTS_MAX,
    description:
      "the total that the client showed: rent and setup fee, in cents. Required unless the total is 0, and it must be exact",
  }),
  idempotency_key: Type.Optional({
    ...IdempotencyKey,
    description: "required, here or in the header `Idempotency-Key`",
  }),
  pool_id: Type.Optional(Id),
});
export type Reserve = Static<typeof Reserve>;

/** `pending`: being paid; `confirmed`: paid, to be delivered by `delivery_due`; `delivered`: it has become a rental. */
export const ReservationStatus = OneOf(["pending", "confirmed", "delivered", "cancelled"]);
export type ReservationStatus = Static<typeof ReservationStatus>;

export const Reservation = Type.Object({
  id: Id,
  user_id: Id,
  pool_id: Nullable(Id),
  offer_id: Id,
  offer_name: Type.String(),
  days: RentalDays,
  rent_cents: Cents,
  setup_fee_cents: Cents,
  total_cents: Cents,
  status: ReservationStatus,
  transaction_id: Nullable(Id),
  delivery_due: Nullable(Timestamp),
  rental_id: Nullable(Id),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Reservation = Static<typeof Reservation>;

export const OffersReply = ListReply(Offer);
export const OfferReply = Reply(Offer);
export const ReservationReply = Reply(Reservation);
/** Spec §8. */
export const RESERVATIONS_PAGE = { standard: 50, max: 500 };
export const ReservationsQuery = Strict(offsetQuery(RESERVATIONS_PAGE, NEWEST_FIRST));
/** What is paid and not delivered has a date of delivery. The most urgent comes first. */
export const UNDELIVERED_SORT = sorting("delivery_due", { delivery_due: "time", created_at: "time" });
export const OFFERS_SORT = sorting("name", { name: "text", created_at: "time", lead_time_hours: "integer" });
export const OfferSort = sortKeys(OFFERS_SORT);
export const OffersQuery = namedListQuery(OFFERS_SORT);
export const ReservationsReply = Reply(
  Type.Object({
    reservations: Type.Array(Reservation),
    total: Type.Integer(),
    limit: Type.Integer(),
    offset: Type.Integer(),
    pagination: CursorPagination,
  }),
);
/** Of one user, for operators. */
export const ManagedReservationsReply = Reply(
  Type.Object({
    reservations: Type.Array(Reservation),
    total: Type.Integer(),
    pagination: CursorPagination,
  }),
);
