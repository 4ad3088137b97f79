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

/** Compares aliases and hosts: those of containers that are gone go, and buckets that lack some are filled. */
export async function reconcileAliases({
  db,
  desired,
  actors,
  log,
  owns,
}: ReconcileAliasesOptions): Promise<void> {
  const each = (serverId: string, work: Promise<unknown>) =>
    work.catch((error) =>
      log.warn({ err: error, serverId }, "the sweep of a server's aliases failed; the next one tries again"),
    );
  for (const { serverId, containerId } of await listOrphanedAliases(db)) {
    if (!owns("alias", serverId)) continue;
    await each(serverId, actors.alias(serverId).discard({ container_id: containerId }));
  }
  for (const server of await listAliasServers(db)) {
    if (owns("alias", server.serverId)) await each(server.serverId, desired.syncAliases(server));
  }
}
