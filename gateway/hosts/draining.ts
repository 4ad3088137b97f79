import { isHostDraining } from "../../actors/hosting/host/queries.ts";
import type { Sql } from "../../actors/platform/db/sql.ts";
import { hostDraining } from "../../schemas/hosting/host.ts";

/**
 * Creates something on a host that is not drained. A drain that begins meanwhile wins, and what was created is deleted again: an
 * administrator who has drained a host finds nothing new on it.
 *
 * @throws HOST_DRAINING
 */
export async function createOnHost(
  db: Sql,
  hostName: string,
  { create, undo }: { create(): Promise<unknown>; undo(): Promise<unknown> },
): Promise<void> {
  if (await isHostDraining(db, hostName)) throw hostDraining();
  await create();
  if (!(await isHostDraining(db, hostName))) return;
  await undo();
  throw hostDraining();
}
