import type { AiFee, AiFeeSort, Transaction, TransactionSort } from "../../../schemas/billing/transaction.ts";
import type { TransactionType } from "../../../schemas/billing/wallet.ts";
import type { SortOrder } from "../../../schemas/paging.ts";
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

/** A page of a user's transactions. */
export async function listTransactions(
  db: Sql,
  userId: string,
  {
    limit,
    offset,
    sortBy,
    sortOrder,
  }: { limit: number; offset: number; sortBy: TransactionSort; sortOrder: SortOrder },
): Promise<Transaction[]> {
  const by = {
    id: db`id`,
    transaction_type: db`transaction_type`,
    status: db`status`,
    amount: db`amount_cents`,
    created_at: db`created_at`,
    updated_at: db`updated_at`,
  }[sortBy];
  const order = sortOrder === "asc" ? db`ASC` : db`DESC`;
  const rows = await db<TransactionRow[]>`
    SELECT id, user_id, transaction_type, status, amount_cents, currency, reason, created_at, updated_at
    FROM transactions WHERE user_id = ${userId} ORDER BY ${by} ${order}, id ${order} LIMIT ${limit} OFFSET ${offset}`;
  return rows.map(toTransaction);
}

/** A user's transaction; undefined when there is none of this id, or it is another's. */
export async function readTransaction(db: Sql, userId: string, id: string): Promise<Transaction | undefined> {
  const [row] = await db<TransactionRow[]>`
    SELECT id, user_id, transaction_type, status, amount_cents, currency, reason, created_at, updated_at
    FROM transactions WHERE id = ${id} AND user_id = ${userId}`;
  return row === undefined ? undefined : toTransaction(row);
}

/** A page of what a user paid the platform in fees, and how many there are in all (spec §4.6). */
export async function listAiFees(
  db: Sql,
  userId: string,
  page: { limit: number; offset: number; sortBy: AiFeeSort; sortOrder: SortOrder },
): Promise<{ fees: AiFee[]; total: number }> {
  // By way of the user's transactions: the ledger, where every transfer writes, has no index by user.
  const fees = db`
    FROM transactions t JOIN movements m ON m.transaction_id = t.id AND m.user_id = t.user_id
    WHERE t.user_id = ${userId} AND m.to_account = 'platform:fees'`;
  const by = {
    created_at: db`m.created_at`,
    amount: db`m.amount_micros`,
    transaction_id: db`m.transaction_id`,
  }[page.sortBy];
  const order = page.sortOrder === "asc" ? db`ASC` : db`DESC`;
  const [rows, [count]] = await Promise.all([
    db<
      {
        id: string;
        transaction_id: string;
        amount_micros: bigint;
        created_at: Date;
        reason: string;
        amount_cents: bigint;
      }[]
    >`
      SELECT m.id, m.transaction_id, m.amount_micros, m.created_at, t.reason, t.amount_cents ${fees}
      ORDER BY ${by} ${order}, m.transaction_id ${order}, m.id ${order} LIMIT ${page.limit} OFFSET ${page.offset}`,
    db<{ total: number }[]>`SELECT count(*)::int AS total ${fees}`,
  ]);
  return {
    total: count?.total ?? 0,
    fees: rows.map((row) => ({
      id: row.id,
      transaction_id: row.transaction_id,
      amount: fromMicros(row.amount_micros),
      created_at: row.created_at.toISOString(),
      transaction: { id: row.transaction_id, reason: row.reason, amount: fromCents(row.amount_cents) },
    })),
  };
}
