import type { Fragment } from "postgres";
import type { Page, Slice } from "../../../../schemas/paging.ts";
import type { Sql } from "../sql.ts";

/**
 * Keyset pagination: a page begins after a row's position in the order, so that inserted and deleted rows do not
 * shift pages.
 */

export interface Keyset {
  /** An additional column to select: the row's position in the order, for the cursor of the next page. */
  readonly position: Fragment;
  /** A condition: the row comes after the position at which the page begins. */
  readonly isAfter: Fragment;
  /**
   * The text after `ORDER BY`, with the limit of the page. One row more is read to see whether there is a next page.
   */
  readonly order: Fragment;
}

/**
 * The parts of a statement that reads a page.
 *
 * @param columns the column, or expression, of each field that the list can be sorted by; none is ever null
 * @param id a unique text column
 */
export function keyset<F extends string>(
  db: Sql,
  page: Page<F>,
  columns: Readonly<Record<NoInfer<F>, Fragment>>,
  id: Fragment,
): Keyset {
  const { sort, after, limit, offset } = page;
  const by = columns[sort.by];
  const direction = sort.order === "asc" ? db`ASC` : db`DESC`;
  return {
    position: db`${sort.type === "time" ? isoTime(db, by) : db`(${by})::text`} AS cursor_value, ${id} AS cursor_id`,
    isAfter:
      after === undefined
        ? db`true`
        : db`(${by}, ${id}) ${sort.order === "asc" ? db`>` : db`<`} (${typed(db, sort.type, after.value)}, ${after.id}::text)`,
    order: db`${by} ${direction}, ${id} ${direction} LIMIT ${limit + 1} OFFSET ${after === undefined ? offset : 0}`,
  };
}

/** A time as text with microseconds, which PostgreSQL has and `Date` lacks. */
const isoTime = (db: Sql, by: Fragment) =>
  db`to_char(${by} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

// As text first: the client would make a Date of a parameter of this type, and lose the microseconds.
const typed = (db: Sql, type: Page["sort"]["type"], value: string): Fragment =>
  ({
    time: db`${value}::text::timestamptz`,
    integer: db`${value}::text::bigint`,
    number: db`${value}::text::numeric`,
    text: db`${value}::text`,
  })[type];

/** A row with its position in the order. */
export type Positioned<R> = R & { readonly cursor_value: string; readonly cursor_id: string };

/** Makes parts of a statement that are left out where their value is not given, as the filters of lists are. */
export const whenGiven =
  (db: Sql) =>
  <T>(value: T | undefined, part: (value: T) => Fragment): Fragment =>
    value === undefined ? db`` : part(value);

/** A condition that follows others: the row's name has what the page is searched for. */
export const isNamed = (db: Sql, { search }: Page, name: Fragment): Fragment =>
  search === undefined ? db`` : db`AND position(${search} IN lower(${name})) > 0`;

/**
 * How many rows a list has in all.
 *
 * @param rows the text from `FROM` on, without the page's own condition
 */
export async function readTotal(db: Sql, rows: Fragment): Promise<number> {
  const [counted] = await db<{ total: number }[]>`SELECT count(*)::int AS total ${rows}`;
  return counted?.total ?? 0;
}

/** The items of the page, converted from its rows, and the position of the last one if there are more. */
export function sliceOf<R, T>(
  rows: readonly Positioned<R>[],
  { limit }: Page,
  show: (row: Positioned<R>) => T,
): Slice<T> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    rows: shown.map(show),
    next:
      rows.length > limit && last !== undefined
        ? { value: last.cursor_value, id: last.cursor_id }
        : undefined,
  };
}
