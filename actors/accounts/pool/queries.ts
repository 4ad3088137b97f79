import type { Fragment } from "postgres";
import type {
  Invitation,
  POOLS_SORT,
  PoolDetail,
  PoolMember,
  PoolSummary,
  Role,
} from "../../../schemas/accounts/pool.ts";
import type { CountedSlice, PageOf } from "../../../schemas/paging.ts";
import type { PoolRole } from "../../../schemas/permissions.ts";
import type { OLDEST_FIRST } from "../../../schemas/sorting.ts";
import { isNamed, keyset, type Positioned, readTotal, sliceOf } from "../../platform/db/keyset/queries.ts";
import type { Sql } from "../../platform/db/sql.ts";
import type { InvitationStatus } from "./rules.ts";

interface PoolRow {
  id: string;
  owner_id: string;
  name: string;
  description: string;
  settings: Record<string, unknown>;
  is_default: boolean;
  access_revision: bigint;
  created_at: Date;
  updated_at: Date;
}

interface InvitationRow {
  id: string;
  pool_id: string;
  user_id: string;
  role: PoolRole;
  invited_by: string;
  status: InvitationStatus;
  created_at: Date;
}

type PoolServerRow = Omit<PoolDetail["servers"][number], "rental_end"> & { rental_end: Date };

type SummaryRow = PoolRow & { role: Role; member_count: number; server_count: number };

/** The sort key of a user's pools: the default pool first, then by age. */
const placeOf = (db: Sql, userId: string) => db`(
  CASE WHEN p.is_default AND p.owner_id = ${userId} THEN '0' ELSE '1' END
  || to_char(p.created_at AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISSUS')) COLLATE "C"`;

/** The pools that a user owns or has joined. */
const isMember = (db: Sql, userId: string) =>
  db`(p.owner_id = ${userId} OR p.id IN (SELECT pool_id FROM pool_members WHERE user_id = ${userId}))`;

/** Selects pools of a user, with the caller's columns, condition and order. */
const summaries = (db: Sql, userId: string, columns: Fragment, conditionAndOrder: Fragment) => db<
  Positioned<SummaryRow>[]
>`
  SELECT p.* ${columns}, CASE WHEN p.owner_id = ${userId} THEN 'owner' ELSE m.role END AS role,
    (SELECT count(*)::int + 1 FROM pool_members WHERE pool_id = p.id) AS member_count,
    (SELECT count(*)::int FROM rentals WHERE pool_id = p.id AND status = 'active' AND (rental_end > now() OR awaits_delivery)) AS server_count
  FROM pools p LEFT JOIN pool_members m ON m.pool_id = p.id AND m.user_id = ${userId}
  WHERE ${isMember(db, userId)} AND ${conditionAndOrder}`;

/** A page of the pools that a user owns or has joined, the default pool first (spec §4.4). */
export async function listPools(
  db: Sql,
  userId: string,
  page: PageOf<typeof POOLS_SORT>,
): Promise<CountedSlice<PoolSummary>> {
  const columns = {
    default_first: placeOf(db, userId),
    name: db`lower(p.name)`,
    created_at: db`p.created_at`,
  };
  const { position, isAfter, order } = keyset(db, page, columns, db`p.id`);
  const named = isNamed(db, page, db`p.name`);
  const [rows, total] = await Promise.all([
    summaries(db, userId, db`, ${position}`, db`${isAfter} ${named} ORDER BY ${order}`),
    readTotal(db, db`FROM pools p WHERE ${isMember(db, userId)} ${named}`),
  ]);
  return { ...sliceOf(rows, page, toSummary), total };
}

/** A pool with its members and servers; undefined for users who are not members. */
export async function readPool(db: Sql, userId: string, id: string): Promise<PoolDetail | undefined> {
  const [row] = await summaries(db, userId, db``, db`p.id = ${id}`);
  if (row === undefined) return undefined;
  const [members, servers, invitations] = await Promise.all([
    db<{ user_id: string; username: string; role: Role; joined_at: Date }[]>`
      SELECT a.id AS user_id, a.username, 'owner' AS role, p.created_at AS joined_at
      FROM pools p JOIN accounts a ON a.id = p.owner_id WHERE p.id = ${id}
      UNION ALL
      (SELECT a.id, a.username, m.role, m.joined_at FROM pool_members m JOIN accounts a ON a.id = m.user_id
       WHERE m.pool_id = ${id} ORDER BY m.joined_at, a.id)`,
    db<PoolServerRow[]>`
      SELECT r.id AS rental_id, r.server_id, r.server_name, r.rental_end, s.specs, s.joined_at IS NOT NULL AS host_joined
      FROM rentals r JOIN servers s ON s.id = r.server_id
      WHERE r.pool_id = ${id} AND r.status = 'active' AND (r.rental_end > now() OR r.awaits_delivery) ORDER BY r.created_at, r.id`,
    row.role === "user" ? [] : invitationsWhere(db, db`i.pool_id = ${id} AND i.status = 'pending'`),
  ]);
  return {
    ...toSummary(row),
    members: members.map(toMember),
    servers: servers.map((server) => ({ ...server, rental_end: server.rental_end.toISOString() })),
    invitations,
  };
}

/** A page of a user's pending invitations, oldest first. */
export async function listInvitations(
  db: Sql,
  userId: string,
  page: PageOf<typeof OLDEST_FIRST>,
): Promise<CountedSlice<Invitation>> {
  const { position, isAfter, order } = keyset(db, page, { created_at: db`i.created_at` }, db`i.id`);
  const pending = db`i.user_id = ${userId} AND i.status = 'pending'`;
  const [rows, total] = await Promise.all([
    invitationRows(db, db`, ${position}`, db`${pending} AND ${isAfter} ORDER BY ${order}`),
    readTotal(db, db`FROM pool_invitations i WHERE ${pending}`),
  ]);
  return { ...sliceOf(rows, page, toInvitation), total };
}

/** An invitation to a user, in any state; undefined if the user has none with this id. */
export async function readInvitation(db: Sql, userId: string, id: string): Promise<Invitation | undefined> {
  const [invitation] = await invitationsWhere(db, db`i.id = ${id} AND i.user_id = ${userId}`);
  return invitation;
}

/** An invitation as the inviting user sees it. */
export async function readInvitationOf(db: Sql, poolId: string, id: string): Promise<Invitation | undefined> {
  const [invitation] = await invitationsWhere(db, db`i.id = ${id} AND i.pool_id = ${poolId}`);
  return invitation;
}

/** The id of a pool that the user owns: this one, or the default pool; undefined if the user does not own it. */
export async function readOwnPool(
  db: Sql,
  userId: string,
  poolId: string | undefined,
): Promise<string | undefined> {
  const [row] = await db<{ id: string }[]>`
    SELECT id FROM pools
    WHERE owner_id = ${userId} AND ${poolId === undefined ? db`is_default` : db`id = ${poolId}`}`;
  return row?.id;
}

/**
 * Rentals whose pool no longer exists, each with its owner's default pool. Such a pool was deleted while the rental
 * began.
 */
export async function listOrphans(db: Sql): Promise<{ id: string; poolId: string }[]> {
  return db<{ id: string; poolId: string }[]>`
    SELECT r.id, d.id AS "poolId" ${orphans(db)}`;
}

const orphans = (db: Sql) => db`
  FROM rentals r JOIN pools d ON d.owner_id = r.user_id AND d.is_default
  WHERE r.status = 'active' AND r.pool_id IS NOT NULL AND NOT EXISTS (SELECT FROM pools p WHERE p.id = r.pool_id)`;

/** Whether any of `listOrphans` is there. */
export const hasOrphans = (db: Sql) => db`EXISTS (SELECT ${orphans(db)})`;

/**
 * Containers whose hosts have an outdated access list, of pools that changed since a time, or of all pools. The
 * revision is the one to publish.
 */
export async function listOutdatedAccess(
  db: Sql,
  since: Date | undefined,
): Promise<{ id: string; revision: number }[]> {
  const rows = await db<{ id: string; access_revision: bigint }[]>`
    SELECT c.id, p.access_revision ${outdatedAccess(db)} ${since === undefined ? db`` : changedSince(db, since)}`;
  return rows.map((row) => ({ id: row.id, revision: Number(row.access_revision) }));
}

const outdatedAccess = (db: Sql) => db`
  FROM pools p JOIN rentals r ON r.pool_id = p.id JOIN servers s ON s.rental_id = r.id JOIN containers c ON c.server_id = s.id
  WHERE c.access_revision <> p.access_revision AND c.desired_state <> 'deleted' AND p.access_revision > 1`;

const changedSince = (db: Sql, since: Date) => db`AND p.updated_at > ${since}`;

/** Whether any of `listOutdatedAccess` is there. */
export const hasOutdatedAccess = (db: Sql, since: Date) =>
  db`EXISTS (SELECT ${outdatedAccess(db)} ${changedSince(db, since)})`;

const invitationsWhere = async (db: Sql, where: Fragment): Promise<Invitation[]> =>
  (await invitationRows(db, db``, db`${where} ORDER BY i.created_at, i.id`)).map(toInvitation);

type ListedInvitation = InvitationRow & { pool_name: string; username: string; inviter: string };

const invitationRows = (db: Sql, columns: Fragment, conditionAndOrder: Fragment) => db<
  Positioned<ListedInvitation>[]
>`
  SELECT i.*, coalesce(p.name, '') AS pool_name, a.username, b.username AS inviter ${columns}
  FROM pool_invitations i LEFT JOIN pools p ON p.id = i.pool_id
    JOIN accounts a ON a.id = i.user_id JOIN accounts b ON b.id = i.invited_by
  WHERE ${conditionAndOrder}`;

const toInvitation = (row: ListedInvitation): Invitation => ({
  id: row.id,
  pool_id: row.pool_id,
  pool_name: row.pool_name,
  user_id: row.user_id,
  username: row.username,
  role: row.role,
  invited_by: row.inviter,
  status: row.status,
  created_at: row.created_at.toISOString(),
});

const toSummary = (row: SummaryRow): PoolSummary => ({
  id: row.id,
  owner_id: row.owner_id,
  name: row.name,
  description: row.description,
  settings: row.settings,
  is_default: row.is_default,
  role: row.role,
  member_count: row.member_count,
  server_count: row.server_count,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

const toMember = (row: { user_id: string; username: string; role: Role; joined_at: Date }): PoolMember => ({
  user_id: row.user_id,
  username: row.username,
  role: row.role,
  joined_at: row.joined_at.toISOString(),
});
