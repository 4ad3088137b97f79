import { ValidationError } from "../../schemas/errors.ts";

/** Reads values of a query. They are text whose form the schema has checked, but not its bounds. */

/**
 * A whole number of at least `min`; one that is too large becomes the largest safe integer. @throws VALIDATION_ERROR
 * that names the field
 */
export function wholeNumber(field: string, text: string | undefined, standard: number, min: number): number {
  const value = text === undefined ? standard : /^[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min))
    throw new ValidationError(`query.${field}`, `must be a whole number of at least ${min}`);
  return Math.min(value, Number.MAX_SAFE_INTEGER);
}

/** `limit` and `offset` of a list. An oversize limit is brought down to the maximum. */
export const readOffsetPage = (
  query: { limit?: string | undefined; offset?: string | undefined },
  { standard, max }: { standard: number; max: number },
): { limit: number; offset: number } => ({
  limit: Math.min(wholeNumber("limit", query.limit, standard, 1), max),
  offset: wholeNumber("offset", query.offset, 0, 0),
});

/** The values of a parameter that is repeated or separated by commas; undefined when there are none. */
export function listed(value: string | readonly string[] | undefined): string[] | undefined {
  if (value === undefined) return undefined;
  return (typeof value === "string" ? [value] : [...value])
    .flatMap((text) => text.split(","))
    .map((text) => text.trim());
}

/** The same, each of them one of `known`, in any case of letters. @throws VALIDATION_ERROR that names the field and what it may hold */
export function oneOfEach<const T extends string>(
  field: string,
  value: string | readonly string[] | undefined,
  known: readonly T[],
): T[] | undefined {
  const values = listed(value)?.map((text) => text.toLowerCase());
  if (values !== undefined && !values.every((text) => (known as readonly string[]).includes(text)))
    throw new ValidationError(`query.${field}`, `may hold ${known.join(", ")}`);
  return values as T[] | undefined;
}

/** One of `known`, in any case of letters. @throws VALIDATION_ERROR that names the field and what it may hold */
export function oneOf<const T extends string>(
  field: string,
  value: string | undefined,
  known: readonly T[],
): T | undefined {
  const found = known.find((each) => each === value?.toLowerCase());
  if (value !== undefined && found === undefined)
    throw new ValidationError(`query.${field}`, `must be one of ${known.join(", ")}`);
  return found;
}
