import { Kind, type TSchema } from "@sinclair/typebox";
import { TEXT_KIND } from "../../schemas/text.ts";

/**
 * The schema as requests are checked by. Elysia writes a value that is no `Type.String` into the text of its error, by the
 * value's own `toString`: a client that sends `{"toString": 1}` would make that text throw. Of a `Text` it writes nothing.
 */
export const requestSchema = <T extends TSchema>(schema: T): T => converted(schema) as T;

function converted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(converted);
  if (typeof value !== "object" || value === null || value instanceof RegExp) return value;
  const copy: Record<PropertyKey, unknown> = {};
  for (const key of Reflect.ownKeys(value)) copy[key] = converted(Reflect.get(value, key));
  // TypeBox and Elysia give formats a meaning of their own, and no request of ours has one.
  if (copy[Kind] === "String") {
    if ("format" in copy) throw new Error("a request's text is described by a pattern, and not by a format");
    copy[Kind] = TEXT_KIND;
  }
  return copy;
}
