import type { TSchema } from "@sinclair/typebox";
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import type { ValidationError as ElysiaValidationError } from "elysia";
import { ValidationError } from "../../schemas/errors.ts";
import { isText } from "../../schemas/text.ts";

/** People correct a few fields at a time, and a hostile request must not get a long reply. */
const FIELDS_MAX = 32;

/**
 * Names every field that breaks its schema and says what it must be, in words of the API and not of TypeBox. Unknown fields go
 * first: a mistyped name is the reason why another one is missing.
 */
export function validationErrorOf(error: ElysiaValidationError): ValidationError {
  const place = error.type === "params" ? "path" : error.type;
  if (error.valueError === undefined) return new ValidationError(place, "is not valid");
  if (error.value === null && error.valueError.path === "") return new ValidationError(place, "required");
  const [first, ...others] = firstOfEachField(error, error.valueError)
    .sort((a, b) => Number(isUnknown(b)) - Number(isUnknown(a)))
    .map((one) => ({
      field: [place, ...one.path.split("/").slice(1).map(unescaped)].join("."),
      message: ruleOf(one, place),
    }));
  if (first === undefined) return new ValidationError(place, "is not valid");
  return new ValidationError(first.field, first.message, others);
}

/** The first error of each field: a missing field has two, for its presence and for its value. */
function firstOfEachField({ validator, value }: ElysiaValidationError, first: ValueError): ValueError[] {
  const found = new Map<string, ValueError>();
  for (const outer of "Errors" in validator ? validator.Errors(value) : [first]) {
    const one = innermost(outer);
    if (!found.has(one.path)) found.set(one.path, one);
    if (found.size === FIELDS_MAX) break;
  }
  return [...found.values()];
}

/** The error inside the one alternative that takes values of this kind, as where a list or an object may be given. */
function innermost(error: ValueError): ValueError {
  if (error.type !== ValueErrorType.Union) return error;
  const inner = error.errors
    .map((alternative) => alternative.First())
    .filter((one) => one !== undefined && one.path !== error.path);
  const [only, ...others] = inner;
  return only === undefined || others.length > 0 ? error : innermost(only);
}

const isUnknown = ({ type }: ValueError) => type === ValueErrorType.ObjectAdditionalProperties;

/** JSON pointers write `~` and `/` of a key as `~0` and `~1`. */
const unescaped = (part: string) => part.replaceAll("~1", "/").replaceAll("~0", "~");

/** The rule that a value breaks, as text to follow the field's name and a colon. */
export function ruleOf(error: ValueError, place: string): string {
  const { schema, type, value } = error;
  if (isUnknown(error)) return schema.patternProperties === undefined ? "unknown field" : nameRuleOf(schema);
  if (value === undefined || type === ValueErrorType.ObjectRequiredProperty) return "required";
  if (type === ValueErrorType.ObjectMinProperties) {
    return schema.minProperties === 1
      ? "must have a field"
      : `must have ${schema.minProperties} fields or more`;
  }
  if (type === ValueErrorType.ObjectMaxProperties) return `must have at most ${schema.maxProperties} fields`;
  if (type === ValueErrorType.ArrayMaxItems) return `must have at most ${schema.maxItems} entries`;
  if (type === ValueErrorType.ArrayUniqueItems) return "must not hold the same entry twice";
  if (Array.isArray(value) && schema.type !== "array" && place === "query") {
    return `must be given once, as ${shapeOf(schema)}`;
  }
  if (isUnquoted(error)) return `must be a string, such as ${JSON.stringify(String(value))}`;
  if (isOtherText(error)) return `must have this form: ${formOf(schema)}`;
  return `must be ${shapeOf(schema)}`;
}

/** What a text is, without what follows where it is left out. */
const formOf = ({ description, pattern }: TSchema): string =>
  description?.replace(/; left out: .*$/, "") ?? pattern;

/** What names a record takes, such as those of variables: any that follow the rule are known. */
function nameRuleOf({ propertyNames, patternProperties }: TSchema): string {
  const rule = propertyNames?.description ?? Object.keys(patternProperties).join(" or ");
  return `its name must have this form: ${rule}`;
}

/** Whether only the pattern of a text is wrong: the value is text of an allowed length. */
const isOtherText = ({ schema, value }: ValueError): boolean =>
  typeof value === "string" &&
  schema.type === "string" &&
  schema.pattern !== undefined &&
  isText({ ...schema, pattern: undefined } as TSchema, value);

/** Whether a number was sent where its text is required, as for a port. */
const isUnquoted = ({ schema, value }: ValueError): boolean =>
  typeof value === "number" && schema.type === "string" && isText(schema, String(value));

function shapeOf(schema: TSchema): string {
  const { type, minimum, maximum, minLength, maxLength, pattern, description, anyOf } = schema;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (type === "null") return type;
  if (Array.isArray(anyOf)) return choiceOf(anyOf);
  if (type === "integer" || type === "number") return withRule(article(type), ",", bounds(minimum, maximum));
  if (type !== "string") return article(type ?? "value of another form");
  const sized = withRule("a string", " of", bounds(minLength, maxLength, " characters"));
  if (pattern === undefined) return sized;
  return description === undefined ? `${sized} that matches ${pattern}` : `${sized} (${description})`;
}

/** The orders of a list are named in full; a longer list of choices is left to the documentation. */
const CHOICES_MAX = 24;

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
