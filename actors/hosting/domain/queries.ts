import type { DOMAINS_SORT, DomainClaim, DomainsQuery } from "../../../schemas/hosting/domain.ts";
import type { CountedSlice, PageOf } from "../../../schemas/paging.ts";
import {
  isNamed,
  keyset,
  type Positioned,
  readTotal,
  sliceOf,
  whenGiven,
} from "../../platform/db/keyset/queries.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { isReachable } from "../container/queries.ts";

interface ClaimRow
  extends Pick<DomainClaim, "id" | "domain" | "alias_id" | "state" | "proof" | "error" | "token"> {
  readonly checked_at: Date | null;
  readonly next_check_at: Date | null;
  readonly verified_at: Date | null;
  readonly created_at: Date;
}

const toRecord = (row: ClaimRow): DomainClaim => ({
  id: row.id,
  domain: row.domain,
  alias_id: row.alias_id,
  state: row.state,
  proof: row.proof,
  error: row.error,
  token: row.token,
  checked_at: row.checked_at?.toISOString() ?? null,
  next_check_at: row.next_check_at?.toISOString() ?? null,
  verified_at: row.verified_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
});

const READ = (db: Sql) => db`
  d.id, d.domain, d.alias_id, d.state, d.proof, d.error, d.token, d.checked_at, d.next_check_at, d.verified_at, d.created_at`;

/** The domains of an alias, oldest first. The caller checks who may see them. */
export async function listDomains(db: Sql, aliasId: string): Promise<DomainClaim[]> {
  const rows = await db<ClaimRow[]>`
    SELECT ${READ(db)} FROM domains d WHERE d.alias_id = ${aliasId} ORDER BY d.created_at, d.id`;
  return rows.map(toRecord);
}

/** The alias of a domain, as far as the domain's record says it. */
export interface DomainAlias {
  readonly alias: string;
  readonly server_name: string;
  readonly container_id: string;
}

/**
 * A page of the domains that lead to containers that a user can access, oldest first; within one project for callers
 * who are bound to a realm.
 */
export async function listOwnDomains(
  db: Sql,
  { userId, realmId }: { userId: string; realmId?: string },
  filter: DomainsQuery,
  page: PageOf<typeof DOMAINS_SORT>,
): Promise<CountedSlice<{ claim: DomainClaim; alias: DomainAlias }>> {
  const when = whenGiven(db);
  const from = db`
    FROM domains d JOIN aliases a ON a.id = d.alias_id JOIN containers c ON c.id = a.container_id
    WHERE ${isReachable(db, userId)} AND c.desired_state <> 'deleted'
      ${when(filter.state, (state) => db`AND d.state = ${state}`)}
      ${when(filter.alias_id, (id) => db`AND d.alias_id = ${id}`)}
      ${when(filter.container_id, (id) => db`AND a.container_id = ${id}`)}
      ${when(filter.project_id, (id) => db`AND a.project_id = ${id}`)}
      ${when(realmId, (id) => db`AND a.project_id = ${id}`)}
      ${isNamed(db, page, db`d.domain`)}`;
  const { position, isAfter, order } = keyset(
    db,
    page,
    { created_at: db`d.created_at`, domain: db`d.domain` },
    db`d.id`,
  );
  const [rows, total] = await Promise.all([
    db<Positioned<ClaimRow & DomainAlias>[]>`
      SELECT ${READ(db)}, a.alias, a.server_name, a.container_id, ${position} ${from} AND ${isAfter} ORDER BY ${order}`,
    readTotal(db, from),
  ]);
  const toItem = (row: ClaimRow & DomainAlias) => ({ claim: toRecord(row), alias: row });
  return { ...sliceOf(rows, page, toItem), total };
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
  ${dueClaims(db, now)} ORDER BY d.next_check_at LIMIT ${limit}`;

const dueClaims = (db: Sql, now: Date) => db`
  FROM domains d JOIN aliases a ON a.id = d.alias_id WHERE d.next_check_at <= ${now}`;

/** Claims whose alias is deleted. */
export const listOrphanedClaims = (
  db: Sql,
  limit: number,
): Promise<{ id: string; domain_id: string }[]> => db<{ id: string; domain_id: string }[]>`
  SELECT d.id, d.domain_id ${orphanedClaims(db)} LIMIT ${limit}`;

const orphanedClaims = (db: Sql) => db`
  FROM domains d WHERE NOT EXISTS (SELECT FROM aliases a WHERE a.id = d.alias_id)`;

/** Whether any of `listDueClaims` or `listOrphanedClaims` is there. */
export const hasDueOrOrphanedClaims = (db: Sql, now: Date) =>
  db`(EXISTS (SELECT ${dueClaims(db, now)}) OR EXISTS (SELECT ${orphanedClaims(db)}))`;

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
