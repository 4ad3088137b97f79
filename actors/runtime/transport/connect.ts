import { systemClock } from "../../platform/clock.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { randomIds } from "../../platform/ids.ts";
import { type Client, connectClient } from "../client.ts";
import type { Definition } from "../definition.ts";
import type { Bus } from "../ports.ts";
import { readCluster } from "../store/cluster/queries.ts";

/** Connects a client to the actors of a running cluster: over this bus, with the leases of this database. */
export const connectToCluster = <Definitions extends Record<string, Definition>>(
  bus: Bus,
  db: Sql,
): Client<Definitions> =>
  connectClient<Definitions>({
    caller: crypto.randomUUID(),
    bus,
    clock: systemClock,
    ids: randomIds,
    leases: () => readCluster(db),
  });
