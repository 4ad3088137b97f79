import type { Statement } from "../../../schemas/billing/statement.ts";
import { DEBITS, TRANSACTION_TYPES, type TransactionType } from "../../../schemas/billing/wallet.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { fromCents, signedFromCents } from "../../platform/money.ts";

/** A span of time: `from` belongs to it, `until` does not. */
export interface Span {
  readonly from: Date;
  readonly until: Date;
}

export type StatementSums = Pick<
  Statement,
  "opening_balance" | "closing_balance" | "transaction_count" | "totals"
>;

const isDebit = (type: TransactionType): boolean => DEBITS.includes(type);

/** What a user's balance was at both ends of a span, and the sums of what changed it. */
export async function readStatementSums(
  db: Sql,
  userId: string,
  { from, until }: Span,
): Promise<StatementSums> {
  const rows = await db<
    { transaction_type: TransactionType; count: number; cents: bigint; before: bigint }[]
  >`
    SELECT transaction_type, count(*) FILTER (WHERE created_at >= ${from})::int AS count,
      coalesce(sum(amount_cents) FILTER (WHERE created_at >= ${from}), 0)::bigint AS cents,
      coalesce(sum(amount_cents) FILTER (WHERE created_at < ${from}), 0)::bigint AS before
    FROM transactions WHERE user_id = ${userId} AND created_at < ${until} GROUP BY transaction_type`;
  const signed = (type: TransactionType, cents: bigint): bigint => (isDebit(type) ? -cents : cents);
  let opening = 0n;
  let closing = 0n;
  for (const { transaction_type: type, cents, before } of rows) {
    opening += signed(type, before);
    closing += signed(type, before + cents);
  }
  const inOrder = TRANSACTION_TYPES.flatMap(
    (type) => rows.find((row) => row.transaction_type === type) ?? [],
  );
  return {
    opening_balance: fromCents(opening),
    closing_balance: fromCents(closing),
    transaction_count: rows.reduce((sum, { count }) => sum + count, 0),
    totals: inOrder
      .filter(({ count }) => count > 0)
      .map(({ transaction_type, count, cents }) => ({
        transaction_type,
        count,
        amount: signedFromCents(signed(transaction_type, cents)),
      })),
  };
}

/** A line of a statement. Amounts in cents; what lowers the balance is negative. */
export interface StatementLine {
  readonly id: string;
  readonly at: Date;
  readonly type: TransactionType;
  readonly reason: string;
  readonly cents: bigint;
  readonly invoiceNumber: string | null;
}

/** The first of a span, or those after one of it, oldest first. */
export async function listStatementLines(
  db: Sql,
  userId: string,
  { from, until }: Span,
  after: Pick<StatementLine, "id" | "at"> | undefined,
  limit: number,
): Promise<StatementLine[]> {
  const rows = await db<(Omit<StatementLine, "cents"> & { cents: bigint })[]>`
    SELECT t.id, t.created_at AS at, t.transaction_type AS type, t.reason, t.amount_cents AS cents,
      i.invoice_number AS "invoiceNumber"
    FROM transactions t LEFT JOIN invoices i ON i.transaction_id = t.id
    WHERE t.user_id = ${userId} AND t.created_at >= ${from} AND t.created_at < ${until}
      AND (t.created_at, t.id) > (${after?.at ?? new Date(0)}, ${after?.id ?? ""})
    ORDER BY t.created_at, t.id LIMIT ${limit}`;
  return rows.map((row) => ({ ...row, cents: isDebit(row.type) ? -row.cents : row.cents }));
}
