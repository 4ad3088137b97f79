import { readOwnPool } from "../../actors/accounts/pool/queries.ts";
import type { Caller } from "../../schemas/accounts/auth.ts";
import { DomainError } from "../../schemas/errors.ts";
import type { GatewayContext } from "../context.ts";

/** The pool that something is rented into: one that the caller owns, the default pool unless told. @throws POOL_NOT_FOUND */
export async function ownedPool(
  { db }: Pick<GatewayContext, "db">,
  { userId }: Pick<Caller, "userId">,
  poolId: string | undefined,
): Promise<string> {
  const id = await readOwnPool(db, userId, poolId);
  if (id === undefined) throw new DomainError("POOL_NOT_FOUND", "You own no pool of this id");
  return id;
}
