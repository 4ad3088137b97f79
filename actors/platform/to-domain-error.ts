import { DomainError, ERROR_STATUS, type ErrorCode } from "../../schemas/errors.ts";

/** The refusal that another actor answered, to be handed on to whoever waits. */
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
