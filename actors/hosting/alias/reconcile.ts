import type { Logger } from "pino";
import type { Sql } from "../../platform/db/sql.ts";
import type { ActorsFor } from "../../senders.ts";
import type { DesiredState } from "../host/desired.ts";
import { listAliasServers, listOrphanedAliases } from "./queries.ts";

export interface ReconcileAliasesOptions {
  readonly db: Sql;
  readonly desired: Pick<DesiredState, "syncAliases">;
  readonly actors: Pick<ActorsFor<"reconciler">, "alias">;
  readonly log: Logger;
  owns(kind: string, id: string): boolean;
}

/** Deletes the aliases of deleted containers, and publishes those that a host's bucket lacks. */
export async function reconcileAliases({
  db,
  desired,
  actors,
  log,
  owns,
}: ReconcileAliasesOptions): Promise<void> {
  const each = (serverId: string, work: Promise<unknown>) =>
    work.catch((error) =>
      log.warn(
        { err: error, serverId },
        "a server's aliases could not be reconciled; the next round tries again",
      ),
    );
  for (const { serverId, containerId } of await listOrphanedAliases(db)) {
    if (!owns("alias", serverId)) continue;
    await each(serverId, actors.alias(serverId).discard({ container_id: containerId }));
  }
  for (const server of await listAliasServers(db)) {
    if (owns("alias", server.serverId)) await each(server.serverId, desired.syncAliases(server));
  }
}
