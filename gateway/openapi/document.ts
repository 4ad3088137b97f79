import { OptionalKind, type TSchema } from "@sinclair/typebox";
import type { AnyElysia } from "elysia";
import { ErrorReply } from "../../schemas/envelope.ts";
import { ERROR_STATUS, type ErrorCode, STATUS_TEXT } from "../../schemas/errors.ts";
import { IdempotencyKey } from "../../schemas/primitives.ts";
import { type Gate, gateOf } from "../auth/guards.ts";
import { NoBody } from "../http/strict.ts";

/** A JSON Schema as it is published: OpenAPI 3.1 uses JSON Schema 2020-12, as TypeBox does. */
export interface JsonSchema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;

export interface ApiResponse {
  readonly description: string;
  readonly headers: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Content;
}

export interface ApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security: readonly Record<string, string[]>[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, ApiResponse>>;
}

export interface ApiDocument {
  readonly openapi: "3.1.0";
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Record<string, Record<string, ApiOperation>>;
  readonly components: Record<string, unknown>;
}

type Route = AnyElysia["routes"][number];

const JSON_TYPE = "application/json";
const ERROR_REF: JsonSchema = { $ref: "#/components/schemas/Error" };

/** Describes every route that is not hidden, from the schemas that validate its requests and replies. */
export function documentOf(routes: readonly Route[], version: string): ApiDocument {
  const paths: ApiDocument["paths"] = {};
  const tags = new Set<string>();
  for (const route of routes) {
    if (route.hooks.detail?.hide === true || route.method === "WS") continue;
    const path = route.path.replace(/(.)\/$/, "$1").replace(/:(\w+)/g, "{$1}");
    const operation = describeOperation(route);
    for (const tag of operation.tags) tags.add(tag);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Berth",
      version,
      description:
        "Rent servers, run containers on them, firewall and expose them, and pay from a wallet. " +
        "Every reply is an envelope of `statusCode`, `message` and `data`; every error has `error` and a machine `code`.",
    },
    tags: [...tags].sort().map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      schemas: { Error: jsonSchema(ErrorReply) },
      headers: {
        RequestId: {
          description: "the request's id; the one that the caller sent, if any",
          schema: { type: "string" },
        },
        RateLimitPolicy: {
          description: 'the limits of requests, such as `"account";q=6000;w=60`: 6000 in 60 seconds',
          schema: { type: "string" },
        },
        RateLimit: {
          description:
            'what is left of them, such as `"account";r=5999;t=60`: 5999 more, and all again in 60 seconds',
          schema: { type: "string" },
        },
        RetryAfter: { description: "seconds to wait", schema: { type: "integer" } },
        Authenticate: { description: "always Bearer", schema: { type: "string" } },
      },
    },
  };
}

function describeOperation(route: Route): ApiOperation {
  const { method, path, hooks } = route;
  const gate = gateOf(route);
  const { summary = `${method} ${path}`, description, tags = ["Other"], operationId } = hooks.detail ?? {};
  const takesBody = method !== "GET" && hooks.body !== undefined && hooks.body !== NoBody;
  return {
    operationId: operationId ?? operationIdOf(method, path),
    summary,
    ...(description === undefined ? {} : { description }),
    tags,
    security: securityOf(gate),
    parameters: [
      ...parametersIn("path", hooks.params),
      ...parametersIn("query", hooks.query),
      ...(method !== "GET" && takesKey(hooks.detail) ? [idempotencyKey] : []),
      ...(hooks.detail !== undefined && "x-if-match" in hooks.detail ? [ifMatch] : []),
    ],
    ...(takesBody
      ? { requestBody: { required: !(OptionalKind in hooks.body), content: bodyContent(gate, hooks.body) } }
      : {}),
    responses: responsesOf(hooks.response, gate, takesBody, hooks.params !== undefined),
  };
}

const SECURITY_SCHEMES = {
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

const operationIdOf = (method: string, path: string) =>
  [
    method.toLowerCase(),
    ...path.split(/[^A-Za-z0-9]+/).filter((part) => part !== "" && part !== "api" && part !== "v1"),
  ]
    .map((part, index) => (index === 0 ? part : part[0]?.toUpperCase() + part.slice(1)))
    .join("");

function parametersIn(place: "path" | "query", schema: TSchema | undefined): Parameter[] {
  const { properties = {}, required = [] } = schema === undefined ? {} : jsonSchema(schema);
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    schema: property,
  }));
}

const bodyContent = (gate: Gate, body: TSchema): Content =>
  gate.body === "bytes"
    ? { "application/octet-stream": { schema: { type: "string", format: "binary" } } }
    : { [JSON_TYPE]: { schema: jsonSchema(body) } };

/**
 * The error codes that a route may reply with beside its own: they follow from its access, its body and the ids in
 * its path.
 */
function commonCodes(gate: Gate, takesBody: boolean, takesIds: boolean): ErrorCode[] {
  return [
    "VALIDATION_ERROR",
    ...(takesIds ? (["RECORD_NOT_FOUND"] as const) : []),
    ...(gate.access.kind === "public"
      ? []
      : (["MISSING_TOKEN", "INVALID_TOKEN", "INSUFFICIENT_PERMISSIONS"] as const)),
    ...(gate.counted === "none" ? [] : (["RATE_LIMITED"] as const)),
    ...(takesBody ? (["PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"] as const) : []),
    "INTERNAL_ERROR",
    "OVERLOADED",
    "UNAVAILABLE",
  ];
}

function responsesOf(
  declared: unknown,
  gate: Gate,
  takesBody: boolean,
  takesIds: boolean,
): Record<string, ApiResponse> {
  const replies = isSchema(declared) ? { 200: declared } : ((declared ?? {}) as Record<string, TSchema>);
  const responses: Record<string, ApiResponse> = {};
  for (const [status, schema] of Object.entries(replies)) {
    if (Number(status) >= 400) continue;
    responses[status] = replyWith(schema, gate);
  }
  const codes = new Map<string, string[]>();
  for (const code of commonCodes(gate, takesBody, takesIds)) push(codes, String(ERROR_STATUS[code]), code);
  for (const [status, schema] of Object.entries(replies)) {
    if (Number(status) >= 400 && schema.description !== undefined) push(codes, status, schema.description);
  }
  for (const [status, named] of codes) responses[status] = refusalWith(status, [...new Set(named)], gate);
  return responses;
}

const push = (codes: Map<string, string[]>, status: string, code: string) =>
  codes.set(status, [...(codes.get(status) ?? []), code]);

/** Headers of every response of a route. */
const headersOf = ({ counted }: Gate): ApiResponse["headers"] => ({
  "X-Request-Id": { $ref: "#/components/headers/RequestId" },
  ...(counted === "none"
    ? {}
    : {
        "RateLimit-Policy": { $ref: "#/components/headers/RateLimitPolicy" },
        RateLimit: { $ref: "#/components/headers/RateLimit" },
      }),
});

/** Describes a reply. One that is not JSON, such as a PDF, has its media type in the schema's `contentMediaType`. */
function replyWith(schema: TSchema, gate: Gate): ApiResponse {
  const reply = jsonSchema(schema);
  const mediaType = typeof reply.contentMediaType === "string" ? reply.contentMediaType : JSON_TYPE;
  return {
    description: reply.description ?? "Success",
    headers: headersOf(gate),
    content: { [mediaType]: { schema: reply } },
  };
}

const refusalWith = (status: string, codes: string[], gate: Gate): ApiResponse => ({
  description: `${STATUS_TEXT[Number(status)]}: ${codes.join(", ")}`,
  headers: {
    ...headersOf(gate),
    ...(status === "401" ? { "WWW-Authenticate": { $ref: "#/components/headers/Authenticate" } } : {}),
    ...(status === "429" || status === "503"
      ? { "Retry-After": { $ref: "#/components/headers/RetryAfter" } }
      : {}),
  },
  content: { [JSON_TYPE]: { schema: ERROR_REF } },
});

const isSchema = (value: unknown): value is TSchema =>
  typeof value === "object" && value !== null && ("type" in value || "anyOf" in value || "allOf" in value);

/** A TypeBox schema without its symbols. A union of literals becomes an `enum`, as readers expect. */
export function jsonSchema(schema: TSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (_key, value) => {
    const choices: JsonSchema[] | undefined = Array.isArray(value?.anyOf) ? value.anyOf : undefined;
    if (choices === undefined || !choices.every((choice) => choice.const !== undefined)) return value;
    const { anyOf: _, ...rest } = value;
    return { ...rest, type: choices[0]?.type, enum: choices.map((choice) => choice.const) };
  });
}
