import type { Logger } from "pino";
import type { Sql } from "../../../platform/db/sql.ts";
import { BACKSTOP_MS, type DueReconciler } from "../../../platform/due/due.ts";
import type { ActorsFor } from "../../../senders.ts";
import { hasUntidied, listRemains, listUntidied, type Remain } from "./queries.ts";

/** A removed member loses access about as fast. */
const INTERVAL_MS = 1_000;
const ALL_EVENTS = {
  ...{ event_id: null, event_type: null, resource_type: null, resource_id: null, realm_id: null },
  ...{ before: null, counted: 0 },
};

export interface DeletedAccountsOptions {
  readonly db: Sql;
  readonly actors: ActorsFor<"reconciler">;
  readonly log: Logger;
  owns(kind: string, id: string): boolean;
}

/** Ends what a deleted account leaves with other actors. Each round starts from the records, so that interrupted work continues. */
export function deletedAccountsReconciler({ db, actors, log, owns }: DeletedAccountsOptions): DueReconciler {
  return {
    name: "deleted-accounts",
    intervalMs: INTERVAL_MS,
    backstopMs: BACKSTOP_MS,
    isDue: hasUntidied,
    async reconcile() {
      for (const userId of await listUntidied(db)) if (owns("account", userId)) await tidy(userId);
    },
  };

  async function tidy(userId: string): Promise<void> {
    const remains = await listRemains(db, userId);
    for (const remain of remains)
      await end(userId, remain).catch((error) =>
        log.warn({ err: error, remain }, "a deleted account left something; trying again"),
      );
    if (remains.length > 0) return;
    // Last, because the ends of all those were events too.
    await actors.event_log(userId).erase(ALL_EVENTS);
    await actors.account(userId).record_tidied({});
  }

  function end(userId: string, { kind, id, part }: Remain): Promise<unknown> {
    const by = { by: userId };
    switch (kind) {
      case "webhook":
        return actors.webhook(id).delete({});
      case "payment_method":
        return actors.payment_methods(userId).delete({ id });
      case "membership":
      case "own_invitation":
        return actors.pool(id).remove_member({ ...by, user_id: part });
      case "invitation":
        return actors.pool(id).reject({ ...by, invitation_id: part });
      case "pool":
        return actors.pool(id).delete(by);
      case "project":
        return actors.project(id).delete({});
      case "codehost_link":
        return actors.codehost_account(userId).unlink({});
      case "permission":
        return actors.container(id).revoke_permission({ ...by, user_id: part });
      case "notification":
        return actors.inbox(userId).delete({ notification_id: id });
    }
  }
}
