import type { TSchema } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { Value } from "@sinclair/typebox/value";
import { DomainError } from "../../../schemas/errors.ts";
import { ABORT, type AbortInput, type ErrorReply, type Reply, type RequestItem } from "../transport/wire.ts";

/**
 * The key of a request's receipt. It includes the operation, since a client may use one key for two operations of an
 * actor. An abort uses the receipt key of the operation that it aborts.
 */
export function receiptKey({
  kind,
  op,
  key,
  input,
}: Pick<RequestItem, "kind" | "op" | "key" | "input">): string {
  if (op !== ABORT) return `${kind}.${op}:${key}`;
  const aborted = input as AbortInput | null;
  return `${kind}.${aborted?.op}:${aborted?.key}`;
}

/** The receipt key of a saga's end. No operation has such a name. */
export const sagaKey = (kind: string, saga: string): string => `${kind}.$saga:${saga}`;

/** The fingerprint of an operation that was aborted before it arrived: no input has it. */
export const TOMBSTONE = "aborted";

export function toErrorReply({ code, message, data }: DomainError): ErrorReply {
  return data === undefined ? { status: "error", code, message } : { status: "error", code, message, data };
}

export const MOVED: Reply = { status: "moved" };
export const ABORTED: ErrorReply = {
  status: "error",
  code: "ABORTED",
  message: "this operation was aborted before it was done",
};
export const EXPIRED: Reply = {
  status: "error",
  code: "UNAVAILABLE",
  message: "the request waited past its deadline",
};
export const GIVEN_UP: Reply = {
  status: "error",
  code: "UNAVAILABLE",
  message: "the change could not be committed; retry with the same idempotency key",
};
export const FAILED: Reply = { status: "error", code: "INTERNAL_ERROR", message: "the operation failed" };
export const OVERLOADED: Reply = {
  status: "error",
  code: "OVERLOADED",
  message: "too many requests are waiting; try again shortly",
};
export const TOO_LARGE: Reply = {
  status: "error",
  code: "INTERNAL_ERROR",
  message: "the reply is larger than a message may be",
};
export const QUARANTINED: Reply = {
  status: "error",
  code: "QUARANTINED",
  message: "this record is quarantined for a while, since it could not be read; nothing was done",
};

/** An actor id: one token of a NATS subject, and a part of an address in memory. */
const ACTOR_ID = /^[A-Za-z0-9_:-]{1,200}$/;
/** Any text that PostgreSQL can store. */
const KEY = /^[^\0]{1,512}$/u;

/** The error of an invalid actor id or key; undefined if both are valid. Such a request never reaches the database. */
export function invalidAddress({ actor, key }: Pick<RequestItem, "actor" | "key">): DomainError | undefined {
  if (!ACTOR_ID.test(actor))
    return new DomainError("VALIDATION_ERROR", "actor id: letters, digits, _, : and -");
  if (!KEY.test(key)) return new DomainError("VALIDATION_ERROR", "key: 1 to 512 characters without NUL");
  return undefined;
}

const checks = new WeakMap<TSchema, TypeCheck<TSchema>>();

/** The error of an invalid input, with the name of the field; undefined if it is valid. */
export function firstInvalid(schema: TSchema, input: unknown): string | undefined {
  let check = checks.get(schema);
  if (check === undefined) {
    check = TypeCompiler.Compile(schema);
    checks.set(schema, check);
  }
  if (check.Check(input)) return undefined;
  const first = Value.Errors(schema, input).First();
  return first === undefined
    ? "invalid input"
    : `${first.path.slice(1).replaceAll("/", ".") || "input"}: ${first.message}`;
}

/** 128 bits of SHA-256: collisions are out of the question, and it is short enough to store with every receipt. */
export function digest(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, 32);
}
