import type { Sql } from "../db/sql.ts";
import type { DesiredState } from "../desired.ts";
import type { Definitions } from "../registry.ts";
import type { ActorsOf } from "../runtime/client.ts";
import { listAbandoned, listAliasServers } from "./queries.ts";

export interface SweepOptions {
  readonly db: Sql;
  readonly desired: Pick<DesiredState, "completeAliases">;
  readonly actors: Pick<ActorsOf<Definitions>, "alias">;
  owns(kind: string, id: string): boolean;
}

/** Compares aliases and hosts: those of containers that are gone go, and buckets that lack some are filled. */
export async function sweepAliases({ db, desired, actors, owns }: SweepOptions): Promise<void> {
  for (const { serverId, containerId } of await listAbandoned(db)) {
    if (owns("alias", serverId)) await actors.alias(serverId).discard({ container_id: containerId });
  }
  for (const server of await listAliasServers(db)) {
    if (owns("alias", server.serverId)) await desired.completeAliases(server);
  }
}
