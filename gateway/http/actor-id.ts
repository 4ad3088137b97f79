import { createHash } from "node:crypto";
import type { Operation } from "../idempotency.ts";

/**
 * The id of the record that an operation creates. A client's own key always gives the same id, so that a repeated
 * create reaches the actor that handled the first one. Without such a key the id is new.
 */
export function actorIdFor(kind: string, userId: string, operation: Operation, newId: () => string): string {
  if (!operation.hasClientKey) return newId();
  return createHash("sha256").update(`${kind}\0${userId}\0${operation.key}`).digest("hex").slice(0, 24);
}
