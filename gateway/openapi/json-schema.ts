import type { TSchema } from "@sinclair/typebox";

/** A JSON Schema as it goes out: OpenAPI 3.1 takes JSON Schema 2020-12, which TypeBox's schemas are. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

/** What was made of each schema and part of one. Schemas share their parts, and a part is written once. */
const made = new WeakMap<object, unknown>();

/**
 * A TypeBox schema without its symbols. A union of literals becomes an `enum`, as readers expect; a tuple is written as JSON Schema
 * writes it since 2020. A schema stays as it was when it was first asked for: the framework changes those of routes that it has compiled.
 */
export const jsonSchema = (schema: TSchema): JsonSchema => written(schema) as JsonSchema;

function written(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const known = made.get(value);
  if (known !== undefined) return known;
  const result = Array.isArray(value) ? value.map(written) : writtenPart(value);
  made.set(value, result);
  return result;
}

/** A part of a schema, those within it first. */
function writtenPart(value: object): unknown {
  const part: Record<string, unknown> = {};
  const given = value as Record<string, unknown>;
  // A pair for each of all keywords of all schemas would be most of the work.
  for (const key of Object.keys(given)) if (given[key] !== undefined) part[key] = written(given[key]);
  if (Array.isArray(part.items)) {
    const { items, additionalItems: _, ...rest } = part;
    return { ...rest, prefixItems: items, items: false };
  }
  const choices: JsonSchema[] | undefined = Array.isArray(part.anyOf) ? part.anyOf : undefined;
  if (choices === undefined || !choices.every((choice) => choice.const !== undefined)) return part;
  const { anyOf: _, ...rest } = part;
  return { ...rest, type: choices[0]?.type, enum: choices.map((choice) => choice.const) };
}
