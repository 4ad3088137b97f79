import type { Logger } from "pino";
import type { Sql } from "../../platform/db/sql.ts";
import { BACKSTOP_MS, type DueReconciler } from "../../platform/due/due.ts";
import type { ActorsFor } from "../../senders.ts";
import {
  hasLeftOrNew,
  hasOutdatedSpecs,
  listLeft,
  listNotJoinedHosts,
  listOutdatedSpecs,
} from "./queries.ts";

/** An operator who starts an agent looks at the list of servers within a few seconds. */
const INTERVAL_MS = 3_000;
/** The host of a server this new may be connected already. Later it is asked seldom: an agent that connects announces itself. */
const NEW_MS = 30_000;
const SELDOM_MS = 15_000;
/** Servers that a round asks, chosen at random: all of them are asked after a few rounds. */
const ASKED_PER_ROUND_MAX = 100;

/** An operator who has changed a server sees it take effect within a moment. */
const SPECS_INTERVAL_MS = 1_000;

export interface ChangedSpecsOptions {
  readonly db: Sql;
  readonly actors: ActorsFor<"reconciler">;
  readonly log: Logger;
  owns(kind: string, id: string): boolean;
}

/** Tells hosts of changed specifications of servers, so that they hold the containers there to them while these run. */
export function changedSpecsReconciler({ db, actors, log, owns }: ChangedSpecsOptions): DueReconciler {
  return {
    name: "changed-specs",
    intervalMs: SPECS_INTERVAL_MS,
    backstopMs: BACKSTOP_MS,
    isDue: hasOutdatedSpecs,
    async reconcile() {
      for (const { id, revision } of await listOutdatedSpecs(db)) {
        if (!owns("container", id)) continue;
        await actors
          .container(id)
          .update_specs({ specs_revision: revision })
          .catch((error) => log.warn({ err: error, container: id }, "changed specifications were not told"));
      }
    },
  };
}

export interface JoinedHostsOptions {
  readonly db: Sql;
  readonly actors: ActorsFor<"reconciler">;
  readonly log: Logger;
  owns(kind: string, id: string): boolean;
  /** Whether a host's agent responds now. */
  isReachable(serverName: string): Promise<boolean>;
}

/**
 * Records that hosts have joined (docs/decisions/0039-servers-need-a-host.md). An agent that connects says so to a gateway, which may not
 * know its server yet, or not reach the server's actor: this asks the hosts of all servers that have not joined. Likewise a gateway that
 * removes a host may not reach the server's actor.
 */
export function joinedHostsReconciler(options: JoinedHostsOptions): DueReconciler {
  const { db, actors, log, owns, isReachable } = options;
  return {
    name: "joined-hosts",
    intervalMs: INTERVAL_MS,
    backstopMs: SELDOM_MS,
    isDue: (look) => hasLeftOrNew(look, new Date(Date.now() - NEW_MS)),
    async reconcile() {
      for (const { id, removed_at } of await listLeft(db)) {
        if (!owns("server", id)) continue;
        await actors
          .server(id)
          .leave({ removed_at })
          .catch((error) => log.warn({ err: error, server: id }, "a removed host was not recorded"));
      }
      const servers = await listNotJoinedHosts(db, ASKED_PER_ROUND_MAX);
      const owned = servers.filter(({ id }) => owns("server", id));
      await Promise.all(
        owned.map(async ({ id, name }) => {
          if (!(await isReachable(name))) return;
          await actors
            .server(id)
            .join({})
            .catch((error) => log.warn({ err: error, server: name }, "a host that joined was not recorded"));
        }),
      );
    },
  };
}
