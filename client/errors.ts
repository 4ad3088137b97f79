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

/** What a sign-in asks for after the right password, where the account has a second factor. */
export interface SecondFactorChallenge {
  /** For `POST /api/v1/auth/login/second-factor`. */
  readonly challenge: string;
  readonly expires_at: string;
  readonly methods: readonly ("totp" | "passkey" | "recovery_code")[];
  /** For `navigator.credentials.get()`; null without a passkey. */
  readonly options: Readonly<Record<string, unknown>> | null;
}

/** The challenge that a sign-in was refused with; undefined for any other error. */
export const secondFactorChallengeOf = (error: unknown): SecondFactorChallenge | undefined =>
  error instanceof BerthError && error.code === "SECOND_FACTOR_REQUIRED"
    ? (error.data as unknown as SecondFactorChallenge)
    : undefined;
