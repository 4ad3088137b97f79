import type { components } from "./api.ts";

type Schemas = components["schemas"];
/** Every `code` that the API may refuse with. */
export type ErrorCode = {
  [Name in keyof Schemas]: Schemas[Name] extends { error: string; code: infer Code } ? Code : never;
}[keyof Schemas];

/** A refusal of the API. Decide by `code`; `message` is for people. */
export class BerthError extends Error {
  override readonly name = "BerthError";

  constructor(
    message: string,
    readonly status: number,
    readonly code: ErrorCode | "UNKNOWN",
    readonly data: Readonly<Record<string, unknown>>,
    /** For whoever looks into the logs of the gateway. */
    readonly requestId: string | null,
  ) {
    super(message);
  }
}

/** What a reply's error says. A reply of something in between, such as a proxy, has the code `UNKNOWN`. */
export function errorOf(response: Response, body: unknown): BerthError {
  const { message, code, data } = (typeof body === "object" && body !== null ? body : {}) as Partial<
    Record<string, unknown>
  >;
  return new BerthError(
    typeof message === "string" ? message : `HTTP ${response.status}`,
    response.status,
    typeof code === "string" ? (code as ErrorCode) : "UNKNOWN",
    (data ?? {}) as Record<string, unknown>,
    response.headers.get("x-request-id"),
  );
}
