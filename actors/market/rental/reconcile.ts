import type { Logger } from "pino";
import { repeat } from "../../../system/repeat.ts";
import type { Sql } from "../../platform/db/sql.ts";
import type { ActorsFor } from "../../senders.ts";
import { listCleaning, listContainersPastRental } from "../server/queries.ts";
import { listOverdue } from "./queries.ts";

/** Soon enough that nobody uses what is over for long; two looks at small indexes cost next to nothing. */
const SWEEP_MS = 1_000;

export interface RentalsOptions {
  readonly db: Sql;
  readonly actors: ActorsFor<"reconciler">;
  readonly log: Logger;
  owns(kind: string, id: string): boolean;
}

/**
 * Follows rentals that ended: stops what runs on their servers, and after the time of grace removes it and brings the server
 * back into stock. It looks at how things are, so that whatever was interrupted goes on. @returns what stops it.
 */
export function followRentals({ db, actors, log, owns }: RentalsOptions): () => void {
  async function sweep(): Promise<void> {
    for (const id of await listOverdue(db))
      if (owns("rental", id)) await attempt(() => actors.rental(id).expire({}));
    for (const id of await listContainersPastRental(db))
      if (owns("container", id)) await attempt(() => actors.container(id).stop({}));
    for (const { id, containers, left } of await listCleaning(db)) {
      if (!owns("server", id)) continue;
      for (const container of containers) await attempt(() => actors.container(container).delete({}));
      if (left === 0) await attempt(() => actors.server(id).restock({}));
    }
  }

  /** One that fails does not keep the others waiting; the next sweep tries again. */
  async function attempt(act: () => Promise<unknown>): Promise<void> {
    await act().catch((error) =>
      log.warn({ err: error }, "an ended rental could not be closed; trying again"),
    );
  }

  return repeat(SWEEP_MS, sweep, log, "the sweep of ended rentals failed; trying again");
}
