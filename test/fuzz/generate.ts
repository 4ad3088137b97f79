import type { JsonSchema } from "../../gateway/openapi/json-schema.ts";
import type { Seeded } from "../actors/billing/wallet/seeded.ts";
import {
  HOSTILE_ARRAYS,
  HOSTILE_HEADERS,
  HOSTILE_OBJECTS,
  HOSTILE_SCALARS,
  HOSTILE_TEXTS,
  UNDOCUMENTED_HEADERS,
} from "./hostile.ts";
import type { Operation } from "./operations.ts";
import type { HttpRequest } from "./request.ts";
import { candidateFor } from "./sample.ts";

/** Requests that look random, are mostly right, and come again with the same seed and the same ids. */

/** How often something is done, out of a hundred times. */
const PERCENT = {
  hostileValue: 12,
  optional: 40,
  unknownId: 25,
  hostileId: 5,
  spelling: 4,
  raw: 4,
  header: 10,
  key: 20,
};

const SOME_ID = "0123456789abcdef01234567";
const HOSTILE_JSON = [...HOSTILE_OBJECTS, ...HOSTILE_ARRAYS, ...HOSTILE_SCALARS];
const RAW_BODIES = [
  "",
  "{",
  "[]",
  "null",
  "5",
  '"text"',
  "{}",
  "\u0000",
  '{"a":1}}',
  '{"__proto__":1}',
  "a=b",
];
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
const KEYS = ["key-1", "key-2", "key-3", "key-4", "key-5"];

const isChosen = (random: Seeded, percent: number): boolean => random.integer(1, 100) <= percent;

/** @param ids of records that are there, to be asked for and changed */
export function generateRequest(random: Seeded, operation: Operation, ids: readonly string[]): HttpRequest {
  const headers: Record<string, string> = {};
  const target = targetOf(random, operation, ids);
  const body = bodyOf(random, operation, ids);
  if (body !== undefined) headers["content-type"] = isChosen(random, 3) ? "text/plain" : "application/json";
  if (isChosen(random, PERCENT.key)) headers["idempotency-key"] = random.pick(KEYS);
  if (isChosen(random, PERCENT.header)) {
    headers[random.pick([...UNDOCUMENTED_HEADERS, "idempotency-key", "content-type"])] =
      random.pick(HOSTILE_HEADERS);
  }
  const method = isChosen(random, 3) ? random.pick(METHODS) : operation.method;
  return { method, target, headers, body: method === "GET" || method === "HEAD" ? undefined : body };
}

function targetOf(random: Seeded, { pattern, fields }: Operation, ids: readonly string[]): string {
  let path = pattern.replace(/\{\w+\}/g, () => encodeURIComponent(idFor(random, ids)));
  if (isChosen(random, PERCENT.spelling))
    path = random.pick([
      `${path}/`,
      `${path}//`,
      path.toUpperCase(),
      `${path};x`,
      path.replace(/\/([^/]*)$/, "%2F$1"),
    ]);
  const pairs: string[] = [];
  for (const field of fields) {
    if (field.in !== "query" || !isChosen(random, PERCENT.optional)) continue;
    const value = isChosen(random, PERCENT.hostileValue)
      ? random.pick(HOSTILE_TEXTS)
      : plainText(valueFor(random, field.schema, ids));
    pairs.push(`${encodeURIComponent(field.name)}=${encodeURIComponent(value)}`);
  }
  return pairs.length === 0 ? path : `${path}?${pairs.join("&")}`;
}

const plainText = (value: unknown): string =>
  typeof value === "object" ? JSON.stringify(value) : String(value);

function idFor(random: Seeded, ids: readonly string[]): string {
  if (isChosen(random, PERCENT.hostileId)) return random.pick(HOSTILE_TEXTS.filter((text) => text !== ""));
  return ids.length === 0 || isChosen(random, PERCENT.unknownId) ? SOME_ID : random.pick(ids);
}

function bodyOf(
  random: Seeded,
  { body, takesBytes, method }: Operation,
  ids: readonly string[],
): string | undefined {
  if (isChosen(random, PERCENT.raw)) return random.pick(RAW_BODIES);
  if (takesBytes) return random.pick(["", "bytes", "\u0089PNG", '{"type":"payment.settled"}']);
  if (body === undefined) return method !== "GET" && isChosen(random, 20) ? "{}" : undefined;
  return textOf(random, body, ids);
}

/** A body as JSON text, in which some values are hostile. */
function textOf(random: Seeded, schema: JsonSchema, ids: readonly string[]): string {
  if (isChosen(random, PERCENT.hostileValue / 3)) return random.pick(HOSTILE_JSON);
  const { properties, required = [] } = schema;
  if (properties === undefined) return JSON.stringify(valueFor(random, schema, ids)) ?? "null";
  const parts = Object.entries(properties)
    .filter(([name]) => (required.includes(name) ? !isChosen(random, 2) : isChosen(random, PERCENT.optional)))
    .map(([name, property]) => {
      const value = isChosen(random, PERCENT.hostileValue)
        ? random.pick(HOSTILE_JSON)
        : textOf(random, property, ids);
      return `${JSON.stringify(name)}:${value}`;
    });
  return `{${parts.join(",")}}`;
}

/** A value that a schema takes, as a rule. */
function valueFor(random: Seeded, schema: JsonSchema, ids: readonly string[]): unknown {
  const { anyOf, enum: choices, type, pattern, minimum, maximum, items } = schema;
  if (choices !== undefined) return random.pick(choices);
  if (anyOf !== undefined) return valueFor(random, random.pick(anyOf), ids);
  if (type === "integer" || type === "number") {
    const from = Number(minimum ?? 0);
    return random.integer(from, Math.min(Number(maximum ?? 1_000), from + 1_000));
  }
  if (type === "boolean") return random.integer(0, 1) === 1;
  if (type === "array" && items !== undefined)
    return Array.from({ length: random.integer(0, 3) }, () => valueFor(random, items, ids));
  if (type === "object") return { "7": random.integer(0, 1_000), "30": random.integer(0, 1_000) };
  if (
    typeof pattern === "string" &&
    new RegExp(pattern).test(SOME_ID) &&
    ids.length > 0 &&
    isChosen(random, 70)
  )
    return random.pick(ids);
  const name = `n${random.integer(1, 500)}`;
  if (type === "string" && (pattern === undefined || new RegExp(String(pattern)).test(name))) return name;
  return type === "string" ? (candidateFor(schema) ?? name) : schema.const;
}
