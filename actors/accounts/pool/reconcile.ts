import type { Logger } from "pino";
import { repeat } from "../../../system/repeat.ts";
import type { Sql } from "../../platform/db/sql.ts";
import type { ActorsFor } from "../../senders.ts";
import { listOrphans, listOutdatedAccess } from "./queries.ts";

/** Whoever was removed from a pool is out of its containers after about this. */
const LOOK_MS = 1_000;
/** A look at what changed lately is cheap; all pools are looked at every so often, for what was missed. */
const LATELY_MS = 5 * 60_000;
const LOOKS_A_SWEEP = 30;

export interface PoolsOptions {
  readonly db: Sql;
  readonly actors: ActorsFor<"reconciler">;
  readonly log: Logger;
  owns(kind: string, id: string): boolean;
}

/**
 * Follows pools: the hosts of their containers are told who may enter, and a rental whose pool is gone comes into its owner's default
 * pool. @returns what stops it.
 */
export function followPools({ db, actors, log, owns }: PoolsOptions): () => void {
  let looks = 0;

  async function look(): Promise<void> {
    const isSweep = looks++ % LOOKS_A_SWEEP === 0;
    const outdated = await listOutdatedAccess(db, isSweep ? undefined : new Date(Date.now() - LATELY_MS));
    for (const { id, revision } of outdated)
      if (owns("container", id)) await actors.container(id).update_access({ access_revision: revision });
    for (const { id, poolId } of await listOrphans(db))
      if (owns("rental", id)) await actors.rental(id).move({ pool_id: poolId });
  }

  return repeat(LOOK_MS, look, log, "the look at pools failed; trying again");
}
