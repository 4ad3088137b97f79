import type { Role } from "../../../schemas/accounts/pool.ts";
import type { RENTALS_SORT, Rental } from "../../../schemas/market/rental.ts";
import type { Prices, ServerSpecs } from "../../../schemas/market/server.ts";
import type { CountedSlice, PageOf } from "../../../schemas/paging.ts";
import { isNamed, keyset, type Positioned, readTotal, sliceOf } from "../../platform/db/keyset/queries.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { presentExtensionPrice } from "../prices.ts";
import type { RentalPayment } from "../rental-payment.ts";
import { type AutoExtension, DAY_MS, movePayment, type RentalState } from "./rules.ts";

interface RentalRow {
  id: string;
  server_id: string;
  server_name: string;
  user_id: string;
  pool_id: string | null;
  status: Rental["status"];
  rental_start: Date;
  rental_end: Date;
  frozen_prices: Prices | null;
  live_prices: Prices;
  extending: RentalState["extending"];
  auto_extension: AutoExtension | null;
  created_at: Date;
  updated_at: Date;
}

/** With what the server itself knows. */
type ListedRow = RentalRow & { specs: ServerSpecs; host_joined: boolean; awaits: boolean };

/** A page of a user's rentals, oldest first. */
export async function listRentals(
  db: Sql,
  userId: string,
  page: PageOf<typeof RENTALS_SORT>,
): Promise<CountedSlice<Rental>> {
  const columns = {
    created_at: db`r.created_at`,
    server_name: db`r.server_name`,
    rental_end: db`r.rental_end`,
  };
  const { position, isAfter, order } = keyset(db, page, columns, db`r.id`);
  const own = db`FROM rentals r JOIN servers s ON s.id = r.server_id WHERE r.user_id = ${userId}
    ${isNamed(db, page, db`r.server_name`)}`;
  const [rows, total] = await Promise.all([
    db<Positioned<ListedRow>[]>`
      SELECT r.*, ${ofServer(db)}, ${position} ${own} AND ${isAfter} ORDER BY ${order}`,
    readTotal(db, own),
  ]);
  return { ...sliceOf(rows, page, toRental), total };
}

/** A rental of the user, or of a pool of which the user is a member, with the user's role; undefined otherwise. */
export async function readRental(
  db: Sql,
  userId: string,
  id: string,
): Promise<{ rental: Rental; role: Role } | undefined> {
  const [row] = await db<(ListedRow & { role: Role })[]>`
    SELECT r.*, ${ofServer(db)}, CASE WHEN r.user_id = ${userId} THEN 'owner' ELSE m.role END AS role
    FROM rentals r JOIN servers s ON s.id = r.server_id
      LEFT JOIN pool_members m ON m.pool_id = r.pool_id AND m.user_id = ${userId}
    WHERE r.id = ${id} AND (r.user_id = ${userId} OR m.user_id IS NOT NULL)`;
  return row === undefined ? undefined : { rental: toRental(row), role: row.role };
}

/** Whether a server's rental has ended: nothing may be started there any more. */
export async function isRentalOver(db: Sql, serverId: string): Promise<boolean> {
  const [row] = await db`
    SELECT FROM servers s JOIN rentals r ON r.id = s.rental_id
    WHERE s.id = ${serverId} AND (r.status = 'ended' OR (r.rental_end <= now() AND NOT r.awaits_delivery))`;
  return row !== undefined;
}

/** Rentals past their end that are still active: their timers are missing or late. */
export async function listOverdue(db: Sql): Promise<string[]> {
  const rows = await db<{ id: string }[]>`SELECT id ${overdue(db)}`;
  return rows.map((row) => row.id);
}

/** A server, or a part of one, that somebody rents on a machine. */
export interface RentedOnHost {
  readonly server_name: string;
  /** Null: it is being paid for. */
  readonly rental_id: string | null;
  readonly user_id: string | null;
  readonly rental_end: Date | null;
  /** What was paid at the beginning, by a rent or a reservation; null: nothing, or it is not known. */
  readonly payment: RentalPayment | null;
  readonly username: string | null;
  /** Whether an operator still sets the server up. */
  readonly undelivered: boolean;
  /** The transactions of its extensions that were paid. */
  readonly extension_transactions: readonly string[];
}

/** What is rented, or being paid for, on the machine of a name. */
export async function listRentedOnHost(db: Sql, hostName: string): Promise<RentedOnHost[]> {
  const rows = await db<(Omit<RentedOnHost, "payment"> & PaidRow)[]>`
    SELECT s.name AS server_name, r.id AS rental_id, r.user_id, r.rental_end, r.rental_start,
      ${rentPayment(db)} AS rent_payment,
      v.transaction_id, v.rent_cents, v.setup_fee_cents, v.days, a.username,
      ${extensionTransactions(db)}, coalesce(${undelivered(db)}, false) AS undelivered
    FROM servers s LEFT JOIN servers p ON p.id = s.parent_id
      LEFT JOIN rentals r ON r.id = s.rental_id AND r.status = 'active'
      LEFT JOIN accounts a ON a.id = r.user_id
      LEFT JOIN reservations v ON v.rental_id = r.id
    WHERE coalesce(p.name, s.name) = ${hostName} AND s.status IN ('renting', 'rented')
    ORDER BY s.name, s.id`;
  return rows.map((row) => ({
    server_name: row.server_name,
    rental_id: row.rental_id,
    user_id: row.user_id,
    rental_end: row.rental_end,
    payment:
      row.rent_payment === null ? reservationPayment(row) : fromStart(row.rent_payment, row.rental_start),
    username: row.username,
    extension_transactions: row.extension_transactions,
    undelivered: row.undelivered,
  }));
}

/** What was paid for a rental at its beginning, and the transactions of its extensions. */
export async function readPaid(
  db: Sql,
  rentalId: string,
): Promise<Pick<RentedOnHost, "payment" | "extension_transactions"> | undefined> {
  const [row] = await db<Pick<RentedOnHost, "payment" | "extension_transactions">[]>`
    SELECT ${rentPayment(db)} AS payment,
      ${extensionTransactions(db)}
    FROM rentals r JOIN servers s ON s.id = r.server_id WHERE r.id = ${rentalId}`;
  return row;
}

/** What the server `s` keeps of the payment of its present rental `r`. */
const rentPayment = (db: Sql) => db`
  CASE WHEN s.rental_payment->>'rental_id' = r.id THEN s.rental_payment - 'rental_id' END`;

const extensionTransactions = (db: Sql) => db`
  ARRAY(SELECT e->>'transaction_id' FROM jsonb_array_elements(r.extension_payments) e) AS extension_transactions`;

/** Where an operator delivered the server, the paid time began after the payment. */
const fromStart = (payment: RentalPayment, start: Date): RentalPayment =>
  movePayment(payment, start.getTime() - Date.parse(payment.from));

interface PaidRow {
  rental_start: Date;
  rent_payment: RentalPayment | null;
  /** Of its reservation. */
  transaction_id: string | null;
  rent_cents: bigint;
  setup_fee_cents: bigint;
  days: number;
}

const reservationPayment = ({ transaction_id, rental_start, days, ...row }: PaidRow): RentalPayment | null =>
  transaction_id === null
    ? null
    : {
        transaction_id,
        charged_cents: Number(row.rent_cents + row.setup_fee_cents),
        rent_cents: Number(row.rent_cents),
        from: rental_start.toISOString(),
        until: new Date(rental_start.getTime() + days * DAY_MS).toISOString(),
      };

const overdue = (db: Sql) => db`
  FROM rentals WHERE status = 'active' AND rental_end < now() AND extending IS NULL AND NOT awaits_delivery`;

/** Whether any of `listOverdue` is there. */
export const hasOverdue = (db: Sql) => db`EXISTS (SELECT ${overdue(db)})`;

/** Servers that an operator still sets up for whoever rents them. A reservation is delivered by hand at a time of its own. */
const undelivered = (db: Sql) => db`
  s.joined_at IS NULL AND s.delivered_by_hand AND s.status = 'rented' AND s.rental_id = r.id AND r.status = 'active'
  AND NOT EXISTS (SELECT FROM reservations v WHERE v.rental_id = r.id)`;

const unheld = (db: Sql) => db`
  FROM servers s JOIN rentals r ON r.id = s.rental_id WHERE ${undelivered(db)} AND NOT r.awaits_delivery`;

/** Rentals whose server is being set up, and whose paid time runs. */
export async function listUnheld(db: Sql): Promise<string[]> {
  const rows = await db<{ id: string }[]>`SELECT r.id ${unheld(db)}`;
  return rows.map((row) => row.id);
}

const delivered = (db: Sql) => db`
  FROM rentals r JOIN servers s ON s.id = r.server_id
  WHERE r.awaits_delivery AND r.status = 'active' AND s.joined_at IS NOT NULL`;

/** Rentals whose server was delivered, and whose paid time has not begun. */
export async function listDelivered(db: Sql): Promise<string[]> {
  const rows = await db<{ id: string }[]>`SELECT r.id ${delivered(db)}`;
  return rows.map((row) => row.id);
}

const neverDelivered = (db: Sql) => db`
  FROM servers s JOIN rentals r ON r.id = s.rental_id
  WHERE s.status = 'grace' AND s.joined_at IS NULL AND r.status = 'ended' AND r.awaits_delivery`;

/** Servers that were given up before their delivery: nothing ran there that its renter could still want. */
export async function listNeverDelivered(db: Sql): Promise<string[]> {
  const rows = await db<{ id: string }[]>`SELECT s.id ${neverDelivered(db)}`;
  return rows.map((row) => row.id);
}

const extendedForSuspended = (db: Sql) => db`
  FROM accounts a JOIN rentals r ON r.user_id = a.id
  WHERE a.suspension IS NOT NULL AND r.status = 'active' AND r.auto_extension IS NOT NULL`;

/** Rentals that extend themselves although the accounts of their renters are suspended. */
export async function listExtendedForSuspended(db: Sql): Promise<string[]> {
  const rows = await db<{ id: string }[]>`SELECT r.id ${extendedForSuspended(db)}`;
  return rows.map((row) => row.id);
}

/** Whether any of `listUnheld`, `listDelivered`, `listNeverDelivered` and `listExtendedForSuspended` is there. */
export const hasUnsettled = (db: Sql) => db`
  (EXISTS (SELECT ${unheld(db)}) OR EXISTS (SELECT ${delivered(db)}) OR EXISTS (SELECT ${neverDelivered(db)})
  OR EXISTS (SELECT ${extendedForSuspended(db)}))`;

const ofServer = (db: Sql) => db`
  s.specs, s.joined_at IS NOT NULL AS host_joined, (r.awaits_delivery OR (${undelivered(db)})) AS awaits`;

const toRental = (row: ListedRow): Rental => ({
  id: row.id,
  user_id: row.user_id,
  pool_id: row.pool_id,
  server_id: row.server_id,
  server_name: row.server_name,
  specs: row.specs,
  // A rental past its end reads as ended, whether or not its timer has run.
  status:
    row.rental_end.getTime() <= Date.now() && row.extending === null && !row.awaits ? "ended" : row.status,
  host_joined: row.host_joined,
  awaits_delivery: row.status === "active" && row.awaits,
  rental_start: row.rental_start.toISOString(),
  rental_end: row.rental_end.toISOString(),
  auto_extension: row.auto_extension === null ? null : toAutoExtension(row, row.auto_extension),
  renewal_prices: row.frozen_prices,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

const toAutoExtension = (
  { live_prices, frozen_prices }: RentalRow,
  { days, maxChargeCents, nextAt, lastFailure }: AutoExtension,
): Rental["auto_extension"] => ({
  additional_days: days,
  max_charge_cents: maxChargeCents,
  price_cents: presentExtensionPrice(live_prices, frozen_prices, days) ?? null,
  next_at: nextAt,
  last_failure:
    lastFailure === null
      ? null
      : {
          code: lastFailure.code,
          price_cents: lastFailure.priceCents,
          failed_at: lastFailure.failedAt,
        },
});
