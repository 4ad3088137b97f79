import { DomainError } from "../../schemas/errors.ts";

/** The refusal of a create whose id exists already: ids follow from idempotency keys, so the key was used before. */
export const idempotencyKeyReused = () =>
  new DomainError("IDEMPOTENCY_KEY_REUSED", "this idempotency key was used for another request");
