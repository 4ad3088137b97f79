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

/**
 * A TypeBox schema without its symbols. A union of literals becomes an `enum`, as readers expect; a tuple is written as JSON Schema
 * writes it since 2020.
 */
export const jsonSchema = (schema: TSchema): JsonSchema =>
  written(JSON.parse(JSON.stringify(schema))) as JsonSchema;

/** A part of a schema, those within it first. Not by a reviver of `JSON.parse`, which takes several times as long. */
function written(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(written);
  if (typeof value !== "object" || value === null) return value;
  const part = value as Record<string, unknown>;
  for (const key in part) part[key] = written(part[key]);
  if (Array.isArray(part.items)) {
    const { items, additionalItems: _, ...rest } = part;
    return { ...rest, prefixItems: items, items: false };
  }
  const choices: JsonSchema[] | undefined = Array.isArray(part.anyOf) ? part.anyOf : undefined;
  if (choices === undefined || !choices.every((choice) => choice.const !== undefined)) return part;
  const { anyOf: _, ...rest } = part;
  return { ...rest, type: choices[0]?.type, enum: choices.map((choice) => choice.const) };
}
