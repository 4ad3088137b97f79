import type { Sql } from "../../actors/platform/db/sql.ts";
import { hasReceipt } from "../../actors/runtime/store/queries.ts";
import type { Operation } from "../idempotency.ts";

/**
 * Whether an actor has done an operation under the client's key. What it was done to may be gone since, so whoever looks for
 * that first must not refuse: the actor gives its first answer again.
 */
export async function hasOperationReceipt(
  db: Sql,
  { hasClientKey, key }: Pick<Operation, "hasClientKey" | "key">,
  done: { readonly kind: string; readonly actorId: string; readonly op: string },
): Promise<boolean> {
  return hasClientKey && (await hasReceipt(db, { ...done, key }));
}
