import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Nullable, Strict } from "./primitives.ts";
import { type FieldOf, type Sort, type Sorting, sortQuery } from "./sorting.ts";
import { Text } from "./text.ts";

/** Pages of lists (docs/limits.md): by cursor everywhere, and by `page` or `offset` where the spec has them (control plane §2). */

/** Any number of digits: a number above the maximum of its field counts as the maximum. */
export const QueryInteger = Type.String({ pattern: "^[0-9]+$", description: "a whole number" });

/** A yes or no in a query. */
export const QueryFlag = Type.Union([Type.Literal("true"), Type.Literal("false")]);

/** How many rows a page has when the query does not say, and at most. */
export interface PageBounds {
  readonly standard: number;
  readonly max: number;
}

/** For lists without bounds in the spec. */
export const LIST_PAGE: PageBounds = { standard: 100, max: 500 };

/** `limit`: how many items a reply has at most. */
export const limitQuery = ({ standard, max }: PageBounds) => ({
  limit: Type.Optional(
    Type.Unsafe<string>({
      ...QueryInteger,
      description: `how many a page has at most: a whole number from 1; ${standard} by default; more than ${max} counts as ${max}`,
      "x-default": standard,
      "x-maximum": max,
    }),
  ),
});

/** `limit`, `sort` and `cursor`: the query of every list. */
export const cursorQuery = <F extends string>(bounds: PageBounds, orders: Sorting<F>) => ({
  ...limitQuery(bounds),
  ...sortQuery(orders),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_024,
      description: "`pagination.next_cursor` of the page before, with the same sort and filters",
    }),
  ),
});

export interface CursorQuery {
  readonly limit?: string | undefined;
  readonly cursor?: string | undefined;
  readonly search?: string | undefined;
}

/** The query of a list that can also be paged by offset. */
export const offsetQuery = <F extends string>(bounds: PageBounds, orders: Sorting<F>) => ({
  ...cursorQuery(bounds, orders),
  offset: Type.Optional(
    Type.Unsafe<string>({
      ...QueryInteger,
      description: "how many to skip: a whole number from 0; ignored with `cursor`",
    }),
  ),
});

/** The query of a list that can also be paged by number. */
export const numberedQuery = <F extends string>(bounds: PageBounds, orders: Sorting<F>) => ({
  ...cursorQuery(bounds, orders),
  page: Type.Optional(
    Type.Unsafe<string>({ ...QueryInteger, description: "a whole number from 1; ignored with `cursor`" }),
  ),
});

/** The query of a list without filters. */
export const listQuery = <F extends string>(orders: Sorting<F>) => Strict(cursorQuery(LIST_PAGE, orders));

/** Longer than any name. */
export const SEARCH_LENGTH_MAX = 254;

/** `search`: of lists whose rows have names. */
export const searchQuery = (what = "the name") => ({
  search: Type.Optional(
    Text({
      minLength: 1,
      maxLength: SEARCH_LENGTH_MAX,
      description: `a part of ${what}, in any case of letters`,
    }),
  ),
});

/** The query of a list without filters whose rows have names. */
export const namedListQuery = <F extends string>(orders: Sorting<F>) =>
  Strict({ ...cursorQuery(LIST_PAGE, orders), ...searchQuery() });

export const NextCursor = Nullable(
  Type.String({ description: "`cursor` of the next page; null on the last page" }),
);

export const CursorPagination = Type.Object({
  limit: Type.Integer({ description: "how many this page has at most" }),
  next_cursor: NextCursor,
});
export type CursorPagination = Static<typeof CursorPagination>;

export const Pagination = Type.Object({
  total: Type.Integer(),
  page: Type.Integer(),
  limit: Type.Integer(),
  totalPages: Type.Integer(),
  next_cursor: NextCursor,
});
export type Pagination = Static<typeof Pagination>;

/** How many items a list has in all, where it is short enough to be counted at each request. */
export const TotalCount = Type.Integer({ description: "how many match, on all pages" });

export const CountedPagination = Type.Object({
  total: TotalCount,
  limit: Type.Integer({ description: "how many this page has at most" }),
  next_cursor: NextCursor,
});
export type CountedPagination = Static<typeof CountedPagination>;

/** The envelope of a list whose `data` is the array itself. */
export const ListReply = <T extends TSchema>(item: T) =>
  Type.Object({
    statusCode: Type.Integer(),
    message: Type.String(),
    data: Type.Array(item),
    pagination: CountedPagination,
  });

/** A row's place in a sorted list. */
export interface Position {
  readonly value: string;
  readonly id: string;
}

/** The part of a list that a request asks for. */
export interface Page<F extends string = string> {
  readonly sort: Sort<F>;
  readonly limit: number;
  readonly offset: number;
  /** Only rows that come after this one. */
  readonly after: Position | undefined;
  /** Only rows with this in their names, in lower case; left out: all. */
  readonly search?: string | undefined;
}

/** A page of a list with these orders. */
export type PageOf<S extends { readonly fields: object }> = Page<FieldOf<S>>;

/** The rows of a page and the position of the next one; undefined on the last page. */
export interface Slice<T> {
  readonly rows: T[];
  readonly next: Position | undefined;
}

/** A page, and how many rows the list has in all. */
export interface CountedSlice<T> extends Slice<T> {
  readonly total: number;
}
