import type { Reservation, UNDELIVERED_SORT } from "../../../schemas/market/offer.ts";
import type { Prices } from "../../../schemas/market/server.ts";
import type { CountedSlice, PageOf } from "../../../schemas/paging.ts";
import type { NEWEST_FIRST } from "../../../schemas/sorting.ts";
import { keyset, type Positioned, readTotal, sliceOf } from "../../platform/db/keyset/queries.ts";
import type { Sql } from "../../platform/db/sql.ts";

interface ReservationRow {
  id: string;
  user_id: string;
  pool_id: string | null;
  offer_id: string;
  offer_name: string;
  days: number;
  lead_time_hours: number;
  rent_cents: bigint;
  setup_fee_cents: bigint;
  renewal_prices: Prices;
  status: Reservation["status"];
  transaction_id: string | null;
  delivery_due: Date | null;
  rental_id: string | null;
  created_at: Date;
  updated_at: Date;
}

/** A page of a user's reservations, newest first. */
export async function listReservations(
  db: Sql,
  userId: string,
  page: PageOf<typeof NEWEST_FIRST>,
): Promise<CountedSlice<Reservation>> {
  const { position, isAfter, order } = keyset(db, page, { created_at: db`created_at` }, db`id`);
  const [rows, total] = await Promise.all([
    db<Positioned<ReservationRow>[]>`
      SELECT *, ${position} FROM reservations WHERE user_id = ${userId} AND ${isAfter} ORDER BY ${order}`,
    readTotal(db, db`FROM reservations WHERE user_id = ${userId}`),
  ]);
  return { ...sliceOf(rows, page, toReservation), total };
}

/** A page of the reservations that are paid and not delivered, for operators: the earliest delivery date first. */
export async function listUndelivered(
  db: Sql,
  page: PageOf<typeof UNDELIVERED_SORT>,
): Promise<CountedSlice<Reservation>> {
  const { position, isAfter, order } = keyset(
    db,
    page,
    { delivery_due: db`delivery_due`, created_at: db`created_at` },
    db`id`,
  );
  const [rows, total] = await Promise.all([
    db<Positioned<ReservationRow>[]>`
      SELECT *, ${position} FROM reservations WHERE status = 'confirmed' AND ${isAfter} ORDER BY ${order}`,
    readTotal(db, db`FROM reservations WHERE status = 'confirmed'`),
  ]);
  return { ...sliceOf(rows, page, toReservation), total };
}

/** A reservation, optionally of one user; undefined if there is none with this id. */
export async function readReservation(
  db: Sql,
  id: string,
  userId: string | null,
): Promise<Reservation | undefined> {
  const [row] = await db<ReservationRow[]>`
    SELECT * FROM reservations WHERE id = ${id} ${userId === null ? db`` : db`AND user_id = ${userId}`}`;
  return row === undefined ? undefined : toReservation(row);
}

const toReservation = (row: ReservationRow): Reservation => ({
  id: row.id,
  user_id: row.user_id,
  pool_id: row.pool_id,
  offer_id: row.offer_id,
  offer_name: row.offer_name,
  days: row.days,
  rent_cents: Number(row.rent_cents),
  setup_fee_cents: Number(row.setup_fee_cents),
  total_cents: Number(row.rent_cents + row.setup_fee_cents),
  status: row.status,
  transaction_id: row.transaction_id,
  delivery_due: row.delivery_due?.toISOString() ?? null,
  rental_id: row.rental_id,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
