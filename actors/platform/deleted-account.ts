import type { ErrorCode } from "../../schemas/errors.ts";
import type { Conflict } from "../runtime/definition.ts";

/**
 * The refusal of what is made for an account that was deleted meanwhile, for an actor's `conflicts`. A trigger on the actor's table
 * violates `account_deleted`.
 *
 * @param code by default that of a caller whose own account is gone
 */
export const deletedAccountConflict = (code: ErrorCode = "INVALID_TOKEN"): Record<string, Conflict> => ({
  account_deleted: { code, message: "The account was deleted" },
});
