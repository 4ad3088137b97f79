import type { QuotaName } from "../../../schemas/accounts/quota.ts";
import type { Sql } from "../../platform/db/sql.ts";

/** The present use of each quota. */
export async function readQuotaUse(
  db: Sql,
  asked: readonly { readonly quota: QuotaName; readonly scopeId: string }[],
): Promise<Map<QuotaName, number>> {
  const rows = await db<{ quota: QuotaName; used: bigint }[]>`
    SELECT asked.quota, coalesce(use.used, 0) AS used
    FROM unnest(${asked.map(({ quota }) => quota)}::text[], ${asked.map(({ scopeId }) => scopeId)}::text[])
      AS asked (quota, scope_id)
    CROSS JOIN LATERAL (
      SELECT sum(q.used)::bigint AS used FROM quota_usage q WHERE q.quota = asked.quota AND q.scope_id = asked.scope_id) use`;
  return new Map(rows.map(({ quota, used }) => [quota, Number(used)]));
}
