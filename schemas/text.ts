import { Kind, type StringOptions, type TSchema, Type, TypeRegistry } from "@sinclair/typebox";

/**
 * Text from outside. Its `minLength` and `maxLength` count characters (code points), as JSON Schema and the
 * documentation say; TypeBox's own `String` counts UTF-16 code units; an emoji has two.
 */
export const Text = (
  options: Pick<StringOptions, "minLength" | "maxLength" | "pattern" | "description" | "examples">,
) => Type.Unsafe<string>({ [Kind]: TEXT_KIND, type: "string", ...options });

/** The kind of `Text` as TypeBox knows it. */
export const TEXT_KIND = "Text";
TypeRegistry.Set(TEXT_KIND, (schema: TSchema, value) => typeof value === "string" && isText(schema, value));

/** Whether a value has the length and the pattern of its `Text`. */
export function isText(
  { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern }: TSchema,
  value: string,
): boolean {
  const isLong = value.length > maxLength && lengthOf(value) > maxLength;
  const isShort = value.length < 2 * minLength && lengthOf(value) < minLength;
  return !isLong && !isShort && (pattern === undefined || compiled(pattern).test(value));
}

/** The number of characters: a surrogate pair is one. */
const lengthOf = (value: string): number => [...value].length;

const patterns = new Map<string, RegExp>();

/** Only patterns of schemas are stored here, so the map stays small. */
function compiled(pattern: string): RegExp {
  const known = patterns.get(pattern) ?? new RegExp(pattern);
  patterns.set(pattern, known);
  return known;
}

/** Control characters, line and paragraph separators, and Unicode's Bidi_Control, which changes the direction of the text after it. */
const NOT_IN_NAMES =
  "\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069";

/** The same characters in text that is not refused for them, such as what a program has said. */
export const DISGUISING_CHARACTERS = new RegExp(`[${NOT_IN_NAMES}]`, "g");

/**
 * A name that users choose and that appears in lists and logs: one line, without characters that could disguise it as
 * another name.
 */
export const Name = (maxLength: number) =>
  Text({
    minLength: 1,
    maxLength,
    pattern: `^[^${NOT_IN_NAMES}]*[^\\s${NOT_IN_NAMES}][^${NOT_IN_NAMES}]*$`,
    description: "not blank, without control characters and without those that change the direction of text",
  });

/** One line of text, which may be empty. */
export const Line = (maxLength: number) =>
  Text({
    maxLength,
    pattern: `^[^${NOT_IN_NAMES}]*$`,
    description: "without control characters and without those that change the direction of text",
  });
