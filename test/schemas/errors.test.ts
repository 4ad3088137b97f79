import { expect, test } from "bun:test";
import { DomainError, ERROR_STATUS, STATUS_TEXT, ValidationError } from "../../schemas/errors.ts";

/** Spec, control plane §7. */
const SPECIFIED = {
  VALIDATION_ERROR: 400,
  MISSING_TOKEN: 401,
  INVALID_TOKEN: 401,
  INSUFFICIENT_PERMISSIONS: 403,
  CONTAINER_NOT_FOUND: 404,
  TRANSFER_IDEMPOTENCY_KEY_REUSED: 409,
  TRANSFER_FEE_CHANGED: 409,
};

test("codes that the specification names have its statuses", () => {
  expect(ERROR_STATUS).toMatchObject(SPECIFIED);
});

test("every status has its words", () => {
  for (const status of Object.values(ERROR_STATUS)) {
    expect(STATUS_TEXT[status]).toMatch(/^[A-Z][A-Za-z ]+$/);
  }
});

test("every code is written alike", () => {
  for (const code of Object.keys(ERROR_STATUS)) expect(code).toMatch(/^[A-Z]+(_[A-Z]+)*$/);
});

test("a refusal knows its status, and a validation error its field", () => {
  expect(new DomainError("NAME_TAKEN", "taken").status).toBe(409);
  const error = new ValidationError("body.amount", "must be more than zero");
  expect(error).toMatchObject({ code: "VALIDATION_ERROR", status: 400, data: { field: "body.amount" } });
  expect(error.message).toBe("body.amount: must be more than zero");
  expect(error).toBeInstanceOf(DomainError);
});
