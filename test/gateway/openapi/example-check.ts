import { resolved } from "../../../gateway/openapi/components.ts";
import type { ApiDocument } from "../../../gateway/openapi/document.ts";
import type { Example } from "../../../gateway/openapi/examples.ts";
import type { JsonSchema } from "../../../gateway/openapi/json-schema.ts";
import type { ApiOperation } from "../../../gateway/openapi/operation.ts";
import { JSON_TYPE } from "../../../gateway/openapi/responses.ts";

/** What of an example is not as the document has it: one line each, with the place; none where it fits. */
export function problemsOf(document: ApiDocument, operation: ApiOperation, example: Example): string[] {
  const { requestBody, responses, parameters } = operation;
  const names = parameters.filter((one) => one.in === "query").map(({ name }) => name);
  const strange = Object.keys(example.query ?? {}).filter((name) => !names.includes(name));
  const body = requestBody?.content[JSON_TYPE];
  const reply = responses[example.status]?.content?.[JSON_TYPE];
  return [
    ...strange.map((name) => `query.${name}: is no parameter`),
    ...(body === undefined || example.body === undefined
      ? []
      : compare(document, body.schema, example.body, "body")),
    ...(reply === undefined
      ? [`reply: has no form for status ${example.status}`]
      : compare(document, reply.schema, example.reply, "reply")),
  ];
}

/** Types, words and members; a member that is missing, or that the schema does not have, is told. */
function compare(document: ApiDocument, schema: JsonSchema, value: unknown, at: string): string[] {
  const whole = resolved(document, schema);
  const { anyOf, allOf, type, enum: words, items } = whole;
  if (anyOf !== undefined) {
    const problems = anyOf.map((one) => compare(document, one, value, at));
    return problems.some((list) => list.length === 0) ? [] : (problems[0] ?? []);
  }
  if (allOf !== undefined) {
    const merged = allOf.map((one) => resolved(document, one));
    const properties = Object.assign({}, ...merged.map((one) => one.properties ?? {}));
    const required = merged.flatMap((one) => one.required ?? []);
    return compare(document, { type: "object", properties, required }, value, at);
  }
  if (words !== undefined) return words.includes(value) ? [] : [`${at}: is none of its words`];
  if (type !== undefined && !isOf(type, value)) return [`${at}: is no ${type}`];
  if (Array.isArray(value) && items !== undefined && typeof items === "object")
    return value.flatMap((item, index) => compare(document, items, item, `${at}.${index}`));
  if (type === "object") return compareMembers(document, whole, value as Record<string, unknown>, at);
  return [];
}

function compareMembers(
  document: ApiDocument,
  { properties, required = [] }: JsonSchema,
  value: Record<string, unknown>,
  at: string,
): string[] {
  if (properties === undefined) return [];
  const missing = required.filter((name) => !(name in value)).map((name) => `${at}.${name}: is missing`);
  const members = Object.entries(value).flatMap(([name, member]) => {
    const schema = properties[name];
    return schema === undefined
      ? [`${at}.${name}: is in no schema`]
      : compare(document, schema, member, `${at}.${name}`);
  });
  return [...missing, ...members];
}

function isOf(type: string, value: unknown): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "integer") return Number.isInteger(value);
  if (type === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
  return typeof value === type;
}
