import { createHash } from "node:crypto";
import type { Operation } from "../idempotency.ts";

/**
 * The id of what an operation makes. A client's own key always leads to the same id, so that a create which comes again
 * meets the actor that answered it first; without one the id is fresh.
 */
export function actorIdFor(kind: string, userId: string, operation: Operation, newId: () => string): string {
  if (!operation.hasClientKey) return newId();
  return createHash("sha256").update(`${kind}\0${userId}\0${operation.key}`).digest("hex").slice(0, 24);
}
