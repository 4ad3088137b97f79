import type { Fragment } from "postgres";
import { DEBITS, SALES } from "../../../schemas/billing/wallet.ts";
import { openSql, type Sql } from "../../platform/db/sql.ts";
import { ANY_USER, LEGS_BY_TYPE } from "../wallet/rules.ts";

/**
 * The check of the ledger. Each check is one statement that returns the rows which break a rule, so that the work
 * stays in the database; all checks read the same snapshot.
 */

/** Breaches that are listed; more are only counted. */
export const BREACHES_SHOWN_MAX = 50;

export interface Check {
  readonly rule: string;
  /** The number of breaches. */
  readonly broken: number;
  /** Descriptions of the first breaches. */
  readonly breaches: readonly string[];
}

export interface LedgerReport {
  readonly wallets: number;
  readonly transactions: number;
  readonly movements: number;
  readonly checks: readonly Check[];
}

/** Checks the whole ledger of the database at `url`. It takes no locks. */
export async function proveLedger(url: string): Promise<LedgerReport> {
  // No time limit: an operator runs the check and sees its progress.
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
  if (counts === undefined) throw new Error("a count returns a row");
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
      await check("every movement is one that its transaction's type makes", unmade(db)),
      await check("no balance is below zero", negative(db)),
      await check("refunds are of a charge of their user, and never more than it", excessRefunds(db)),
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

/** Transactions whose postings on the user's general balance differ from their amount. */
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

const excessRefunds = (db: Sql) => db`
  SELECT format('transaction %s is of %s, and %s are refunded', c.id, round(c.amount_cents::numeric / 100, 2),
    round(sum(r.amount_cents)::numeric / 100, 2)) AS breach
  FROM transactions r JOIN transactions c ON c.id = r.refund_of
  GROUP BY c.id HAVING sum(r.amount_cents) > c.amount_cents
  UNION ALL
  SELECT format('transaction %s (%s) is no refund of %s', r.id, r.transaction_type, r.refund_of)
  FROM transactions r JOIN transactions c ON c.id = r.refund_of
  WHERE r.transaction_type <> 'refund' OR r.user_id <> c.user_id OR c.transaction_type <> ALL (${[...SALES]}::text[])`;

/**
 * Postings between accounts that their type of transaction does not allow, such as from fees to AI credit. Sums do
 * not show them.
 */
function unmade(db: Sql) {
  const made = Object.entries(LEGS_BY_TYPE).flatMap(([type, ways]) =>
    ways.map(([from, to]) => [type, from, to]),
  );
  const column = (index: number) => made.map((way) => way[index] ?? "");
  return db`
    SELECT format('movement %s of transaction %s (%s): %s to %s', m.id, t.id, t.transaction_type, m.from_account, m.to_account)
      AS breach
    FROM movements m JOIN transactions t ON t.id = m.transaction_id
    WHERE NOT EXISTS (
      SELECT FROM unnest(${column(0)}::text[], ${column(1)}::text[], ${column(2)}::text[]) w (type, source, target)
      WHERE w.type = t.transaction_type
        AND replace(w.source, ${ANY_USER}, t.user_id) = m.from_account AND replace(w.target, ${ANY_USER}, t.user_id) = m.to_account)
    UNION ALL
    SELECT format('transaction %s has %s movements from %s to %s', transaction_id, count(*), from_account, to_account)
    FROM movements GROUP BY transaction_id, from_account, to_account HAVING count(*) > 1
    UNION ALL
    SELECT format('movement %s of transaction %s is of a part of a cent', id, transaction_id)
    FROM movements WHERE amount_micros % 10000 <> 0`;
}

/** Gaps in the numbers of invoices and credit notes: every number of a series from 1 on must exist, whatever the book says. */
const wrongInvoices = (db: Sql) => db`
  WITH named AS (
    SELECT invoice_number, issue_date, t.transaction_type,
      regexp_match(invoice_number, '^((INV|CN)-([0-9]{4}))-([0-9]{6}|[1-9][0-9]{6,17})$') AS parts
    FROM invoices i LEFT JOIN transactions t ON t.id = i.transaction_id
  ), numbered AS (
    SELECT invoice_number, issue_date, transaction_type, parts[1] AS series, parts[2] AS prefix, parts[3] AS year, parts[4]::bigint AS number
    FROM named WHERE parts IS NOT NULL
  )
  SELECT format('%s is of another amount or user than its transaction', i.invoice_number) AS breach
  FROM invoices i LEFT JOIN transactions t ON t.id = i.transaction_id
  WHERE t.amount_cents IS DISTINCT FROM i.amount_cents OR t.user_id IS DISTINCT FROM i.user_id
  UNION ALL
  SELECT format('%s is no number of an invoice', invoice_number) FROM named WHERE parts IS NULL
  UNION ALL
  SELECT format('%s was issued in another year', invoice_number) FROM numbered
  WHERE year <> to_char(issue_date AT TIME ZONE 'UTC', 'YYYY')
  UNION ALL
  SELECT format('%s is the number of another kind of document', invoice_number) FROM numbered
  WHERE (prefix = 'CN') <> (transaction_type = 'refund')
  UNION ALL
  SELECT format('%s is where number %s of %s should be', invoice_number, before + 1, series)
  FROM (SELECT *, lag(number, 1, 0::bigint) OVER (PARTITION BY series ORDER BY number) AS before FROM numbered) counted
  WHERE number <> before + 1
  UNION ALL
  SELECT CASE WHEN b.series IS NULL
    THEN format('there is no book of %s, and there are %s invoices, the last of them %s', i.series, i.count, i.last)
    ELSE format('the book of %s is at %s and has %s invoices, the last of them %s', b.series, b.last_number, coalesce(i.count, 0), i.last)
  END
  FROM invoice_books b
  FULL JOIN (SELECT series, count(*) AS count, max(number) AS last FROM numbered GROUP BY series) i ON i.series = b.series
  WHERE b.series IS NULL OR coalesce(i.count, 0) <> b.last_number OR coalesce(i.last, 0) <> b.last_number`;
