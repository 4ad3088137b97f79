import { join } from "node:path";
import { PARAMETERS } from "./parameters/table.ts";

/** The path of the service's API description (container services §4.1). */
export const OPENAPI_JSON = "/api/v1/terminal/openapi.json";
export const OPENAPI_YAML = "/api/v1/terminal/openapi.yaml";

const error = (description: string) => ({
  description,
  content: {
    "text/html": { schema: { type: "string" } },
    "application/json": { schema: { $ref: "#/components/schemas/Error" } },
  },
});

const specification = (type: string, summary: string) => ({
  get: {
    summary,
    responses: {
      "200": { description: "This document", content: { [type]: { schema: { type: "object" } } } },
      "404": error("SPEC_NOT_FOUND: OpenAPI specification file missing"),
    },
  },
});

const parameters = Object.entries(PARAMETERS).map(([name, { schema, rule, ...parameter }]) => ({
  name,
  in: "query",
  required: false,
  description: rule,
  ...(schema.type === "boolean" ? { allowEmptyValue: true } : {}),
  ...("repeatable" in parameter
    ? { style: "form", explode: true, schema: { type: "array", items: schema } }
    : { schema }),
}));

/** The OpenAPI 3.0 document of the terminal, made from the table of parameters that also reads them. */
export const document = {
  openapi: "3.0.0",
  info: {
    title: "Web terminal",
    version: "1.0.0",
    description: "A terminal in the browser; its session is configured by the query of its address.",
  },
  paths: {
    "/": {
      get: {
        summary: "The terminal's page",
        description:
          "Ensures the session and answers with the page that shows it. Boolean parameters accept true, 1, or the bare name.",
        parameters,
        responses: {
          "200": {
            description: "The page; or, when another site led here, one that asks before anything is started",
            content: { "text/html": { schema: { type: "string" } } },
          },
          "302": { description: "With redirect=display: the display is ready, and this is its address" },
          "400": error("A parameter breaks its rule; no session was made"),
          "401": error("A credential is needed"),
          "403": error(
            "INSUFFICIENT_PERMISSIONS: the credential allows watching, and this would start a session; FORBIDDEN_HOST: the service has another address",
          ),
          "405": error("METHOD_NOT_ALLOWED: for every other method than GET; nothing was started"),
          "500": error("INTERNAL_ERROR: the terminal could not be opened"),
          "502": error(
            "SSH_UNAVAILABLE: no SSH session came about; HOST_KEY_CHANGED: the SSH host is not the one that it was",
          ),
          "503": error(
            "OVERLOADED: there are as many sessions as this server holds; without a body, for a page that a browser loads ahead",
          ),
          "504": error("With redirect=display: the display was not ready in time"),
        },
      },
    },
    [OPENAPI_JSON]: specification("application/json", "This document as JSON"),
    [OPENAPI_YAML]: specification("application/yaml", "This document as YAML"),
  },
  components: {
    schemas: {
      Error: {
        type: "object",
        required: ["statusCode", "error", "message", "code"],
        properties: {
          statusCode: { type: "integer" },
          error: { type: "string" },
          message: { type: "string" },
          code: { type: "string" },
        },
      },
    },
  },
} as const;

/** The served file. `bun agents/terminal/openapi.ts` writes it again, and a test fails while it is outdated. */
export const SPECIFICATION_FILE = join(import.meta.dir, "openapi.json");

if (import.meta.main) void Bun.write(SPECIFICATION_FILE, `${JSON.stringify(document, null, 2)}\n`);
