import type { Sql } from "../../actors/platform/db/sql.ts";
import { hasReceipt } from "../../actors/runtime/store/queries.ts";
import type { Operation } from "../idempotency.ts";

/**
 * Whether an actor has done an operation under the client's key. The record that it changed may be gone by now, so a
 * route that looks for the record first must not refuse: the actor repeats its first reply.
 */
export async function hasOperationReceipt(
  db: Sql,
  { hasClientKey, key }: Pick<Operation, "hasClientKey" | "key">,
  done: { readonly kind: string; readonly actorId: string; readonly op: string },
): Promise<boolean> {
  return hasClientKey && (await hasReceipt(db, { ...done, key }));
}
