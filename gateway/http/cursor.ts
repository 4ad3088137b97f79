import { ValidationError } from "../../schemas/errors.ts";
import type { Position } from "../../schemas/paging.ts";
import type { Sort } from "../../schemas/sorting.ts";
import { isStorableText } from "./storable-values.ts";

/**
 * The text of a cursor: a position in one list. It names the list with its filters and its order, since a position
 * means nothing in another list. A forged cursor gains nothing: it says where a page begins, not what the page may
 * show.
 */

/**
 * Query parameters that are no filters. The tag holds the order separately, since queries name it in different ways.
 */
const NO_FILTERS = new Set(["limit", "cursor", "offset", "page", "sort", "sort_by", "sort_order"]);
/** 72 bits of SHA-256: enough that two lists of one caller never have the same tag. */
const TAG_LENGTH = 12;

/** The tag of a list with the filters of a query: the same for each of its pages. `list` is unique to each list. */
export function listTag(list: string, query: object, { by, order }: Sort): string {
  const filters = Object.entries(query)
    .filter(([name, value]) => value !== undefined && !NO_FILTERS.has(name))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const named = JSON.stringify([list, by, order, filters]);
  return new Bun.CryptoHasher("sha256").update(named).digest("base64url").slice(0, TAG_LENGTH);
}

export const writeCursor = (tag: string, { value, id }: Position): string =>
  Buffer.from(JSON.stringify([tag, value, id])).toString("base64url");

const CURSOR = /^[A-Za-z0-9_-]+$/;
/** A record's id, two ids for lists whose rows have a pair as their key, or the name of a server, where that is as unique. */
const CURSOR_ID = /^([0-9a-f]{24}(:[0-9a-f]{24})?|[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)$/;

/** @throws ValidationError that names `cursor` */
export function readCursor(cursor: string, tag: string, sort: Sort): Position {
  const [of, value, id] = CURSOR.test(cursor) ? partsOf(cursor) : [];
  if (!(typeof of === "string" && typeof value === "string" && typeof id === "string"))
    throw badCursor("is not the next_cursor of a page");
  if (of !== tag)
    throw badCursor(
      "belongs to another list, to another user's, or to this one with other filters or another order",
    );
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

/** Whether the database accepts a cursor's value for the type of the sorted column. */
const FORMS: Record<Sort["type"], (value: string) => boolean> = {
  time: (value) => {
    const [, milliseconds] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})\d{3}Z$/.exec(value) ?? [];
    const time = new Date(`${milliseconds}Z`);
    // JavaScript reads a date that does not exist, such as 30 February, as another one.
    return !Number.isNaN(time.getTime()) && time.toISOString() === `${milliseconds}Z`;
  },
  integer: (value) => /^-?\d{1,18}$/.test(value),
  number: (value) => /^(-?\d{1,30}(\.\d{1,30})?|Infinity)$/.test(value),
  text: (value) => value.length <= 500 && isStorableText(value),
};
