import type { TSchema } from "@sinclair/typebox";
import { ERROR_STATUS, type ErrorCode, STATUS_TEXT } from "../../schemas/errors.ts";
import type { Gate } from "../auth/guards.ts";
import { type Components, referenceTo } from "./components.ts";
import { type JsonSchema, jsonSchema } from "./json-schema.ts";

export const JSON_TYPE = "application/json";

export type Content = Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>>;

type Headers = Readonly<Record<string, { readonly $ref: string }>>;

export interface ApiResponse {
  /** Of a refusal: what it has in common with all of its status. */
  readonly $ref?: string;
  readonly description: string;
  readonly headers?: Headers;
  readonly content?: Content;
}

/** What of a route decides how it may reply. */
interface Route {
  readonly gate: Gate;
  readonly takesBody: boolean;
  /** Whether there are ids in its path. */
  readonly takesIds: boolean;
}

export const RESPONSE_HEADERS = {
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
};

/** `ConflictError` for 409. */
export const errorName = (status: number): string =>
  `${(STATUS_TEXT[status] ?? `Status${status}`).replace(/ /g, "").replace(/Error$/, "")}Error`;

/**
 * The error codes that a route may reply with beside its own: they follow from its access, its body and the ids in
 * its path.
 */
function commonCodes({ gate, takesBody, takesIds }: Route): ErrorCode[] {
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

/** The replies of a route. @param codes gets the codes that it may refuse with */
export function responsesOf(
  declared: unknown,
  route: Route,
  components: Components,
  codes: Set<ErrorCode>,
): Record<string, ApiResponse> {
  const replies = isSchema(declared) ? { 200: declared } : ((declared ?? {}) as Record<string, TSchema>);
  const responses: Record<string, ApiResponse> = {};
  const named = new Set<ErrorCode>(commonCodes(route));
  for (const [status, schema] of Object.entries(replies)) {
    if (Number(status) < 400) responses[status] = replyWith(schema, route.gate, components);
    else for (const code of schema.description?.split(", ") ?? []) named.add(code as ErrorCode);
  }
  for (const [status, refusals] of Map.groupBy(named, (code) => ERROR_STATUS[code]))
    responses[status] = {
      $ref: `#/components/responses/${errorName(status)}`,
      description: `${STATUS_TEXT[status]}: ${refusals.join(", ")}`,
    };
  for (const code of named) codes.add(code);
  return responses;
}

/** Headers of every response of a route. */
const headersOf = ({ counted }: Pick<Gate, "counted">): Headers => ({
  "X-Request-Id": { $ref: "#/components/headers/RequestId" },
  ...(counted === "none"
    ? {}
    : {
        "RateLimit-Policy": { $ref: "#/components/headers/RateLimitPolicy" },
        RateLimit: { $ref: "#/components/headers/RateLimit" },
      }),
});

/** Describes a reply. One that is not JSON, such as a PDF, has its media type in the schema's `contentMediaType`. */
function replyWith(schema: TSchema, gate: Gate, components: Components): ApiResponse {
  // Elysia adds it to the schema itself when it compiles the route.
  const { additionalProperties: _, ...reply } = jsonSchema(schema);
  const mediaType = typeof reply.contentMediaType === "string" ? reply.contentMediaType : JSON_TYPE;
  return {
    description: reply.description ?? "Success",
    headers: headersOf(gate),
    content: { [mediaType]: { schema: components.refer(reply) } },
  };
}

/** What all refusals of a status have in common; which codes they have is said by each operation. */
export const refusalOf = (status: number): ApiResponse => ({
  description: STATUS_TEXT[status] ?? String(status),
  headers: {
    ...headersOf({ counted: "caller" }),
    ...(status === 401 ? { "WWW-Authenticate": { $ref: "#/components/headers/Authenticate" } } : {}),
    ...(status === 429 || status === 503
      ? { "Retry-After": { $ref: "#/components/headers/RetryAfter" } }
      : {}),
  },
  content: { [JSON_TYPE]: { schema: referenceTo(errorName(status)) } },
});

const isSchema = (value: unknown): value is TSchema =>
  typeof value === "object" && value !== null && ("type" in value || "anyOf" in value || "allOf" in value);
