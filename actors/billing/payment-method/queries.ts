import type { Fragment } from "postgres";
import type {
  Details,
  METHODS_SORT,
  PaymentMethod,
  PaymentMethodStatus,
} from "../../../schemas/billing/payment-method.ts";
import type { CountedSlice, PageOf } from "../../../schemas/paging.ts";
import { isNamed, keyset, type Positioned, readTotal, sliceOf } from "../../platform/db/keyset/queries.ts";
import type { Sql } from "../../platform/db/sql.ts";

interface MethodRow {
  id: string;
  user_id: string;
  type: string;
  name: string;
  status: PaymentMethodStatus;
  details: Details;
  created_at: Date;
  updated_at: Date;
}

/** A page of a user's payment methods, oldest first. */
export async function listPaymentMethods(
  db: Sql,
  userId: string,
  page: PageOf<typeof METHODS_SORT>,
): Promise<CountedSlice<PaymentMethod>> {
  const columns = { created_at: db`m.created_at`, updated_at: db`m.updated_at`, name: db`lower(m.name)` };
  const named = isNamed(db, page, db`m.name`);
  const { position, isAfter, order } = keyset(db, page, columns, db`m.id`);
  const [rows, total] = await Promise.all([
    methodRows(db, userId, db`, ${position}`, db`${isAfter} ${named} ORDER BY ${order}`),
    readTotal(db, db`FROM payment_methods m WHERE m.user_id = ${userId} ${named}`),
  ]);
  return { ...sliceOf(rows, page, toPaymentMethod), total };
}

/** A user's payment method; undefined if the user has none with this id. */
export async function readPaymentMethod(
  db: Sql,
  userId: string,
  id: string,
): Promise<PaymentMethod | undefined> {
  const [row] = await methodRows(db, userId, db``, db`m.id = ${id}`);
  return row && toPaymentMethod(row);
}

type ListedMethod = MethodRow & { is_default: boolean };

const methodRows = (db: Sql, userId: string, columns: Fragment, conditionAndOrder: Fragment) => db<
  Positioned<ListedMethod>[]
>`
  SELECT m.id, m.user_id, m.type, m.name, m.status, m.details, m.created_at, m.updated_at,
    m.id = l.default_id AS is_default ${columns}
  FROM payment_methods m JOIN payment_method_lists l ON l.user_id = m.user_id
  WHERE m.user_id = ${userId} AND ${conditionAndOrder}`;

const toPaymentMethod = (row: ListedMethod): PaymentMethod => ({
  id: row.id,
  user_id: row.user_id,
  type: row.type,
  name: row.name,
  status: row.status,
  details: row.details,
  is_default: row.is_default,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
