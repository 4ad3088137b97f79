import { ValidationError } from "../../schemas/errors.ts";
import { type Sort, type SortChoice, type Sorting, sortOf } from "../../schemas/sorting.ts";

/**
 * The order that a query asks for: by `sort`, or by `sort_by` and `sort_order` in lists for which the spec has them. The spec sorts in
 * descending order where `sort_order` is missing.
 *
 * @throws ValidationError that names `sort` where a query has both
 */
export function requestedSort<F extends string>(orders: Sorting<F>, query: SortChoice<F>): Sort<F> {
  const { sort, sort_by, sort_order } = query;
  if (sort_by === undefined && sort_order === undefined) return sortOf(orders, sort);
  if (sort !== undefined)
    throw new ValidationError("query.sort", "must not be combined with sort_by or sort_order");
  const by = sort_by ?? sortOf(orders).by;
  return { by, type: orders.fields[by], order: sort_order ?? "desc" };
}
