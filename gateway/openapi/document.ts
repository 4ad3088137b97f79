import type { AnyElysia } from "elysia";
import { ErrorReply } from "../../schemas/envelope.ts";
import { ERROR_STATUS, type ErrorCode } from "../../schemas/errors.ts";
import { Components } from "./components.ts";
import { withExamples } from "./examples.ts";
import { type JsonSchema, jsonSchema } from "./json-schema.ts";
import { type ApiOperation, describeOperation, SECURITY_SCHEMES } from "./operation.ts";
import { type ApiResponse, errorName, RESPONSE_HEADERS, refusalOf } from "./responses.ts";
import { describeTag } from "./tags.ts";

export interface ApiDocument {
  readonly openapi: "3.1.0";
  readonly info: Readonly<Record<"title" | "version" | "description", string>> & {
    readonly license: { readonly name: string; readonly url: string };
  };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Record<string, Record<string, ApiOperation>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly [kind: string]: Readonly<Record<string, unknown>>;
  };
}

type Route = AnyElysia["routes"][number];

const ABOUT = `Rent servers, run containers on them, firewall and expose them, and pay from a wallet.

**Sign in** with \`POST /api/v1/auth/login\`, then send the reply's \`access_token\` as \`Authorization: Bearer …\`. It is good for 15 minutes: \`POST /api/v1/auth/refresh\` renews it.
For programs create an API token with \`POST /api/v1/auth/tokens\`: it is sent the same way, and has the permissions that you give it.

**Replies** are an envelope of \`statusCode\`, \`message\` and \`data\`. Errors have \`error\` (the status in words), \`message\` and \`code\`: decide by \`code\`, whose values each operation lists.

**Repeat safely**: an operation that takes \`Idempotency-Key\` acts once for each key, however often it is sent. 429 and 503 say in \`Retry-After\` how many seconds to wait.

**Lists** come in pages: send \`pagination.next_cursor\` of a page as \`cursor\` to get the next one.`;

/** Describes every route that is not hidden, from the schemas that validate its requests and replies. */
export function documentOf(routes: readonly Route[], version: string): ApiDocument {
  const paths: ApiDocument["paths"] = {};
  const tags = new Set<string>();
  const components = new Components();
  const codes = new Set<ErrorCode>();
  for (const route of routes) {
    if (route.hooks.detail?.hide === true || route.method === "WS") continue;
    const path = route.path.replace(/(.)\/$/, "$1").replace(/:(\w+)/g, "{$1}");
    const operation = describeOperation(route, components, codes);
    for (const tag of operation.tags) tags.add(tag);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation };
  }
  const responses = addErrors(components, codes);
  return {
    openapi: "3.1.0",
    info: { title: "Berth", version, description: ABOUT, license: LICENSE },
    servers: [{ url: "/", description: "This gateway" }],
    tags: [...tags].sort().map((name) => ({ name, description: describeTag(name) })),
    paths: withExamples(paths),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      schemas: components.schemas,
      responses,
      headers: RESPONSE_HEADERS,
    },
  };
}

const LICENSE = { name: "UNLICENSED", url: "https://spdx.org/licenses/" };

/** One error for each status, with the codes that operations reply with under it. Returns the responses that have them. */
function addErrors(components: Components, codes: ReadonlySet<ErrorCode>): Record<string, ApiResponse> {
  const byStatus = Map.groupBy(codes, (code) => ERROR_STATUS[code] as number);
  for (const [status, named] of byStatus) {
    const { properties, ...error } = jsonSchema(ErrorReply);
    components.add(errorName(status), {
      ...error,
      description: `${status}: \`code\` says why`,
      properties: {
        ...properties,
        statusCode: { type: "integer", const: status },
        code: { type: "string", enum: named.sort() },
      },
    });
  }
  return Object.fromEntries(
    [...byStatus.keys()].sort().map((status) => [errorName(status), refusalOf(status)]),
  );
}
