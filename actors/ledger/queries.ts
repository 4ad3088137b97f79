import type { Fragment } from "postgres";
import { DEBITS } from "../../schemas/wallet.ts";
import { openSql, type Sql } from "../db/sql.ts";

/**
 * The proof of the ledger. Each check is one statement that PostgreSQL answers with what breaks the rule, so that millions of
 * rows cost this process nothing; all of them look at the same moment.
 */

/** Breaches that are told one by one; of more there is only the number. */
export const BREACHES_SHOWN_MAX = 50;

export interface Check {
  readonly rule: string;
  /** How many break it. */
  readonly broken: number;
  /** The first of them, in words. */
  readonly breaches: readonly string[];
}

export interface LedgerReport {
  readonly wallets: number;
  readonly transactions: number;
  readonly movements: number;
  readonly checks: readonly Check[];
}

/** Reads through the whole ledger of the database at `url`. Nothing waits for it, and it waits for nothing. */
export async function proveLedger(url: string): Promise<LedgerReport> {
  // However long it takes: it is run by an operator, who sees that it runs.
  const db = openSql(url, { max: 1, name: "berth-ledger-check", session: { statement_timeout: "0" } });
  try {
    return (await db.begin("ISOLATION LEVEL REPEATABLE READ READ ONLY", (tx) =>
      prove(tx as unknown as Sql),
    )) as LedgerReport;
  } finally {
    await db.end({ timeout: 5 });
  }
}

async function prove(db: Sql): Promise<LedgerReport> {
  const [counts] = await db<{ wallets: number; transactions: number; movements: number }[]>`
    SELECT (SELECT count(*)::float8 FROM wallets) AS wallets,
      (SELECT count(*)::float8 FROM transactions) AS transactions,
      (SELECT count(*)::float8 FROM movements) AS movements`;
  if (counts === undefined) throw new Error("a count answers a row");
  const check = async (rule: string, breaches: Fragment): Promise<Check> => {
    const rows = await db<{ breach: string; broken: number }[]>`
      SELECT breach, count(*) OVER ()::float8 AS broken FROM (${breaches}) found ORDER BY breach LIMIT ${BREACHES_SHOWN_MAX}`;
    return { rule, broken: rows[0]?.broken ?? 0, breaches: rows.map((row) => row.breach) };
  };
  return {
    ...counts,
    checks: [
      await check("every balance is the sum of its postings", unlikePostings(db)),
      await check("all postings sum to zero, and so do those of each transaction", uneven(db)),
      await check("the movements of each transaction come to its amount", unlikeAmount(db)),
      await check("every movement has a transaction, and touches no balance but its user's", strays(db)),
      await check("no balance is below zero", negative(db)),
      await check(
        "invoices are of their transactions' amounts, and their numbers leave no gap",
        wrongInvoices(db),
      ),
    ],
  };
}

const unlikePostings = (db: Sql) => db`
  SELECT format('%s holds %s, its postings say %s', account, round(coalesce(held, 0) / 1000000, 6), round(coalesce(booked, 0) / 1000000, 6))
    AS breach
  FROM (
    SELECT 'general:' || user_id AS account, general_cents::numeric * 10000 AS held FROM wallets
    UNION ALL SELECT 'ai:' || user_id, ai_limit_micros::numeric FROM wallets
  ) balances
  FULL JOIN (
    SELECT account, sum(amount_micros) AS booked FROM postings
    WHERE account LIKE 'general:%' OR account LIKE 'ai:%' GROUP BY account
  ) sums USING (account)
  WHERE coalesce(held, 0) <> coalesce(booked, 0)`;

const uneven = (db: Sql) => db`
  SELECT format('postings of transaction %s sum to %s micro-USD', transaction_id, sum(amount_micros)) AS breach
  FROM postings GROUP BY transaction_id HAVING sum(amount_micros) <> 0
  UNION ALL
  SELECT format('all postings sum to %s micro-USD', sum(amount_micros)) FROM postings HAVING sum(amount_micros) <> 0`;

/** What a transaction did to its user's general balance: nothing but its amount, out or in. */
const unlikeAmount = (db: Sql) => db`
  SELECT format('transaction %s (%s) is of %s, its movements come to %s', t.id, t.transaction_type,
    round(t.amount_cents::numeric / 100, 2), round(coalesce(m.gained, 0) / 1000000, 6)) AS breach
  FROM transactions t
  LEFT JOIN (
    SELECT transaction_id, sum(CASE
        WHEN to_account = 'general:' || user_id THEN amount_micros
        WHEN from_account = 'general:' || user_id THEN -amount_micros
        ELSE 0 END) AS gained
    FROM movements GROUP BY transaction_id
  ) m ON m.transaction_id = t.id
  WHERE coalesce(m.gained, 0) <>
    t.amount_cents::numeric * CASE WHEN t.transaction_type = ANY (${[...DEBITS]}::text[]) THEN -10000 ELSE 10000 END`;

const strays = (db: Sql) => db`
  SELECT format('movement %s of transaction %s', m.id, m.transaction_id) AS breach
  FROM movements m LEFT JOIN transactions t ON t.id = m.transaction_id
  WHERE t.user_id IS DISTINCT FROM m.user_id
    OR EXISTS (SELECT FROM unnest(ARRAY[m.from_account, m.to_account]) a
      WHERE split_part(a, ':', 1) IN ('general', 'ai') AND split_part(a, ':', 2) <> m.user_id)`;

const negative = (db: Sql) => db`
  SELECT format('wallet of %s', user_id) AS breach FROM wallets WHERE general_cents < 0 OR ai_limit_micros < 0`;

const wrongInvoices = (db: Sql) => db`
  SELECT format('%s is of another amount or user than its transaction', i.invoice_number) AS breach
  FROM invoices i LEFT JOIN transactions t ON t.id = i.transaction_id
  WHERE t.amount_cents IS DISTINCT FROM i.amount_cents OR t.user_id IS DISTINCT FROM i.user_id
  UNION ALL
  SELECT format('the book of %s is at %s and has %s invoices, the last of them %s', b.year, b.last_number, count(i.id), max(i.number))
  FROM invoice_books b
  LEFT JOIN (
    SELECT id, split_part(invoice_number, '-', 2) AS year, split_part(invoice_number, '-', 3)::bigint AS number FROM invoices
  ) i ON i.year = b.year
  GROUP BY b.year, b.last_number HAVING count(i.id) <> b.last_number OR max(i.number) IS DISTINCT FROM b.last_number`;
