import { listLeft, listNotJoined } from "../../actors/market/server/queries.ts";
import type { Sql } from "../../actors/platform/db/sql.ts";
import type { ActorsFor } from "../../actors/senders.ts";
import { agentSubject } from "../../schemas/subjects.ts";

/**
 * An agent answers a ping within milliseconds, on the busiest host within a second. Without an agent NATS replies at
 * once.
 */
const PING_MS_MAX = 1_000;

export interface JoinedHosts {
  /** Records that the agent of the server with this name has connected. */
  recordJoined(serverName: string): Promise<void>;
  /** Records that the hosts of servers were removed. */
  recordRemoved(): Promise<void>;
  /** Pings the agent of a server, and records the join if it answers. */
  probe(serverName: string): Promise<void>;
}

/** Records which servers' hosts have joined. A server whose host has not joined cannot be rented. */
export function joinedHosts(
  db: Sql,
  actors: Pick<ActorsFor<"gateway">, "server">,
  request: (subject: string, text: string, timeoutMs: number) => Promise<string>,
): JoinedHosts {
  async function recordJoined(serverName: string): Promise<void> {
    for (const id of await listNotJoined(db, serverName)) await actors.server(id).join({});
  }

  return {
    recordJoined,
    async recordRemoved() {
      for (const { id, removed_at } of await listLeft(db)) await actors.server(id).leave({ removed_at });
    },
    async probe(serverName) {
      const answers = await request(agentSubject(serverName, "ping"), "", PING_MS_MAX).then(
        () => true,
        () => false,
      );
      if (answers) await recordJoined(serverName);
    },
  };
}
