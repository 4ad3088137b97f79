import type { AiFee, AiFeeSort, Transaction, TransactionSort } from "../../../schemas/billing/transaction.ts";
import type { TransactionType } from "../../../schemas/billing/wallet.ts";
import type { CountedSlice, Page, Sort, SortOrder } from "../../../schemas/paging.ts";
import { keyset, type Positioned, readTotal, sliceOf } from "../../platform/db/keyset/queries.ts";
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
  created_at: Date;
  updated_at: Date;
}

const toTransaction = (row: TransactionRow): Transaction => ({
  id: row.id,
  user_id: row.user_id,
  transaction_type: row.transaction_type,
  status: row.status,
  amount: dollars(row.amount_cents),
  currency: row.currency,
  reason: row.reason,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

const SORT_TYPES = {
  id: "text",
  transaction_type: "text",
  transaction_id: "text",
  status: "text",
  amount: "integer",
  created_at: "time",
  updated_at: "time",
} as const satisfies Record<TransactionSort | AiFeeSort, Sort["type"]>;

export const transactionsSort = (by: TransactionSort | AiFeeSort, order: SortOrder): Sort => ({
  by,
  type: SORT_TYPES[by],
  order,
});

/** A page of a user's transactions. */
export async function listTransactions(
  db: Sql,
  userId: string,
  sortBy: TransactionSort,
  page: Page,
): Promise<CountedSlice<Transaction>> {
  const by = {
    id: db`id`,
    transaction_type: db`transaction_type`,
    status: db`status`,
    amount: db`amount_cents`,
    created_at: db`created_at`,
    updated_at: db`updated_at`,
  }[sortBy];
  const { position, isAfter, order } = keyset(db, page, by, db`id`);
  const own = db`FROM transactions WHERE user_id = ${userId}`;
  const [rows, total] = await Promise.all([
    db<Positioned<TransactionRow>[]>`
      SELECT id, user_id, transaction_type, status, amount_cents, currency, reason, created_at, updated_at, ${position}
      ${own} AND ${isAfter} ORDER BY ${order}`,
    readTotal(db, own),
  ]);
  return { ...sliceOf(rows, page, toTransaction), total };
}

/** A user's transaction; undefined if the user has none with this id. */
export async function readTransaction(db: Sql, userId: string, id: string): Promise<Transaction | undefined> {
  const [row] = await db<TransactionRow[]>`
    SELECT id, user_id, transaction_type, status, amount_cents, currency, reason, created_at, updated_at
    FROM transactions WHERE id = ${id} AND user_id = ${userId}`;
  return row === undefined ? undefined : toTransaction(row);
}

/** A page of the fees that a user has paid, and how many there are in all (spec §4.6). */
export async function listAiFees(
  db: Sql,
  userId: string,
  sortBy: AiFeeSort,
  page: Page,
): Promise<CountedSlice<AiFee>> {
  // Found through the user's transactions: the ledger has no index by user, which would slow every transfer down.
  const fees = db`
    FROM transactions t JOIN movements m ON m.transaction_id = t.id AND m.user_id = t.user_id
    WHERE t.user_id = ${userId} AND m.to_account = 'platform:fees'`;
  const by = {
    created_at: db`m.created_at`,
    amount: db`m.amount_micros`,
    transaction_id: db`m.transaction_id`,
  }[sortBy];
  const { position, isAfter, order } = keyset(db, page, by, db`(m.transaction_id || ':' || m.id)`);
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
