import { ValidationError } from "../../schemas/errors.ts";
import type {
  CursorPagination,
  CursorQuery,
  Page,
  PageBounds,
  Pagination,
  Position,
  Slice,
  Sort,
} from "../../schemas/paging.ts";
import { pageOf, wholeNumber } from "./query.ts";
import { isStorableText } from "./storable-values.ts";

/** Pages as requests ask for them, and what replies say of them (docs/limits.md). */

/** No list is so long, and the database still counts rows up to it. */
const PAGE_MAX = 1_000_000_000;

type OffsetQuery = CursorQuery & { readonly offset?: string | undefined };
type NumberedQuery = CursorQuery & { readonly page?: string | undefined };

/**
 * The page that a query asks for: by `cursor`, or by `offset` where the list has it. An oversize limit is brought down to the maximum.
 * @throws ValidationError
 */
export function listPage(query: OffsetQuery, bounds: PageBounds, sort: Sort): Page {
  const { limit, offset } = pageOf(query, bounds);
  return { sort, limit, offset, after: afterOf(query, sort) };
}

/** The same of a list whose pages have numbers. With a cursor the number is ignored. @throws ValidationError */
export function numberedPage(
  query: NumberedQuery,
  bounds: PageBounds,
  sort: Sort,
): Page & { number: number } {
  const { limit } = pageOf({ limit: query.limit }, bounds);
  const after = afterOf(query, sort);
  const number = after === undefined ? wholeNumber("page", query.page, 1, 1) : 1;
  return { sort, limit, offset: (Math.min(number, PAGE_MAX) - 1) * limit, after, number };
}

/** What a reply says of its page. */
export const cursorPagination = ({ sort, limit }: Page, next: Position | undefined): CursorPagination => ({
  limit,
  next_cursor: cursorOf(sort, next),
});

export const numberedPagination = (
  page: Page & { number: number },
  next: Position | undefined,
  total: number,
): Pagination => ({
  total,
  page: page.number,
  limit: page.limit,
  totalPages: Math.ceil(total / page.limit),
  next_cursor: cursorOf(page.sort, next),
});

/** The envelope of a list whose `data` is the array itself. */
export const okList = <const M extends string, T>(message: M, page: Page, { rows, next }: Slice<T>) => ({
  statusCode: 200,
  message,
  data: rows,
  pagination: cursorPagination(page, next),
});

/** A cursor names its order, since a place in one order means nothing in another. */
const nameOf = ({ by, order }: Sort) => `${by} ${order}`;

const cursorOf = (sort: Sort, next: Position | undefined): string | null =>
  next === undefined
    ? null
    : Buffer.from(JSON.stringify([nameOf(sort), next.value, next.id])).toString("base64url");

const CURSOR = /^[A-Za-z0-9_-]+$/;
const CURSOR_ID = /^[A-Za-z0-9:_-]{1,200}$/;

function afterOf({ cursor }: CursorQuery, sort: Sort): Position | undefined {
  if (cursor === undefined) return undefined;
  const [name, value, id] = CURSOR.test(cursor) ? partsOf(cursor) : [];
  if (!(typeof name === "string" && typeof value === "string" && typeof id === "string"))
    throw badCursor("is not the next_cursor of a page");
  if (name !== nameOf(sort)) throw badCursor("belongs to a list with another order");
  if (!CURSOR_ID.test(id) || !FORMS[sort.type](value)) throw badCursor("is not the next_cursor of a page");
  return { value, id };
}

function partsOf(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    return Array.isArray(parts) && parts.length === 3 ? parts : [];
  } catch {
    return [];
  }
}

const badCursor = (reason: string) => new ValidationError("query.cursor", reason);

/** Whether the database takes a value of a cursor as one of its type. */
const FORMS: Record<Sort["type"], (value: string) => boolean> = {
  time: (value) => {
    const [, milliseconds] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})\d{3}Z$/.exec(value) ?? [];
    const time = new Date(`${milliseconds}Z`);
    // A date that does not exist, such as 30 February, is another one after it was read.
    return !Number.isNaN(time.getTime()) && time.toISOString() === `${milliseconds}Z`;
  },
  integer: (value) => /^-?\d{1,18}$/.test(value),
  number: (value) => /^(-?\d{1,30}(\.\d{1,30})?|Infinity)$/.test(value),
  text: (value) => value.length <= 500 && isStorableText(value),
};
