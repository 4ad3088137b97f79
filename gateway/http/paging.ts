import type {
  CountedSlice,
  CursorPagination,
  CursorQuery,
  Page,
  PageBounds,
  Pagination,
  Position,
} from "../../schemas/paging.ts";
import type { Sort, SortChoice, Sorting } from "../../schemas/sorting.ts";
import { listTag, readCursor, writeCursor } from "./cursor.ts";
import { readOffsetPage, wholeNumber } from "./query.ts";
import { requestedSort } from "./sort.ts";

/** The paging parameters of requests, and the pagination of replies (docs/limits.md). */

/** More pages than any list has, and small enough for the database to count rows up to it. */
const PAGE_MAX = 1_000_000_000;

type OffsetQuery = CursorQuery & { readonly offset?: string | undefined };
type NumberedQuery = CursorQuery & { readonly page?: string | undefined };

/** A page of a list whose cursors name the list. */
interface ListPage<F extends string = string> extends Page<F> {
  readonly tag: string;
}

/**
 * The page that a query asks for: by `cursor`, or by `offset` where the list has it. An oversize limit is brought down to the maximum.
 *
 * @param list names the list in its cursors: no two lists have the same name. See `ownList` for those that each user has
 * @throws ValidationError
 */
export function listPage<F extends string>(
  list: string,
  query: OffsetQuery & SortChoice<NoInfer<F>>,
  bounds: PageBounds,
  orders: Sorting<F>,
): ListPage<F> {
  const sort = requestedSort(orders, query);
  const tag = listTag(list, query, sort);
  const { limit, offset } = readOffsetPage(query, bounds);
  return { sort, limit, offset, after: afterOf(query, tag, sort), tag, search: query.search?.toLowerCase() };
}

/**
 * The page that a query asks for in a list with page numbers. With a cursor the number is ignored. @throws
 * ValidationError
 */
export function numberedPage<F extends string>(
  list: string,
  query: NumberedQuery & SortChoice<NoInfer<F>>,
  bounds: PageBounds,
  orders: Sorting<F>,
): ListPage<F> & { number: number } {
  const sort = requestedSort(orders, query);
  const tag = listTag(list, query, sort);
  const { limit } = readOffsetPage({ limit: query.limit }, bounds);
  const after = afterOf(query, tag, sort);
  const number = after === undefined ? wholeNumber("page", query.page, 1, 1) : 1;
  return {
    sort,
    limit,
    offset: (Math.min(number, PAGE_MAX) - 1) * limit,
    after,
    tag,
    number,
    search: query.search?.toLowerCase(),
  };
}

/** Names a list of the caller's own things in its cursors: another user's cursor is none of it. */
export const ownList = (list: string, { userId }: { readonly userId: string }): string =>
  `${list} of ${userId}`;

/** The `pagination` of a reply. */
export const cursorPagination = ({ tag, limit }: ListPage, next: Position | undefined): CursorPagination => ({
  limit,
  next_cursor: cursorOf(tag, next),
});

export const numberedPagination = (
  page: ListPage & { number: number },
  next: Position | undefined,
  total: number,
): Pagination => ({
  total,
  page: page.number,
  limit: page.limit,
  totalPages: Math.ceil(total / page.limit),
  next_cursor: cursorOf(page.tag, next),
});

/** The envelope of a list whose `data` is the array itself. */
export const okList = <const M extends string, T>(
  message: M,
  page: ListPage,
  { rows, next, total }: CountedSlice<T>,
) => ({
  statusCode: 200,
  message,
  data: rows,
  pagination: { total, ...cursorPagination(page, next) },
});

const cursorOf = (tag: string, next: Position | undefined): string | null =>
  next === undefined ? null : writeCursor(tag, next);

const afterOf = ({ cursor }: CursorQuery, tag: string, sort: Sort): Position | undefined =>
  cursor === undefined ? undefined : readCursor(cursor, tag, sort);
