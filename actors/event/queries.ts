import type { EventRecord, EventType, ResourceType } from "../../schemas/events.ts";
import type { Sql } from "../db/sql.ts";

export interface EventFilter {
  readonly limit: number;
  readonly offset: number;
  readonly sortBy: "created_at" | "event_type";
  readonly sortOrder: "asc" | "desc";
  readonly eventType?: string | undefined;
  readonly resourceType?: string | undefined;
  readonly resourceId?: string | undefined;
  readonly projectId?: string | undefined;
  readonly containerId?: string | undefined;
  readonly realmId?: string | undefined;
  /** The realm that the caller's credential is bound to, whatever else is asked for. */
  readonly withinRealm?: string | undefined;
  /** Events at or after it. */
  readonly start?: Date | undefined;
  /** Events before it. */
  readonly end?: Date | undefined;
}

interface EventRow {
  id: string;
  event_type: EventType;
  resource_type: ResourceType;
  resource_id: string | null;
  user_id: string | null;
  project_id: string | null;
  container_id: string | null;
  realm_id: string | null;
  data: Record<string, unknown>;
  created_at: Date;
}

/** A page of a user's log, and how many events the filter meets in all (spec §4.12). */
export async function listEvents(
  db: Sql,
  userId: string,
  filter: EventFilter,
): Promise<{ events: EventRecord[]; total: number }> {
  const when = <T>(value: T | undefined, sql: (value: T) => ReturnType<Sql>) =>
    value === undefined ? db`` : sql(value);
  const where = db`
    WHERE user_id = ${userId}
      ${when(filter.eventType, (type) => db`AND event_type = ${type}`)}
      ${when(filter.resourceType, (type) => db`AND resource_type = ${type}`)}
      ${when(filter.resourceId, (id) => db`AND resource_id = ${id}`)}
      ${when(filter.projectId, (id) => db`AND project_id = ${id}`)}
      ${when(filter.containerId, (id) => db`AND container_id = ${id}`)}
      ${when(filter.realmId, (id) => db`AND realm_id = ${id}`)}
      ${when(filter.withinRealm, (id) => db`AND realm_id = ${id}`)}
      ${when(filter.start, (at) => db`AND created_at >= ${at}`)}
      ${when(filter.end, (at) => db`AND created_at < ${at}`)}`;
  const order = filter.sortOrder === "asc" ? db`ASC` : db`DESC`;
  const by =
    filter.sortBy === "event_type" ? db`event_type ${order}, created_at ${order}` : db`created_at ${order}`;
  const [rows, [count]] = await Promise.all([
    db<EventRow[]>`
      SELECT id, event_type, resource_type, resource_id, user_id, project_id, container_id, realm_id, data, created_at
      FROM events ${where} ORDER BY ${by}, id ${order} LIMIT ${filter.limit} OFFSET ${filter.offset}`,
    db<{ total: number }[]>`SELECT count(*)::int AS total FROM events ${where}`,
  ]);
  return { events: rows.map(toEvent), total: count?.total ?? 0 };
}

/** An event of a user's log; undefined when there is none of this id, or it stands in another's. */
export async function readEvent(db: Sql, userId: string, id: string): Promise<EventRecord | undefined> {
  const [row] = await db<EventRow[]>`
    SELECT id, event_type, resource_type, resource_id, user_id, project_id, container_id, realm_id, data, created_at
    FROM events WHERE id = ${id} AND user_id = ${userId}`;
  return row === undefined ? undefined : toEvent(row);
}

const toEvent = (row: EventRow): EventRecord => ({ ...row, created_at: row.created_at.toISOString() });
