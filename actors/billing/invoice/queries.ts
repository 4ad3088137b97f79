import type { Static } from "@sinclair/typebox";
import type { Fragment } from "postgres";
import type { BilledParty } from "../../../schemas/billing/billing-details.ts";
import type {
  BillingDetails,
  INVOICES_SORT,
  Invoice,
  InvoiceCondition,
  InvoiceField,
  InvoiceItem,
  InvoiceValue,
  IssuedInvoice,
  ListedInvoice,
  Seller,
  StoredBuyer,
} from "../../../schemas/billing/invoice.ts";
import { INVOICE_FIELDS } from "../../../schemas/billing/invoice.ts";
import type { TransactionType } from "../../../schemas/billing/wallet.ts";
import type { CountedSlice, PageOf } from "../../../schemas/paging.ts";
import { keyset, type Positioned, readTotal, sliceOf } from "../../platform/db/keyset/queries.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { dollars } from "../../platform/money.ts";
import type { Billed } from "./rules.ts";

/** The data for an invoice of a user's transaction; undefined if the user has no such transaction. */
export async function readBilled(
  db: Sql,
  userId: string,
  transactionId: string,
): Promise<Billed | undefined> {
  const [row] = await db<
    {
      transaction_type: TransactionType;
      amount_cents: bigint;
      fee_cents: bigint;
      provider: string | null;
      currency: string;
      reason: string;
      created_at: Date;
      username: string;
      email: string;
      billing_details: BilledParty | null;
      refunded: Billed["refunded"];
    }[]
  >`
    SELECT t.transaction_type, t.amount_cents, t.currency, t.reason, t.created_at, a.username, a.email, a.billing_details,
      (SELECT coalesce(sum(m.amount_micros) / 10000, 0)::bigint FROM movements m
        WHERE m.transaction_id = t.id AND m.to_account = 'platform:fees') AS fee_cents,
      (SELECT min(substr(m.from_account, 8)) FROM movements m
        WHERE m.transaction_id = t.id AND m.from_account LIKE 'source:%') AS provider,
      (SELECT json_build_object('reason', c.reason, 'invoice_number', i.invoice_number)
        FROM transactions c LEFT JOIN invoices i ON i.transaction_id = c.id WHERE c.id = t.refund_of) AS refunded
    FROM transactions t JOIN accounts a ON a.id = t.user_id
    WHERE t.id = ${transactionId} AND t.user_id = ${userId}`;
  if (row === undefined) return undefined;
  return {
    transaction_id: transactionId,
    transaction_type: row.transaction_type,
    user_id: userId,
    amount_cents: Number(row.amount_cents),
    fee_cents: Number(row.fee_cents),
    provider: row.provider,
    currency: row.currency,
    reason: row.reason,
    refunded: row.refunded ?? null,
    paid_at: row.created_at.toISOString(),
    buyer: {
      username: row.username,
      email: row.email,
      ...(row.billing_details === null ? {} : { billing: row.billing_details }),
    },
  };
}

/** The invoice of a user's transaction, if it has one. */
export async function readIssued(
  db: Sql,
  userId: string,
  transactionId: string,
): Promise<IssuedInvoice | undefined> {
  const [row] = await db<IssuedInvoice[]>`
    SELECT id AS invoice_id, invoice_number FROM invoices
    WHERE transaction_id = ${transactionId} AND user_id = ${userId}`;
  return row === undefined ? undefined : { ...row };
}

interface ListedRow {
  id: string;
  user_id: string;
  transaction_id: string;
  invoice_number: string;
  status: string;
  amount_cents: bigint;
  currency: string;
  issue_date: Date;
  due_date: Date;
  paid_date: Date;
  created_at: Date;
  updated_at: Date;
  transaction_type: TransactionType;
  transaction_reason: string;
  transaction_status: string;
  transaction_cents: bigint;
  transaction_currency: string;
  transaction_created_at: Date;
  credit_note_for: ListedInvoice["credit_note_for"];
}

interface InvoiceRow extends ListedRow {
  seller: Seller;
  buyer: Static<typeof StoredBuyer>;
  billing_details: BillingDetails;
  items: InvoiceItem[];
}

/** A user's invoice; undefined if the user has none with this id. */
export async function readInvoice(db: Sql, userId: string, id: string): Promise<Invoice | undefined> {
  const [row] = await db<InvoiceRow[]>`
    SELECT ${listedColumns(db)}, i.seller, i.buyer, i.billing_details, i.items
    FROM invoices i JOIN transactions t ON t.id = i.transaction_id
    WHERE i.id = ${id} AND i.user_id = ${userId}`;
  if (row === undefined) return undefined;
  const { billing, ...buyer } = row.buyer;
  const { seller, items } = row;
  const billing_details = { ...row.billing_details, ...billing };
  return { ...toListed(row), seller, buyer, billing_details, items };
}

/** A page of a user's invoices that match every condition, and how many match in all (spec §4.8). */
export async function listInvoices(
  db: Sql,
  userId: string,
  conditions: readonly InvoiceCondition[],
  page: PageOf<typeof INVOICES_SORT>,
): Promise<CountedSlice<ListedInvoice>> {
  const columns = columnsOf(db);
  const where = conditions.reduce(
    (all, condition) => db`${all} AND ${comparison(db, columns[condition.field], condition)}`,
    db`i.user_id = ${userId}`,
  );
  const { position, isAfter, order } = keyset(db, page, columns, db`i.id`);
  const [rows, total] = await Promise.all([
    db<Positioned<ListedRow>[]>`
      SELECT ${listedColumns(db)}, ${position} FROM invoices i JOIN transactions t ON t.id = i.transaction_id
      WHERE ${where} AND ${isAfter} ORDER BY ${order}`,
    readTotal(db, db`FROM invoices i WHERE ${where}`),
  ]);
  return { ...sliceOf(rows, page, toListed), total };
}

/** The columns that a filter or a sort can use. */
const columnsOf = (db: Sql): Record<InvoiceField, Fragment> => ({
  id: db`i.id`,
  invoice_number: db`i.invoice_number`,
  status: db`i.status`,
  amount: db`i.amount_cents`,
  currency: db`i.currency`,
  issue_date: db`i.issue_date`,
  due_date: db`i.due_date`,
  paid_date: db`i.paid_date`,
  created_at: db`i.created_at`,
  updated_at: db`i.updated_at`,
  user_id: db`i.user_id`,
  transaction_id: db`i.transaction_id`,
});

function comparison(db: Sql, column: Fragment, condition: InvoiceCondition): Fragment {
  switch (condition.operator) {
    case "eq":
      return isEqual(db, column, condition.value);
    case "ne":
      return db`NOT ${isEqual(db, column, condition.value)}`;
    case "in": {
      const matches = condition.values.map((value) => isEqual(db, column, value));
      return db`(${matches.reduce((all, match) => db`${all} OR ${match}`)})`;
    }
    case "like":
      return db`${writtenOf(db, column, condition.field)} ILIKE ${condition.value}::text ESCAPE ''`;
    default:
      return db`${column} ${symbolsOf(db)[condition.operator]} ${parameter(db, condition.value)}`;
  }
}

function isEqual(db: Sql, column: Fragment, value: InvoiceValue): Fragment {
  if (typeof value === "object" && "until" in value)
    return db`(${column} >= ${value.from}::timestamptz AND ${column} < ${value.until}::timestamptz)`;
  return db`(${column} = ${parameter(db, value)})`;
}

/** A column as text: amounts with two decimals, dates in the format of replies. */
function writtenOf(db: Sql, column: Fragment, field: InvoiceField): Fragment {
  if (INVOICE_FIELDS[field] === "number") return db`round(${column} / 100.0, 2)::text`;
  if (INVOICE_FIELDS[field] === "text") return column;
  return db`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

const symbolsOf = (db: Sql): Record<"gt" | "gte" | "lt" | "lte", Fragment> => ({
  gt: db`>`,
  gte: db`>=`,
  lt: db`<`,
  lte: db`<=`,
});

/** A parameter of a condition. Amounts are compared in dollars, with fractions of cents. */
function parameter(db: Sql, value: string | number | Date): Fragment {
  if (typeof value === "number") return db`${value}::numeric * 100`;
  return value instanceof Date ? db`${value}::timestamptz` : db`${value}::text`;
}

const listedColumns = (db: Sql): Fragment => db`
  i.id, i.user_id, i.transaction_id, i.invoice_number, i.status, i.amount_cents, i.currency, i.issue_date, i.due_date,
  i.paid_date, i.created_at, i.updated_at, t.transaction_type, t.reason AS transaction_reason, t.status AS transaction_status,
  t.amount_cents AS transaction_cents, t.currency AS transaction_currency, t.created_at AS transaction_created_at,
  (SELECT json_build_object('reason', c.reason, 'invoice_number', own.invoice_number)
    FROM transactions c LEFT JOIN invoices own ON own.transaction_id = c.id WHERE c.id = t.refund_of) AS credit_note_for`;

const toListed = (row: ListedRow): ListedInvoice => ({
  id: row.id,
  user_id: row.user_id,
  transaction_id: row.transaction_id,
  invoice_number: row.invoice_number,
  status: row.status,
  amount: dollars(row.amount_cents),
  currency: row.currency,
  issue_date: row.issue_date.toISOString(),
  due_date: row.due_date.toISOString(),
  paid_date: row.paid_date.toISOString(),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  transaction: {
    id: row.transaction_id,
    transaction_type: row.transaction_type,
    reason: row.transaction_reason,
    status: row.transaction_status,
    amount: dollars(row.transaction_cents),
    currency: row.transaction_currency,
    created_at: row.transaction_created_at.toISOString(),
  },
  credit_note_for: row.credit_note_for,
});
