import { Kind, type TSchema } from "@sinclair/typebox";
import { TEXT_KIND } from "../../schemas/text.ts";

/**
 * Converts the `Type.String`s of a request's schema to `Text`. Elysia puts a value that is not a string into its
 * error message by calling the value's `toString`, which throws for `{"toString": 1}`. For a `Text` it does not.
 */
export const requestSchema = <T extends TSchema>(schema: T): T => converted(schema) as T;

function converted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(converted);
  if (typeof value !== "object" || value === null || value instanceof RegExp) return value;
  const copy: Record<PropertyKey, unknown> = {};
  for (const key of Reflect.ownKeys(value)) copy[key] = converted(Reflect.get(value, key));
  // TypeBox and Elysia interpret formats differently, so requests use patterns instead.
  if (copy[Kind] === "String") {
    if ("format" in copy) throw new Error("a text in a request needs a pattern instead of a format");
    copy[Kind] = TEXT_KIND;
  }
  return copy;
}
