import type { Reservation } from "../../../schemas/market/offer.ts";
import type { Prices } from "../../../schemas/market/server.ts";
import { integer, json, nullable, safeInteger, text, timestamp } from "../../runtime/columns.ts";
import { rootTable } from "../../runtime/table.ts";

/** A reservation as its actor holds it. */
export interface ReservationState {
  readonly userId: string;
  readonly poolId: string | null;
  readonly offerId: string;
  readonly offerName: string;
  readonly days: number;
  readonly leadTimeHours: number;
  readonly rentCents: number;
  readonly setupFeeCents: number;
  /** The highest prices of a renewal of the rental that follows. */
  readonly renewalPrices: Prices;
  readonly status: Reservation["status"];
  /** The saga that pays for it; null in records from before it was stored. */
  readonly saga: string | null;
  readonly transactionId: string | null;
  readonly deliveryDue: Date | null;
  readonly rentalId: string | null;
  readonly createdAt: Date;
}

export const reservationTable = rootTable<ReservationState>("reservations", {
  key: "id",
  changedAt: "updated_at",
  fields: {
    userId: text("user_id"),
    poolId: nullable(text("pool_id")),
    offerId: text("offer_id"),
    offerName: text("offer_name"),
    days: integer("days"),
    leadTimeHours: integer("lead_time_hours"),
    rentCents: safeInteger("rent_cents"),
    setupFeeCents: safeInteger("setup_fee_cents"),
    renewalPrices: json("renewal_prices"),
    status: text("status"),
    saga: nullable(text("saga")),
    transactionId: nullable(text("transaction_id")),
    deliveryDue: nullable(timestamp("delivery_due")),
    rentalId: nullable(text("rental_id")),
    createdAt: timestamp("created_at"),
  },
});
