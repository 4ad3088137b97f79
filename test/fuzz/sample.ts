import type { JsonSchema } from "../../gateway/openapi/json-schema.ts";

const CANDIDATES = [
  "a",
  "25",
  "0123456789abcdef01234567",
  "a@example.com",
  "correct horse battery",
  "80",
  "DE",
  "2026-01-31T09:30:00.000Z",
  // The token of a recovery link: an id, and a secret.
  `0123456789abcdef01234567.${"a".repeat(43)}`,
  // The public nkey of a host.
  `U${"A".repeat(55)}`,
];

/** A value that a schema takes: of an object, what it requires, and as many of the others as it has to have. */
export function sample(schema: JsonSchema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.anyOf?.[0] !== undefined) return sample(schema.anyOf[0]);
  if (schema.type === "object") {
    const { required = [], properties = {}, minProperties = 0 } = schema;
    const others = Object.keys(properties).filter((name) => !required.includes(name));
    const names = [...required, ...others.slice(0, Math.max(0, Number(minProperties) - required.length))];
    return Object.fromEntries(names.map((name) => [name, sample(properties[name] ?? {})]));
  }
  if (schema.type === "integer" || schema.type === "number") return schema.minimum ?? 1;
  if (schema.type === "boolean") return false;
  if (schema.type === "array") return sampleItems(schema);
  const found = candidateFor(schema);
  if (found === undefined) throw new Error(`no sample for ${JSON.stringify(schema)}: add one to CANDIDATES`);
  return found;
}

function sampleItems({ items, ...bounds }: JsonSchema): unknown[] {
  // A tuple has a schema for each of its items.
  if (Array.isArray(items)) return items.map(sample);
  const { minItems = 0 } = bounds as { minItems?: number };
  return Array.from({ length: minItems }, () => sample((items ?? {}) as JsonSchema));
}

/** A text that a schema takes, if there is one among the candidates. */
export function candidateFor(schema: JsonSchema): string | undefined {
  const { pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema as Record<string, never>;
  return CANDIDATES.find(
    (text) => text.length >= minLength && text.length <= maxLength && new RegExp(pattern ?? "").test(text),
  );
}
