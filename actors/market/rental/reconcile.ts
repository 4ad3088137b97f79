import type { Logger } from "pino";
import type { Sql } from "../../platform/db/sql.ts";
import { BACKSTOP_MS, type DueReconciler } from "../../platform/due/due.ts";
import type { ActorsFor } from "../../senders.ts";
import { hasEndedRental, listCleaning, listContainersPastRental } from "../server/queries.ts";
import {
  hasOverdue,
  hasUnsettled,
  listDelivered,
  listExtendedForSuspended,
  listNeverDelivered,
  listOverdue,
  listUnheld,
} from "./queries.ts";

/** The longest use of an ended rental. */
const INTERVAL_MS = 1_000;

export interface RentalsOptions {
  readonly db: Sql;
  readonly actors: ActorsFor<"reconciler">;
  readonly log: Logger;
  owns(kind: string, id: string): boolean;
}

/**
 * Holds the paid time of rentals whose servers are not delivered, and begins it when they are; ends the automatic extension for suspended
 * accounts. Stops what runs on the servers of ended rentals. After the grace period it deletes the containers and storage shares, and returns the server to
 * the stock. Each round starts from the records, so that interrupted work continues.
 */
export function rentalReconciler({ db, actors, log, owns }: RentalsOptions): DueReconciler {
  return {
    name: "rentals",
    intervalMs: INTERVAL_MS,
    backstopMs: BACKSTOP_MS,
    isDue: (look) => look`(${hasOverdue(look)} OR ${hasUnsettled(look)} OR ${hasEndedRental(look)})`,
    async reconcile() {
      // First: the time of a rental that awaits its delivery must not end.
      for (const id of await listUnheld(db))
        if (owns("rental", id)) await attempt(() => actors.rental(id).await_delivery({}));
      for (const id of await listDelivered(db))
        if (owns("rental", id)) await attempt(() => actors.rental(id).announce_host({}));
      for (const id of await listNeverDelivered(db))
        if (owns("server", id)) await attempt(() => actors.server(id).clean({}));
      for (const id of await listExtendedForSuspended(db))
        if (owns("rental", id)) await attempt(() => actors.rental(id).suspend_auto_extension({}));
      for (const id of await listOverdue(db))
        if (owns("rental", id)) await attempt(() => actors.rental(id).expire({}));
      for (const id of await listContainersPastRental(db))
        if (owns("container", id)) await attempt(() => actors.container(id).stop({}));
      for (const { id, containers, shares, left } of await listCleaning(db)) {
        if (!owns("server", id)) continue;
        for (const container of containers) await attempt(() => actors.container(container).delete({}));
        // Refused while a container names it: the next round deletes it.
        for (const share of shares) await attempt(() => actors.storage_share(share).delete({}));
        if (left === 0) await attempt(() => actors.server(id).restock({}));
      }
    },
  };

  /** A failure does not delay the others; the next round tries again. */
  async function attempt(act: () => Promise<unknown>): Promise<void> {
    await act().catch((error) =>
      log.warn({ err: error }, "the state of a rental could not be brought up to date; trying again"),
    );
  }
}
