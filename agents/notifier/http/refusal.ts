import { SECURITY_HEADERS } from "../../web/security-headers.ts";

/** A refused request; `code` and `message` become `error` and `details` of the response. */
export class Refusal extends Error {
  override readonly name = "Refusal";

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** @param field as `body.title` or `query.limit` */
export const invalid = (field: string, rule: string): Refusal =>
  new Refusal(400, "VALIDATION_ERROR", `${field}: ${rule}`);

export const hardened = (headers: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  ...SECURITY_HEADERS,
  ...headers,
});

export const json = (status: number, body: object): Response =>
  Response.json(body, { status, headers: hardened() });

/** The form of all errors (spec §4.3, 404 and 429 of icons). */
export const errorBody = (code: string, message: string) => ({
  success: false,
  error: code,
  details: message,
});

export const refused = ({ status, code, message, headers }: Refusal): Response =>
  Response.json(errorBody(code, message), { status, headers: hardened(headers) });
