import type { Logger } from "pino";
import { serverDomain } from "../../../schemas/addresses.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { BACKSTOP_MS, type DueReconciler } from "../../platform/due/due.ts";
import type { ActorsFor } from "../../senders.ts";
import type { Sought } from "./look.ts";
import { hasDueOrOrphanedClaims, listDueClaims, listOrphanedClaims } from "./queries.ts";
import type { Look } from "./rules.ts";

/** Its user is likely to wait for the first look. */
const INTERVAL_MS = 1_000;
/** Looks into DNS at once; the next ones wait for the next round. */
const AT_ONCE_MAX = 20;

export interface DomainsOptions {
  readonly db: Sql;
  readonly actors: ActorsFor<"reconciler">;
  readonly log: Logger;
  readonly containerDomain: string;
  look(sought: Sought): Promise<Look>;
  owns(kind: string, id: string): boolean;
}

/** Looks for the proofs of domains, and gives up those whose alias is deleted. */
export function domainReconciler({
  db,
  actors,
  log,
  containerDomain,
  look,
  owns,
}: DomainsOptions): DueReconciler {
  return {
    name: "domains",
    intervalMs: INTERVAL_MS,
    backstopMs: BACKSTOP_MS,
    isDue: (look) => hasDueOrOrphanedClaims(look, new Date()),
    async reconcile() {
      for (const { id, domain_id } of await listOrphanedClaims(db, AT_ONCE_MAX))
        if (owns("domain", domain_id)) await actors.domain(domain_id).remove({ id });
      const due = (await listDueClaims(db, new Date(), 10 * AT_ONCE_MAX)).filter(({ domain_id }) =>
        owns("domain", domain_id),
      );
      await Promise.all(
        due.slice(0, AT_ONCE_MAX).map(async ({ id, domain_id, domain, token, alias, server_name }) => {
          const target = `${alias}.${serverDomain(server_name, containerDomain)}`;
          try {
            await actors.domain(domain_id).record_look({ id, ...(await look({ domain, token, target })) });
          } catch (error) {
            log.warn({ err: error, domain }, "the proof of a domain was not looked for");
          }
        }),
      );
    },
  };
}
