import type { Sql } from "../../../platform/db/sql.ts";
import { ALL_LOGS } from "../queries.ts";
import { notErased } from "../shared/queries.ts";

/** An arbitrary number for the advisory lock; no other lock of the database uses it. */
const ARCHIVE_LOCK = 1_702_257_001;
const ROWS_IN_MEMORY_MAX = 500;

/** Lets nobody delete events for their age that are not archived, for a day from now. */
export async function requireArchive(db: Sql): Promise<void> {
  await db`UPDATE event_archive SET required_until = now() + interval '1 day'`;
}

/** True when this transaction alone writes the archive. */
export async function lockArchive(tx: Sql): Promise<boolean> {
  const [row] = await tx<{ locked: boolean }[]>`SELECT pg_try_advisory_xact_lock(${ARCHIVE_LOCK}) AS locked`;
  return row?.locked ?? false;
}

/** The day (UTC) of the oldest event before a time that is not archived; undefined: there is none. */
export async function readNextDay(db: Sql, before: Date): Promise<Date | undefined> {
  const [row] = await db<{ day: Date | null }[]>`
    SELECT date_trunc('day', min(created_at), 'UTC') AS day FROM events
    WHERE created_at < ${before}
      AND created_at >= coalesce((SELECT archived_before FROM event_archive), '-infinity')`;
  return row?.day ?? undefined;
}

/** The events of a day, oldest first, each as a line of JSON. Those that their users have deleted are left out. */
export async function* readDay(tx: Sql, day: Date, end: Date): AsyncGenerator<string[]> {
  const rows = tx<{ line: string }[]>`
    SELECT json_build_object('id', e.id, 'event_type', e.event_type, 'resource_type', e.resource_type,
      'resource_id', e.resource_id, 'user_id', e.user_id, 'project_id', e.project_id, 'container_id', e.container_id,
      'realm_id', e.realm_id, 'data', e.data, 'audience', a.audience,
      'created_at', to_char(e.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text AS line
    FROM events e LEFT JOIN event_audiences a ON a.event_id = e.id AND a.event_at = e.created_at
    WHERE e.created_at >= ${day} AND e.created_at < ${end} AND ${notErased(tx)}
    ORDER BY e.created_at, e.id`;
  for await (const batch of rows.cursor(ROWS_IN_MEMORY_MAX)) yield batch.map(({ line }) => line);
}

/** Notes that everything before a midnight is in the archive. */
export async function recordArchived(tx: Sql, before: Date): Promise<void> {
  await tx`UPDATE event_archive SET archived_before = greatest(archived_before, ${before}::timestamptz)`;
}

/** Since when expired events wait for the archive, if for more than a day; undefined: none does. */
export async function readWaitingForArchive(db: Sql): Promise<Date | undefined> {
  const [row] = await db<{ since: Date | null }[]>`
    SELECT min(e.created_at) AS since FROM events e, event_archive a
    WHERE a.required_until > now() AND e.created_at >= coalesce(a.archived_before, '-infinity')
      AND e.created_at < (SELECT kept_since - interval '2 days' FROM event_logs WHERE id = ${ALL_LOGS})`;
  return row?.since ?? undefined;
}
