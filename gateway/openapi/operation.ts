import { OptionalKind, type TSchema } from "@sinclair/typebox";
import type { AnyElysia } from "elysia";
import type { ErrorCode } from "../../schemas/errors.ts";
import { IdempotencyKey } from "../../schemas/primitives.ts";
import { type Gate, gateOf } from "../auth/guards.ts";
import { NoBody } from "../http/strict.ts";
import type { Components } from "./components.ts";
import { type JsonSchema, jsonSchema } from "./json-schema.ts";
import { operationIdOf } from "./operation-ids.ts";
import { type ApiResponse, type Content, JSON_TYPE, responsesOf } from "./responses.ts";

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

export interface ApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security: readonly Record<string, string[]>[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, ApiResponse>>;
}

/** Describes a route. @param codes gets the codes that it may refuse with */
export function describeOperation(
  route: AnyElysia["routes"][number],
  components: Components,
  codes: Set<ErrorCode>,
): ApiOperation {
  const { method, path, hooks } = route;
  const gate = gateOf(route);
  const { summary = `${method} ${path}`, description, tags = ["Other"], operationId } = hooks.detail ?? {};
  const takesBody = method !== "GET" && hooks.body !== undefined && hooks.body !== NoBody;
  const hasKey = method !== "GET" && takesKey(hooks.detail);
  return {
    operationId: operationId ?? operationIdOf(method, path),
    summary,
    description: [description, accessOf(gate), limitsOf(gate, takesBody), withoutExample(hooks.detail)]
      .filter(Boolean)
      .join("\n\n"),
    tags,
    security: securityOf(gate),
    parameters: [
      ...parametersIn("path", hooks.params, components),
      ...parametersIn("query", hooks.query, components),
      ...(hasKey ? [idempotencyKey] : []),
      ...(hooks.detail !== undefined && "x-if-match" in hooks.detail ? [ifMatch] : []),
    ],
    ...(takesBody
      ? {
          requestBody: {
            required: !(OptionalKind in hooks.body),
            content: bodyContent(gate, hooks.body, components),
          },
        }
      : {}),
    responses: responsesOf(
      hooks.response,
      { gate, takesBody, takesIds: hooks.params !== undefined },
      components,
      codes,
    ),
  };
}

export const SECURITY_SCHEMES = {
  bearer: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "an access token of an account login; it has every permission of its user",
  },
  api_token: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "berth_…",
    description:
      "an API token, or a session of a realm or of an administrator who acts as the user; needs the permission",
  },
  basic: { type: "http", scheme: "basic", description: "user name and API token; needs the permission" },
};

/** Routes that accept credentials other than account logins name the permission that those need. */
function securityOf({ access }: Gate): ApiOperation["security"] {
  if (access.kind === "public") return [];
  if (access.kind !== "permission") return [{ bearer: [] }];
  const { permission } = access;
  return [{ bearer: [] }, { api_token: [permission] }, { basic: [permission] }];
}

/** Who may call, in words: renderers show the permission of a security scheme in different ways, or not at all. */
function accessOf({ access }: Gate): string {
  switch (access.kind) {
    case "public":
      return "**Access**: open to anyone.";
    case "account login":
      return "**Access**: an account login.";
    case "administrator":
      return "**Access**: an account login of an administrator.";
    case "permission": {
      const realm = access.realm ? " A session of a realm reaches what is in its project." : "";
      return `**Access**: an account login, or a credential with the permission \`${access.permission}\`.${realm}`;
    }
  }
}

const COUNTED: Readonly<Record<Gate["counted"], string>> = {
  caller: "counts in the caller's limit of requests (`RateLimit`)",
  callbacks: "counts in the limit of callbacks of its sender (`RateLimit`)",
  none: "not counted in any limit of requests",
};

function limitsOf({ counted, bodyBytesMax }: Gate, takesBody: boolean): string {
  const body = takesBody ? `; a body has at most ${bodyBytesMax} bytes` : "";
  return `**Limits**: ${COUNTED[counted]}${body}.`;
}

/** Why a route has no recorded example, where it says so. */
const withoutExample = (detail: object | undefined): string =>
  detail !== undefined && "x-no-example" in detail
    ? `**Example**: none, since ${detail["x-no-example"]}.`
    : "";

/** Whether an idempotency key has an effect; a route may declare that it has none. */
const takesKey = (detail: object | undefined): boolean =>
  !(detail !== undefined && "x-idempotency-key" in detail && detail["x-idempotency-key"] === false);

const idempotencyKey: Parameter = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence",
  schema: jsonSchema(IdempotencyKey),
};

/** Of routes whose detail has `x-if-match`. */
const ifMatch: Parameter = {
  name: "If-Match",
  in: "header",
  required: true,
  description:
    "the `ETag` of the version that was read, or `*` for any: 428 without it, 412 when there is another version",
  schema: { type: "string", examples: ['"3"'] },
};

function parametersIn(
  place: "path" | "query",
  schema: TSchema | undefined,
  components: Components,
): Parameter[] {
  const { properties = {}, required = [] } = schema === undefined ? {} : jsonSchema(schema);
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    schema: components.refer(property),
  }));
}

const bodyContent = (gate: Gate, body: TSchema, components: Components): Content =>
  gate.body === "bytes"
    ? { "application/octet-stream": { schema: { type: "string", format: "binary" } } }
    : { [JSON_TYPE]: { schema: components.refer(jsonSchema(body)) } };
