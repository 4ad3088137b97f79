import type { OFFERS_SORT, Offer } from "../../../schemas/market/offer.ts";
import type { Prices, ServerSpecs } from "../../../schemas/market/server.ts";
import type { CountedSlice, PageOf } from "../../../schemas/paging.ts";
import { isNamed, keyset, type Positioned, readTotal, sliceOf } from "../../platform/db/keyset/queries.ts";
import type { Sql } from "../../platform/db/sql.ts";

interface OfferRow {
  id: string;
  name: string;
  lead_time_hours: number;
  pricing_rules: Prices;
  setup_fee_rules: Prices;
  setup_fee_cents: bigint;
  specs: ServerSpecs;
  orderable: boolean;
  created_at: Date;
  updated_at: Date;
}

/** A page of offers by name: those that can be ordered (spec §4.1), or all of them, for operators. */
export async function listOffers(
  db: Sql,
  which: "orderable" | "all",
  page: PageOf<typeof OFFERS_SORT>,
): Promise<CountedSlice<Offer>> {
  const columns = { name: db`lower(name)`, created_at: db`created_at`, lead_time_hours: db`lead_time_hours` };
  const { position, isAfter, order } = keyset(db, page, columns, db`id`);
  const listed = db`FROM offers WHERE ${which === "all" ? db`true` : db`orderable`} ${isNamed(db, page, db`name`)}`;
  const [rows, total] = await Promise.all([
    db<Positioned<OfferRow>[]>`SELECT *, ${position} ${listed} AND ${isAfter} ORDER BY ${order}`,
    readTotal(db, listed),
  ]);
  return { ...sliceOf(rows, page, toOffer), total };
}

/** An offer, orderable or not; undefined if there is none with this id. */
export async function readOffer(db: Sql, id: string): Promise<Offer | undefined> {
  const [row] = await db<OfferRow[]>`SELECT * FROM offers WHERE id = ${id}`;
  return row === undefined ? undefined : toOffer(row);
}

const toOffer = (row: OfferRow): Offer => ({
  id: row.id,
  name: row.name,
  lead_time_hours: row.lead_time_hours,
  pricing_rules: row.pricing_rules,
  setup_fee_rules: row.setup_fee_rules,
  setup_fee_cents: Number(row.setup_fee_cents),
  specs: row.specs,
  orderable: row.orderable,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
