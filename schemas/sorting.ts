import { type Static, Type } from "@sinclair/typebox";
import { OneOf } from "./primitives.ts";

/** Orders of lists (docs/limits.md, docs/decisions/0090-one-sort-for-all-lists.md). */

export const SortOrder = Type.Union([Type.Literal("asc"), Type.Literal("desc")]);
export type SortOrder = Static<typeof SortOrder>;

/** How the values of a sorted column are written in a cursor. */
type SortType = "time" | "integer" | "number" | "text";

/** What a list is sorted by besides its ids. */
export interface Sort<F extends string = string> {
  readonly by: F;
  readonly type: SortType;
  readonly order: SortOrder;
}

/** A field in ascending order (`name`) or in descending order (`-name`). */
export type SortKey<F extends string> = F | `-${F}`;

/** The fields that a list can be sorted by, and its order where a request names none. */
export interface Sorting<F extends string = string> {
  readonly fields: Readonly<Record<F, SortType>>;
  readonly standard: SortKey<F>;
}

/** The fields of a list's order. */
export type FieldOf<S extends { readonly fields: object }> = Extract<keyof S["fields"], string>;

/**
 * The orders of a list. None of the fields may be null, since a cursor could not name such a row.
 *
 * @param standard the order where a request names none
 */
export const sorting = <const T extends Readonly<Record<string, SortType>>>(
  standard: SortKey<Extract<keyof T, string>>,
  fields: T,
): Sorting<Extract<keyof T, string>> => ({ fields, standard });

/** The values of `sort` for these orders. */
export const sortKeys = <F extends string>({ fields }: Sorting<F>) =>
  OneOf(Object.keys(fields).flatMap((field) => [field, `-${field}`]) as SortKey<F>[]);

/** `sort`: of every list. */
export const sortQuery = <F extends string>(orders: Sorting<F>) => ({
  sort: Type.Optional(
    Type.Unsafe<SortKey<F>>({
      ...sortKeys(orders),
      description: `the field to sort by, ascending, or descending with \`-\` before it; \`${orders.standard}\` by default`,
    }),
  ),
});

/** `sort_by` and `sort_order`: of lists for which the spec has them. */
export const sortByQuery = <F extends string>({ fields }: Sorting<F>) => ({
  sort_by: Type.Optional(OneOf(Object.keys(fields) as F[])),
  sort_order: Type.Optional(SortOrder),
});

/** The order of a request. Lists of the spec also take `sort_by` and `sort_order`. */
export interface SortChoice<F extends string> {
  readonly sort?: SortKey<F> | undefined;
  readonly sort_by?: F | undefined;
  readonly sort_order?: SortOrder | undefined;
}

/** The order that a value of `sort` stands for. */
export function sortOf<F extends string>(
  { fields, standard }: Sorting<F>,
  key: SortKey<F> = standard,
): Sort<F> {
  const descends = key.startsWith("-");
  const by = (descends ? key.slice(1) : key) as F;
  return { by, type: fields[by], order: descends ? "desc" : "asc" };
}

const TIME = { created_at: "time" } as const;
const TIME_AND_NAME = { created_at: "time", name: "text" } as const;

export const OLDEST_FIRST = sorting("created_at", TIME);
export const NEWEST_FIRST = sorting("-created_at", TIME);
/** For things with names. */
export const NAMED_OLDEST_FIRST = sorting("created_at", TIME_AND_NAME);
export const BY_NAME = sorting("name", TIME_AND_NAME);
/** For sums of money. */
export const AMOUNTS_NEWEST_FIRST = sorting("-created_at", { created_at: "time", amount: "integer" });

/** Names of shapes that several lists use. */
export const TimeSort = sortKeys(OLDEST_FIRST);
export const NamedTimeSort = sortKeys(NAMED_OLDEST_FIRST);
export const AmountTimeSort = sortKeys(AMOUNTS_NEWEST_FIRST);
