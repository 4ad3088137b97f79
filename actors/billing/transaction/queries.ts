import type { Fragment } from "postgres";
import type {
  AI_FEES_SORT,
  AiFee,
  ManagedTransaction,
  TRANSACTIONS_SORT,
  Transaction,
} from "../../../schemas/billing/transaction.ts";
import { SALES, type TransactionType } from "../../../schemas/billing/wallet.ts";
import type { CountedSlice, PageOf } from "../../../schemas/paging.ts";
import type { AMOUNTS_NEWEST_FIRST } from "../../../schemas/sorting.ts";
import { keyset, type Positioned, readTotal, sliceOf, whenGiven } from "../../platform/db/keyset/queries.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { dollars, fromCents, fromMicros } from "../../platform/money.ts";

interface TransactionRow {
  id: string;
  user_id: string;
  transaction_type: TransactionType;
  status: string;
  amount_cents: bigint;
  currency: string;
  reason: string;
  refund_of: string | null;
  refund_of_reason: string | null;
  created_at: Date;
  updated_at: Date;
}

const columns = (db: Sql): Fragment => db`
  t.id, t.user_id, t.transaction_type, t.status, t.amount_cents, t.currency, t.reason, t.refund_of, t.created_at, t.updated_at,
  (SELECT c.reason FROM transactions c WHERE c.user_id = t.user_id AND c.id = t.refund_of) AS refund_of_reason`;

const toTransaction = (row: TransactionRow): Transaction => ({
  id: row.id,
  user_id: row.user_id,
  transaction_type: row.transaction_type,
  status: row.status,
  amount: dollars(row.amount_cents),
  currency: row.currency,
  reason: row.reason,
  refund_of: row.refund_of,
  refund_of_reason: row.refund_of_reason,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

/** A page of a user's transactions. */
export async function listTransactions(
  db: Sql,
  userId: string,
  page: PageOf<typeof TRANSACTIONS_SORT>,
): Promise<CountedSlice<Transaction>> {
  const sorted = {
    id: db`t.id`,
    transaction_type: db`t.transaction_type`,
    status: db`t.status`,
    amount: db`t.amount_cents`,
    created_at: db`t.created_at`,
    updated_at: db`t.updated_at`,
  };
  const { position, isAfter, order } = keyset(db, page, sorted, db`t.id`);
  const own = db`FROM transactions t WHERE t.user_id = ${userId}`;
  const [rows, total] = await Promise.all([
    db<Positioned<TransactionRow>[]>`
      SELECT ${columns(db)}, ${position} ${own} AND ${isAfter} ORDER BY ${order}`,
    readTotal(db, own),
  ]);
  return { ...sliceOf(rows, page, toTransaction), total };
}

/** A user's transaction; undefined if the user has none with this id. */
export async function readTransaction(db: Sql, userId: string, id: string): Promise<Transaction | undefined> {
  const [row] = await db<TransactionRow[]>`
    SELECT ${columns(db)} FROM transactions t WHERE t.id = ${id} AND t.user_id = ${userId}`;
  return row === undefined ? undefined : toTransaction(row);
}

type ManagedRow = TransactionRow & { refunded_cents: bigint };

const managedColumns = (db: Sql): Fragment => db`
  ${columns(db)}, (SELECT coalesce(sum(r.amount_cents), 0)::bigint FROM transactions r
    WHERE r.user_id = t.user_id AND r.refund_of = t.id) AS refunded_cents`;

/** Whether a type of transactions charges for a sale, which can be refunded. */
export const isCharge = (type: TransactionType): boolean => (SALES as readonly string[]).includes(type);

const toManaged = (row: ManagedRow): ManagedTransaction => ({
  ...toTransaction(row),
  refunded: dollars(row.refunded_cents),
  refundable: isCharge(row.transaction_type) ? dollars(row.amount_cents - row.refunded_cents) : 0,
});

/** A page of a user's transactions as administrators see them, newest first. */
export async function listManagedTransactions(
  db: Sql,
  userId: string,
  type: TransactionType | undefined,
  page: PageOf<typeof AMOUNTS_NEWEST_FIRST>,
): Promise<CountedSlice<ManagedTransaction>> {
  const ofType = whenGiven(db)(type, (given) => db`AND t.transaction_type = ${given}`);
  const found = db`FROM transactions t WHERE t.user_id = ${userId} ${ofType}`;
  const { position, isAfter, order } = keyset(
    db,
    page,
    { created_at: db`t.created_at`, amount: db`t.amount_cents` },
    db`t.id`,
  );
  const [rows, total] = await Promise.all([
    db<Positioned<ManagedRow>[]>`
      SELECT ${managedColumns(db)}, ${position} ${found} AND ${isAfter} ORDER BY ${order}`,
    readTotal(db, found),
  ]);
  return { ...sliceOf(rows, page, toManaged), total };
}

/** Anybody's transaction, with its amount in cents; undefined if there is none with this id. */
export async function readManagedTransaction(
  db: Sql,
  id: string,
): Promise<{ transaction: ManagedTransaction; amountCents: number } | undefined> {
  const [row] = await db<ManagedRow[]>`SELECT ${managedColumns(db)} FROM transactions t WHERE t.id = ${id}`;
  return row === undefined
    ? undefined
    : { transaction: toManaged(row), amountCents: Number(row.amount_cents) };
}

/** A page of the fees that a user has paid, and how many there are in all (spec §4.6). */
export async function listAiFees(
  db: Sql,
  userId: string,
  page: PageOf<typeof AI_FEES_SORT>,
): Promise<CountedSlice<AiFee>> {
  // Found through the user's transactions: the ledger has no index by user, which would slow every transfer down.
  const fees = db`
    FROM transactions t JOIN movements m ON m.transaction_id = t.id AND m.user_id = t.user_id
    WHERE t.user_id = ${userId} AND m.to_account = 'platform:fees'`;
  const sorted = {
    created_at: db`m.created_at`,
    amount: db`m.amount_micros`,
    transaction_id: db`m.transaction_id`,
  };
  const { position, isAfter, order } = keyset(db, page, sorted, db`(m.transaction_id || ':' || m.id)`);
  const [rows, total] = await Promise.all([
    db<
      Positioned<{
        id: string;
        transaction_id: string;
        amount_micros: bigint;
        created_at: Date;
        reason: string;
        amount_cents: bigint;
      }>[]
    >`
      SELECT m.id, m.transaction_id, m.amount_micros, m.created_at, t.reason, t.amount_cents, ${position} ${fees}
        AND ${isAfter} ORDER BY ${order}`,
    readTotal(db, db`${fees}`),
  ]);
  const slice = sliceOf(rows, page, (row) => ({
    id: row.id,
    transaction_id: row.transaction_id,
    amount: fromMicros(row.amount_micros),
    created_at: row.created_at.toISOString(),
    transaction: { id: row.transaction_id, reason: row.reason, amount: fromCents(row.amount_cents) },
  }));
  return { ...slice, total };
}
