import { systemClock } from "../../platform/clock.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { randomIds } from "../../platform/ids.ts";
import { type Client, connectClient } from "../client.ts";
import type { Definition } from "../definition.ts";
import { UnknownPartitionsError } from "../errors.ts";
import type { Bus } from "../ports.ts";
import { readCluster } from "../store/cluster/queries.ts";

/**
 * Connects a client to the actors of a running cluster: over this bus, with the leases of this database.
 *
 * @param onUnknownPartitions called when the cluster spreads its actors in a way that this version does not know
 */
export const connectToCluster = <Definitions extends Record<string, Definition>>(
  bus: Bus,
  db: Sql,
  onUnknownPartitions: (error: UnknownPartitionsError) => void = () => {},
): Client<Definitions> =>
  connectClient<Definitions>({
    caller: crypto.randomUUID(),
    bus,
    clock: systemClock,
    ids: randomIds,
    leases: () =>
      readCluster(db).catch((error) => {
        if (error instanceof UnknownPartitionsError) onUnknownPartitions(error);
        throw error;
      }),
  });
