import { ValidationError } from "../../schemas/errors.ts";

/** Reads `limit` and `offset` of a query: an oversize limit is brought down to the maximum, zero is refused. */
export function pageOf(
  query: { readonly limit?: string | undefined; readonly offset?: string | undefined },
  standard: number,
  max: number,
): { limit: number; offset: number } {
  const limit = query.limit === undefined ? standard : Number(query.limit);
  if (limit < 1) throw new ValidationError("query.limit", "must be at least 1");
  return { limit: Math.min(limit, max), offset: query.offset === undefined ? 0 : Number(query.offset) };
}
