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
export function jsonSchema(schema: TSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (_key, value) => {
    if (Array.isArray(value?.items)) {
      const { items, additionalItems: _, ...rest } = value;
      return { ...rest, prefixItems: items, items: false };
    }
    const choices: JsonSchema[] | undefined = Array.isArray(value?.anyOf) ? value.anyOf : undefined;
    if (choices === undefined || !choices.every((choice) => choice.const !== undefined)) return value;
    const { anyOf: _, ...rest } = value;
    return { ...rest, type: choices[0]?.type, enum: choices.map((choice) => choice.const) };
  });
}
