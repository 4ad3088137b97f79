import { listNotJoined } from "../../actors/market/server/queries.ts";
import type { Sql } from "../../actors/platform/db/sql.ts";
import type { ActorsFor } from "../../actors/senders.ts";
import { agentSubject } from "../../schemas/subjects.ts";

/** An agent answers a ping within milliseconds, on the busiest host within a second. Where there is none the answer is there at once. */
const PING_MS_MAX = 1_000;

export interface JoinedHosts {
  /** An agent of a server of this name was heard of. */
  recordJoined(serverName: string): Promise<void>;
  /** Asks the host of a server that has not joined as far as is known; notes it when it answers. */
  probe(serverName: string): Promise<void>;
}

/** Notes which servers' hosts have joined: a server without a host cannot be used by whoever rents it. */
export function joinedHosts(
  db: Sql,
  actors: Pick<ActorsFor<"gateway">, "server">,
  request: (subject: string, text: string, timeoutMs: number) => Promise<string>,
): JoinedHosts {
  async function recordJoined(serverName: string): Promise<void> {
    for (const id of await listNotJoined(db, serverName)) await actors.server(id).join({});
  }

  return {
    recordJoined: recordJoined,
    async probe(serverName) {
      const answers = await request(agentSubject(serverName, "ping"), "", PING_MS_MAX).then(
        () => true,
        () => false,
      );
      if (answers) await recordJoined(serverName);
    },
  };
}
