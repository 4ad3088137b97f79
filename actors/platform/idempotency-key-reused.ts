import { DomainError } from "../../schemas/errors.ts";

/** A create that meets what is there under another request's key: ids come from keys, so the key was used before. */
export const idempotencyKeyReused = () =>
  new DomainError("IDEMPOTENCY_KEY_REUSED", "this idempotency key was used for another request");
