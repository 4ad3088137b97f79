import type { TSchema } from "@sinclair/typebox";
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import type { ValidationError as ElysiaValidationError } from "elysia";
import { ValidationError } from "../../schemas/errors.ts";
import { isText } from "../../schemas/text.ts";

/** Names the first field that breaks its schema and says what it must be, in words of the API and not of TypeBox. */
export function validationErrorOf(error: ElysiaValidationError): ValidationError {
  const place = error.type === "params" ? "path" : error.type;
  const first = error.valueError;
  if (first === undefined) return new ValidationError(place, "is not valid");
  if (error.value === null && first.path === "") return new ValidationError(place, "required");
  const path = first.path.split("/").slice(1).map(unescaped);
  return new ValidationError([place, ...path].join("."), ruleOf(first, place));
}

/** JSON pointers write `~` and `/` of a key as `~0` and `~1`. */
const unescaped = (part: string) => part.replaceAll("~1", "/").replaceAll("~0", "~");

/** What a value must be. The words follow the field's name and a colon. */
function ruleOf(error: ValueError, place: string): string {
  const { schema, type, value } = error;
  if (type === ValueErrorType.ObjectAdditionalProperties) return "unknown field";
  if (value === undefined || type === ValueErrorType.ObjectRequiredProperty) return "required";
  if (type === ValueErrorType.ObjectMinProperties) {
    return schema.minProperties === 1
      ? "must have a field"
      : `must have ${schema.minProperties} fields or more`;
  }
  if (type === ValueErrorType.ArrayMaxItems) return `must have at most ${schema.maxItems} entries`;
  if (type === ValueErrorType.ArrayUniqueItems) return "must not hold the same entry twice";
  if (Array.isArray(value) && schema.type !== "array" && place === "query") {
    return `must be given once, as ${shapeOf(schema)}`;
  }
  if (isOtherText(error))
    return `is written in another form than this: ${schema.description ?? schema.pattern}`;
  return `must be ${shapeOf(schema)}`;
}

/** Text where text belongs, and as long as it may be: only its form is wrong. */
const isOtherText = ({ schema, value }: ValueError): boolean =>
  typeof value === "string" &&
  schema.type === "string" &&
  schema.pattern !== undefined &&
  isText({ ...schema, pattern: undefined } as TSchema, value);

function shapeOf(schema: TSchema): string {
  const { type, minimum, maximum, minLength, maxLength, pattern, description, anyOf } = schema;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(anyOf)) return choiceOf(anyOf);
  if (type === "integer" || type === "number") return withRule(article(type), ",", bounds(minimum, maximum));
  if (type !== "string") return article(type ?? "value of another form");
  const sized = withRule("text", " of", bounds(minLength, maxLength, " characters"));
  if (pattern === undefined) return sized;
  return description === undefined ? `${sized} that matches ${pattern}` : `${sized} (${description})`;
}

/** A list longer than this helps nobody: the documentation has it. */
const CHOICES_MAX = 12;

function choiceOf(alternatives: TSchema[]): string {
  if (alternatives.some((one) => one.const === undefined)) return alternatives.map(shapeOf).join(" or ");
  if (alternatives.length > CHOICES_MAX) return "one of the documented values";
  return `one of ${alternatives.map((one) => one.const).join(", ")}`;
}

const article = (noun: string) => (/^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`);

const withRule = (noun: string, link: string, rule: string | undefined) =>
  rule === undefined ? noun : `${noun}${link} ${rule}`;

function bounds(from: unknown, to: unknown, unit = ""): string | undefined {
  if (from === undefined && to === undefined) return undefined;
  if (from === undefined) return `at most ${to}${unit}`;
  return to === undefined ? `${from} or more${unit}` : `${from} to ${to}${unit}`;
}
