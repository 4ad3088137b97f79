import { DomainError, ERROR_STATUS, type ErrorCode } from "../../schemas/errors.ts";

/** Converts the refusal in another actor's reply to the error of the request that waits for it. */
export function toDomainError({
  code,
  message,
  data,
}: {
  readonly code: string;
  readonly message: string;
  readonly data?: Record<string, unknown>;
}): DomainError {
  return new DomainError(code in ERROR_STATUS ? (code as ErrorCode) : "UNAVAILABLE", message, data);
}
