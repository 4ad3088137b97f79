import type { DomainClaim } from "../../../schemas/hosting/domain.ts";
import type { Sql } from "../../platform/db/sql.ts";

interface ClaimRow
  extends Pick<DomainClaim, "id" | "domain" | "alias_id" | "state" | "proof" | "error" | "token"> {
  readonly checked_at: Date | null;
  readonly verified_at: Date | null;
  readonly created_at: Date;
}

const toRecord = (row: ClaimRow): DomainClaim => ({
  ...row,
  checked_at: row.checked_at?.toISOString() ?? null,
  verified_at: row.verified_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
});

/** The domains of an alias, oldest first. The caller checks who may see them. */
export async function listDomains(db: Sql, aliasId: string): Promise<DomainClaim[]> {
  const rows = await db<ClaimRow[]>`
    SELECT id, domain, alias_id, state, proof, error, token, checked_at, verified_at, created_at
    FROM domains WHERE alias_id = ${aliasId} ORDER BY created_at, id`;
  return rows.map(toRecord);
}

export interface DueClaim {
  readonly id: string;
  readonly domain_id: string;
  readonly domain: string;
  readonly token: string;
  readonly alias: string;
  readonly server_name: string;
}

/** Claims whose proof is to be looked for, the longest waiting first. */
export const listDueClaims = (db: Sql, now: Date, limit: number): Promise<DueClaim[]> => db<DueClaim[]>`
  SELECT d.id, d.domain_id, d.domain, d.token, a.alias, a.server_name
  FROM domains d JOIN aliases a ON a.id = d.alias_id
  WHERE d.next_check_at <= ${now} ORDER BY d.next_check_at LIMIT ${limit}`;

/** Claims whose alias is deleted. */
export const listOrphanedClaims = (
  db: Sql,
  limit: number,
): Promise<{ id: string; domain_id: string }[]> => db<{ id: string; domain_id: string }[]>`
  SELECT d.id, d.domain_id FROM domains d
  WHERE NOT EXISTS (SELECT FROM aliases a WHERE a.id = d.alias_id) LIMIT ${limit}`;

/** The user whose verified domain leads to an open alias of a host now; undefined if there is none. */
export async function readOwnerOfDomain(
  db: Sql,
  serverName: string,
  domain: string,
): Promise<string | undefined> {
  const [row] = await db<{ user_id: string }[]>`
    SELECT d.user_id FROM domains d JOIN aliases a ON a.id = d.alias_id
    WHERE d.domain = ${domain} AND d.state = 'verified' AND a.server_name = ${serverName}
      AND a.enabled AND (a.expires_at IS NULL OR a.expires_at > now())`;
  return row?.user_id;
}
