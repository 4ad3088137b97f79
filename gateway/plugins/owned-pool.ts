import { ownsPool } from "../../actors/pool/queries.ts";
import { defaultPoolId } from "../../actors/pool/rules.ts";
import type { Caller } from "../../schemas/auth.ts";
import { DomainError } from "../../schemas/errors.ts";
import type { Berth } from "../berth.ts";

/** The pool that something is rented into: one that the caller owns, the default pool unless told. @throws POOL_NOT_FOUND */
export async function ownedPool(
  { db }: Pick<Berth, "db">,
  { userId }: Pick<Caller, "userId">,
  poolId: string | undefined,
): Promise<string> {
  if (poolId === undefined) return defaultPoolId(userId);
  if (await ownsPool(db, userId, poolId)) return poolId;
  throw new DomainError("POOL_NOT_FOUND", "You own no pool of this id");
}
