import { isDatabaseUnavailable } from "../../actors/platform/db/sql.ts";
import { DomainError } from "../../schemas/errors.ts";

/**
 * Runs a handler. A fault of the gateway becomes INTERNAL_ERROR with the message "Failed to <action>" (spec, control
 * plane §7). Refusals stay as they are, and an unavailable database is still a 503.
 */
export async function orFail<T>(action: string, answer: () => Promise<T>): Promise<T> {
  try {
    return await answer();
  } catch (error) {
    const isFault = !(error instanceof DomainError) || error.code === "INTERNAL_ERROR";
    if (!isFault || isDatabaseUnavailable(error)) throw error;
    throw Object.assign(new DomainError("INTERNAL_ERROR", `Failed to ${action}`), { cause: error });
  }
}
