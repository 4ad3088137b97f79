import { DomainError } from "../../schemas/errors.ts";

/** A queue was full: nothing was done, and the same request may be sent again. */
export class OverloadedError extends DomainError {
  constructor(message = "too many requests are waiting; try again shortly") {
    super("OVERLOADED", message);
  }
}

/** No reply came in time. Whether the operation was done is unknown; the same operation id makes a retry safe. */
export class UnavailableError extends DomainError {
  constructor(message = "the service is unavailable; retry with the same idempotency key") {
    super("UNAVAILABLE", message);
  }
}

/** The cluster spreads its actors in a way that this version does not know: whatever it sent would reach the wrong hosts. */
export class UnknownPartitionsError extends Error {
  constructor() {
    super(
      "this program is of an earlier version than its cluster, and does not know the cluster's partitions: upgrade it (docs/operations/upgrades.md)",
    );
  }
}

/** The commit was refused because other hosts own these partitions now. Nothing was written. */
export class FencedError extends Error {
  override readonly name = "FencedError";
  constructor(readonly partitions: readonly number[]) {
    super(`fenced: partitions ${partitions.join(", ")} have another owner`);
  }
}

/** A row has changed since it was loaded. Nothing was written. */
export class StaleError extends Error {
  override readonly name: string = "StaleError";
}

/** An operation of the batch was done before: its receipt exists. Nothing was written. */
export class ReceiptExistsError extends StaleError {
  override readonly name = "ReceiptExistsError";
}

/** The database refused the rows themselves. Nothing was written, and the same rows will be refused again. */
export class RejectedError extends Error {
  override readonly name = "RejectedError";
  constructor(
    message: string,
    /** The violated constraint, if there is one. */
    readonly constraint: string | undefined,
    /** The database's detail message on the violation. */
    readonly detail?: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** The connection broke, or could not be made: whether the commit happened is unknown. */
export class OutcomeUnknownError extends Error {
  override readonly name = "OutcomeUnknownError";
}
