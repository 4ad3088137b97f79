import type { TSchema } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { Value } from "@sinclair/typebox/value";
import { DomainError } from "../../../schemas/errors.ts";
import { ABORT, type AbortInput, type ErrorReply, type Reply, type RequestItem } from "../transport/wire.ts";

/**
 * Where the receipt of a request is kept. Receipts of two operations of one actor never meet: a client may use one key for
 * both. To take an operation back is to record its reply, under its own key.
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

/** Where the end of a saga is kept. No operation has a name that begins like that. */
export const sagaKey = (kind: string, saga: string): string => `${kind}.$saga:${saga}`;

/** The fingerprint of an operation that was taken back before it came: no input has it. */
export const TOMBSTONE = "aborted";

export function toErrorReply({ code, message, data }: DomainError): ErrorReply {
  return data === undefined ? { status: "error", code, message } : { status: "error", code, message, data };
}

export const MOVED: Reply = { status: "moved" };
export const ABORTED: ErrorReply = {
  status: "error",
  code: "ABORTED",
  message: "this operation was taken back before it was done",
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
  message: "this record is set aside for a while, since it failed again and again; nothing was done",
};

/** A token of a subject, and a part of an address in memory. */
const ACTOR_ID = /^[A-Za-z0-9_:-]{1,200}$/;
/** Whatever PostgreSQL keeps as text. */
const KEY = /^[^\0]{1,512}$/u;

/** What is wrong with the address or the key of an operation; nothing is asked of the database for such a one. */
export function invalidAddress({ actor, key }: Pick<RequestItem, "actor" | "key">): DomainError | undefined {
  if (!ACTOR_ID.test(actor))
    return new DomainError("VALIDATION_ERROR", "actor id: letters, digits, _, : and -");
  if (!KEY.test(key)) return new DomainError("VALIDATION_ERROR", "key: 1 to 512 characters without NUL");
  return undefined;
}

const checks = new WeakMap<TSchema, TypeCheck<TSchema>>();

/** What is wrong with an input, naming the field; undefined when it is right. */
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

/** 128 bits of SHA-256: enough that two inputs never meet, short enough to keep with every receipt. */
export function digest(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, 32);
}
