import { resolved } from "./components.ts";
import type { ApiDocument } from "./document.ts";
import type { JsonSchema } from "./json-schema.ts";
import type { ApiOperation } from "./operation.ts";
import { JSON_TYPE } from "./responses.ts";

/** A command that calls an operation, with the shell variables that the page sets when it signs in. */
export function curlOf(document: ApiDocument, method: string, path: string, operation: ApiOperation): string {
  // `{rule_id}` is `$RULE_ID`: a variable that whoever tries it sets.
  const url = path.replace(
    /\{(\w+)\}/g,
    (_, name) => `$${name.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase()}`,
  );
  const query = operation.parameters.flatMap(({ name, in: place, required, example, schema }) =>
    place === "query" && (required || example !== undefined)
      ? [`${name}=${encodeURIComponent(String(example ?? sampleOf(document, schema)))}`]
      : [],
  );
  const isPlain = method === "get" || (method === "post" && operation.requestBody !== undefined);
  const parts = [
    `curl ${isPlain ? "" : `-X ${method.toUpperCase()} `}"$BERTH${url}${query.length > 0 ? `?${query.join("&")}` : ""}"`,
    ...(operation.security.length === 0 ? [] : [`-H "Authorization: Bearer $TOKEN"`]),
    ...operation.parameters.flatMap(({ name, in: place, required }) =>
      place === "header" && required ? [`-H '${name}: *'`] : [],
    ),
    ...bodyOf(document, operation),
  ];
  return parts.join(" \\\n  ");
}

function bodyOf(document: ApiDocument, { requestBody }: ApiOperation): string[] {
  if (requestBody === undefined) return [];
  const json = requestBody.content[JSON_TYPE];
  if (json === undefined) return [`--data-binary @file`];
  const body = json.example ?? sampleOf(document, json.schema);
  const quoted = JSON.stringify(body).replaceAll("'", "'\\''");
  return [`-H 'Content-Type: application/json'`, `-d '${quoted}'`];
}

/** A value of a schema with what it requires, where no test has recorded one. */
export function sampleOf(document: ApiDocument, schema: JsonSchema): unknown {
  const {
    const: constant,
    enum: words,
    examples,
    anyOf,
    allOf,
    type,
    properties = {},
    required = [],
    items,
  } = resolved(document, schema);
  if (constant !== undefined) return constant;
  if (words !== undefined) return words[0];
  if (Array.isArray(examples)) return examples[0];
  if (anyOf?.[0] !== undefined) return sampleOf(document, anyOf[0]);
  if (allOf !== undefined) return Object.assign({}, ...allOf.map((part) => sampleOf(document, part)));
  if (type === "object")
    return Object.fromEntries(required.map((name) => [name, sampleOf(document, properties[name] ?? {})]));
  if (type === "array") return items === undefined ? [] : [sampleOf(document, items)];
  return SAMPLES[type ?? ""] ?? "…";
}

const SAMPLES: Readonly<Record<string, unknown>> = { integer: 1, number: 1, boolean: true };
