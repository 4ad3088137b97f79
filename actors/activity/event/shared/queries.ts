import type { Fragment } from "postgres";
import { type Audience, EVERYBODY_AUDIENCE, idsOf } from "../../../../schemas/audiences.ts";
import { CONTAINER_ACTS, suffices } from "../../../../schemas/permissions.ts";
import type { Sql } from "../../../platform/db/sql.ts";
import type { ReadableAudience, Scope } from "../filter.ts";

/**
 * Events in others' logs that a user may read, because the user may read the thing that they tell of
 * (docs/decisions/0046-shared-events.md). Access is looked up whenever they are read: who has lost it reads none of them.
 */

/** Roles on a server that may read its containers, and so their firewalls and aliases. */
const READING_ROLES = (["user", "admin", "owner"] as const).filter((role) =>
  suffices(role, CONTAINER_ACTS.read),
);

/** The audiences that a user belongs to now, each with the time since which: the rental, the pool, the account. */
export async function readAudiences(db: Sql, userId: string): Promise<ReadableAudience[]> {
  return db<ReadableAudience[]>`
    SELECT 'server:' || a.server_id AS audience, r.created_at AS since
    FROM server_access a JOIN servers s ON s.id = a.server_id JOIN rentals r ON r.id = s.rental_id
    WHERE a.user_id = ${userId} AND a.role = ANY (${READING_ROLES}::text[])
    UNION ALL
    SELECT kind || ':' || m.pool_id, p.created_at
    FROM pool_members m JOIN pools p ON p.id = m.pool_id CROSS JOIN (VALUES ('pool'), ('pool-admins')) kinds (kind)
    WHERE m.user_id = ${userId} AND (kind = 'pool' OR m.role = 'admin')
    UNION ALL
    SELECT ${EVERYBODY_AUDIENCE}::text, created_at FROM accounts WHERE id = ${userId}`;
}

/** A user with an audience, as `readReaders` answers it. */
export const readerKey = (audience: string, userId: string): string => `${audience} ${userId}`;

/** Which of these users belong to which of these audiences now, as `readerKey`. Everybody's is not looked up. */
export async function readReaders(
  db: Sql,
  audiences: readonly string[],
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const users = [...userIds];
  const pools = [...idsOf("pool", audiences), ...idsOf("pool-admins", audiences)];
  const rows = await db<{ audience: Audience; user_id: string }[]>`
    SELECT 'server:' || server_id AS audience, user_id FROM server_access
    WHERE server_id = ANY (${idsOf("server", audiences)}::text[]) AND user_id = ANY (${users}::text[])
      AND role = ANY (${READING_ROLES}::text[])
    UNION ALL
    SELECT kind || ':' || m.pool_id, m.user_id
    FROM pool_members m CROSS JOIN (VALUES ('pool'), ('pool-admins')) kinds (kind)
    WHERE m.pool_id = ANY (${pools}::text[]) AND m.user_id = ANY (${users}::text[])
      AND (kind = 'pool' OR m.role = 'admin')`;
  return new Set(rows.map(({ audience, user_id }) => readerKey(audience, user_id)));
}

/**
 * Rows of the events that others' logs share with a user, for each of the user's audiences at most `limit`: columns of `e`, the
 * event, and `a`, its place among those of its audience.
 *
 * @param where further conditions on `e` and `a`
 */
export const sharedRows = (
  db: Sql,
  scope: Scope,
  { columns, where, order, limit }: { columns: Fragment; where: Fragment; order: Fragment; limit: number },
) => db`
  SELECT found.* FROM unnest(
    ${scope.audiences.map(({ audience }) => audience)}::text[],
    ${scope.audiences.map(({ since }) => since.toISOString())}::text[]::timestamptz[]) AS readable (audience, since)
  CROSS JOIN LATERAL (
    SELECT ${columns} FROM event_audiences a JOIN events e ON e.id = a.event_id AND e.created_at = a.event_at
    WHERE a.audience = readable.audience AND a.event_at >= readable.since ${sharedConditions(db, scope)} ${where}
    ORDER BY a.event_at ${order}, a.event_id ${order} LIMIT ${limit}) found`;

/** Without what stands in the user's own log, and what the owner of the log has deleted. */
function sharedConditions(db: Sql, { userId, projectId, resourceId, containerId, types, start, end }: Scope) {
  const when = (column: string, value: string | undefined) =>
    value === undefined ? db`` : db`AND e.${db(column)} = ${value}`;
  return db`
    AND e.user_id IS DISTINCT FROM ${userId}
    AND (e.resource_type <> 'pool' OR (e.data->>'by' IS DISTINCT FROM ${userId} AND e.data->>'user_id' IS DISTINCT FROM ${userId}))
    ${when("project_id", projectId)} ${when("resource_id", resourceId)} ${when("container_id", containerId)}
    ${types === undefined ? db`` : db`AND e.event_type = ANY (${[...types]}::text[])`}
    ${start === undefined ? db`` : db`AND a.event_at >= ${start}`} ${end === undefined ? db`` : db`AND a.event_at < ${end}`}
    AND ${notErased(db)}`;
}

/** An event `e` that the owner of its log has not deleted. */
export const notErased = (db: Sql) => db`
  NOT EXISTS (
    SELECT FROM event_erasures x WHERE x.user_id = e.user_id AND e.created_at < x.before
      AND coalesce(x.event_id = e.id, true) AND coalesce(x.event_type = e.event_type, true)
      AND coalesce(x.resource_type = e.resource_type, true)
      AND (x.resource_id IS NULL OR x.resource_id IS NOT DISTINCT FROM e.resource_id)
      AND (x.realm_id IS NULL OR x.realm_id IS NOT DISTINCT FROM e.realm_id))`;

/** Deletes at most `limit` rows of events before `since`, but none that the archive still needs. @returns how many */
export async function deleteExpiredAudiences(db: Sql, since: Date, limit: number): Promise<number> {
  const { count } = await db`
    DELETE FROM event_audiences WHERE (event_id, event_at) IN (
      SELECT event_id, event_at FROM event_audiences WHERE event_at < deletable_events_before(${since}) LIMIT ${limit})`;
  return count;
}
