import type { EVERYBODYS_EVENTS_SORT, EventRecord } from "../../../../schemas/events.ts";
import type { PageOf, Slice } from "../../../../schemas/paging.ts";
import { keyset, type Positioned, sliceOf, whenGiven } from "../../../platform/db/keyset/queries.ts";
import type { Sql } from "../../../platform/db/sql.ts";
import { notErased } from "../shared/queries.ts";

/** The events of all users, and those in no user's log, for administrators. */

export interface EverybodysFilter {
  /** null: only events that are in no user's log. */
  readonly userId?: string | null | undefined;
  readonly eventType?: string | undefined;
  readonly resourceType?: string | undefined;
  readonly resourceId?: string | undefined;
  readonly start?: Date | undefined;
  readonly end?: Date | undefined;
}

type EventRow = Omit<EventRecord, "created_at"> & { created_at: Date };

/**
 * A page of the events of all users, newest first. Events that a user has deleted are left out, even while their rows
 * exist.
 */
export async function listEverybodysEvents(
  db: Sql,
  filter: EverybodysFilter,
  page: PageOf<typeof EVERYBODYS_EVENTS_SORT>,
): Promise<Slice<EventRecord>> {
  const when = whenGiven(db);
  const { position, isAfter, order } = keyset(db, page, { created_at: db`e.id` }, db`e.id`);
  const rows = await db<Positioned<EventRow>[]>`
    SELECT e.id, e.event_type, e.resource_type, e.resource_id, e.user_id, e.project_id, e.container_id, e.realm_id, e.data,
      e.created_at, ${position}
    FROM events e
    WHERE e.created_at >= coalesce((SELECT kept_since FROM event_logs WHERE id = 'all'), '-infinity')
      AND ${notErased(db)}
      ${when(filter.userId, (id) => (id === null ? db`AND e.user_id IS NULL` : db`AND e.user_id = ${id}`))}
      ${when(filter.eventType, (type) => db`AND e.event_type = ${type}`)}
      ${when(filter.resourceType, (type) => db`AND e.resource_type = ${type}`)}
      ${when(filter.resourceId, (id) => db`AND e.resource_id = ${id}`)}
      ${when(filter.start, (start) => db`AND e.created_at >= ${start}`)}
      ${when(filter.end, (end) => db`AND e.created_at < ${end}`)}
      AND ${isAfter} ORDER BY ${order}`;
  const slice = sliceOf(rows, page, ({ cursor_value: _, cursor_id: __, ...row }) => ({
    ...row,
    created_at: row.created_at.toISOString(),
  }));
  // Actor hosts count ids of their own within a second.
  const direction = page.sort.order === "asc" ? 1 : -1;
  const byTime = (a: EventRecord, b: EventRecord) => direction * a.created_at.localeCompare(b.created_at);
  return { ...slice, rows: slice.rows.toSorted(byTime) };
}
