import {
  FencedError,
  OutcomeUnknownError,
  ReceiptExistsError,
  RejectedError,
  StaleError,
} from "../errors.ts";

interface PostgresFailure {
  readonly code?: string;
  readonly message?: string;
  readonly detail?: string;
  readonly constraint_name?: string;
}

const FENCED = "BR001";
const STALE = "BR002";
const NO_SUCH_FUNCTION = "42883";

/**
 * SQLSTATE classes whose cause is the rows or the statement, so that the same batch would fail again: data exceptions,
 * constraints, syntax and limits, and exceptions raised by triggers.
 */
const REFUSALS = ["22", "23", "42", "54", "P0"];

/**
 * Classifies the error of a commit: another owner, stale rows, a change that the database refuses, or an unknown
 * outcome.
 */
export function commitFailure(error: unknown): Error {
  const failure = (error ?? {}) as PostgresFailure;
  const { code = "", message = "the commit failed", constraint_name: constraint } = failure;
  if (code === FENCED) return new FencedError((failure.detail ?? "").split(",").filter(Boolean).map(Number));
  if (code === NO_SUCH_FUNCTION) return new StaleError("a column was dropped");
  if (code === STALE) return new StaleError(`stale row in ${failure.detail}`);
  if (code === "23505" && constraint === "receipts_pkey") return new ReceiptExistsError(failure.detail);
  // Another writer has inserted the root row in the meantime.
  if (code === "23505" && constraint?.endsWith("_pkey")) return new StaleError(`row exists: ${constraint}`);
  if (code.length === 5 && REFUSALS.includes(code.slice(0, 2))) {
    return new RejectedError(message, constraint, failure.detail, { cause: error });
  }
  return new OutcomeUnknownError(message, { cause: error });
}
