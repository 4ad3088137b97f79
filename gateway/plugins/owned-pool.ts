import type { Caller } from "../../schemas/auth.ts";
import { DomainError } from "../../schemas/errors.ts";
import type { Berth } from "../berth.ts";

/** The pool that something is rented into: one that the caller owns, the default pool unless told. @throws POOL_NOT_FOUND */
export async function ownedPool(
  _berth: Pick<Berth, "db">,
  _caller: Caller,
  poolId: string | undefined,
): Promise<string | null> {
  if (poolId === undefined) return null;
  throw new DomainError("POOL_NOT_FOUND", "Pool not found");
}
