import type { JsonSchema } from "../../gateway/openapi/json-schema.ts";
import type { Field, Operation } from "./operations.ts";
import { sample } from "./sample.ts";

/** A request as it is sent, and as it can be sent again. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

const SOME_ID = "0123456789abcdef01234567";
const PLACE = "\u0001here\u0001";

/** A request that is right but for one value: JSON in a body, text elsewhere. */
export function requestWith(operation: Operation, field: Field, value: string): HttpRequest {
  const { method, pattern, body: schema } = operation;
  const path = pattern.replace(/\{(\w+)\}/g, (_, name) =>
    field.in === "path" && field.name === name ? encodeURIComponent(value) : SOME_ID,
  );
  const query = field.in === "query" ? `?${encodeURIComponent(field.name)}=${encodeURIComponent(value)}` : "";
  const body = schema === undefined ? undefined : bodyWith(schema, field, value);
  return {
    method,
    target: path + query,
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(field.in === "header" ? { [field.name]: value } : {}),
    },
    body,
  };
}

/** The body's text. The value stands in it as it is, since an object in memory cannot have each key that JSON can. */
function bodyWith(schema: JsonSchema, field: Field, value: string): string {
  const body = sample(schema);
  if (field.in !== "body") return JSON.stringify(body);
  let holder = body as Record<string | number, unknown>;
  for (const [index, step] of field.path.slice(0, -1).entries()) {
    const isList = typeof field.path[index + 1] === "number";
    if (typeof holder[step] !== "object" || holder[step] === null) holder[step] = isList ? [] : {};
    holder = holder[step] as Record<string | number, unknown>;
  }
  holder[field.path.at(-1) ?? ""] = PLACE;
  return JSON.stringify(body).replace(JSON.stringify(PLACE), () => value);
}
