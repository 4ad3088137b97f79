import { ValidationError } from "../../schemas/errors.ts";

/** Schemas nest at most 6 levels deep; free-form objects, such as a pool's settings, may go deeper. */
const DEPTH_MAX = 32;

/** Text that PostgreSQL can store and every client can read: no NUL, no half of a surrogate pair. */
export const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes("\0");

/**
 * Refuses JSON values that cannot be stored: text with `\u0000` or a lone surrogate (keys too), numbers that a double
 * rounds, and nesting past a limit. Throws a ValidationError that names the field.
 */
export function assertStorable(value: unknown, field: string): void {
  const path = [field];
  const rule = findBrokenRule(value, path, 0);
  if (rule !== undefined) throw new ValidationError(path.join("."), rule);
}

/** The rule that a value breaks; `path` then leads to the value. */
function findBrokenRule(value: unknown, path: string[], depth: number): string | undefined {
  if (typeof value === "string")
    return isStorableText(value) ? undefined : "must not hold \\u0000 or half a surrogate pair";
  if (typeof value === "number") {
    return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? undefined : "must be a number of at most 2^53 - 1";
  }
  if (typeof value !== "object" || value === null) return undefined;
  if (depth === DEPTH_MAX) {
    path.length = 1;
    return `must not nest deeper than ${DEPTH_MAX} levels`;
  }
  for (const key in value) {
    if (!isStorableText(key)) return "must not have a key with \\u0000 or half a surrogate pair";
    path.push(key);
    const rule = findBrokenRule(value[key as keyof typeof value], path, depth + 1);
    if (rule !== undefined) return rule;
    path.pop();
  }
  return undefined;
}
