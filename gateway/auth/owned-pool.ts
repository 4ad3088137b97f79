import { readOwnPool } from "../../actors/accounts/pool/queries.ts";
import type { Caller } from "../../schemas/accounts/auth.ts";
import { DomainError } from "../../schemas/errors.ts";
import type { GatewayContext } from "../context.ts";

/**
 * The pool into which a server is rented: one that the caller owns, by default the default pool. @throws
 * POOL_NOT_FOUND
 */
export async function ownedPool(
  { db }: Pick<GatewayContext, "db">,
  { userId }: Pick<Caller, "userId">,
  poolId: string | undefined,
): Promise<string> {
  const id = await readOwnPool(db, userId, poolId);
  if (id === undefined) throw new DomainError("POOL_NOT_FOUND", "You own no pool with this id");
  return id;
}
