import type { Rental } from "../../schemas/rental.ts";
import type { Sql } from "../db/sql.ts";

interface RentalRow {
  id: string;
  server_id: string;
  server_name: string;
  status: Rental["status"];
  rental_end: Date;
  created_at: Date;
}

/** A user's rentals, oldest first. */
export async function listRentals(db: Sql, userId: string): Promise<Rental[]> {
  const rows = await db<RentalRow[]>`
    SELECT r.id, r.server_id, s.name AS server_name, r.status, r.rental_end, r.created_at
    FROM rentals r JOIN servers s ON s.id = r.server_id
    WHERE r.user_id = ${userId} ORDER BY r.created_at, r.id`;
  return rows.map(toRental);
}

/** A user's rental; undefined when there is none of this id, or it is another's. */
export async function readRental(db: Sql, userId: string, id: string): Promise<Rental | undefined> {
  const [row] = await db<RentalRow[]>`
    SELECT r.id, r.server_id, s.name AS server_name, r.status, r.rental_end, r.created_at
    FROM rentals r JOIN servers s ON s.id = r.server_id
    WHERE r.id = ${id} AND r.user_id = ${userId}`;
  return row === undefined ? undefined : toRental(row);
}

const toRental = (row: RentalRow): Rental => ({
  ...row,
  rental_end: row.rental_end.toISOString(),
  created_at: row.created_at.toISOString(),
});
