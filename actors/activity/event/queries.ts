import type { EventRecord, EventType, ResourceType } from "../../../schemas/events.ts";
import type { Sql } from "../../platform/db/sql.ts";
import {
  type Erasure,
  type EventFilter,
  type LogState,
  type Range,
  type Scope,
  scopeOf,
  typesOf,
} from "./filter.ts";
import { type Counts, conditions, countByDay, countByType, within } from "./matching/queries.ts";
import { notErased, readAudiences, sharedRows } from "./shared/queries.ts";

export type { EventFilter } from "./filter.ts";

/** The key of the log actor of all users; it is no user's id. */
export const ALL_LOGS = "all";

export interface EventPage extends EventFilter {
  readonly limit: number;
  readonly offset: number;
  readonly sortBy: "created_at" | "event_type";
  readonly sortOrder: "asc" | "desc";
  /** Only events after this one in the list; the offset is ignored then. */
  readonly after?: EventPosition | undefined;
}

/** The position of an event in the log, for both sort orders. */
export interface EventPosition {
  readonly type: string;
  readonly at: Date;
  readonly id: string;
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

const toEvent = (row: EventRow): EventRecord => ({ ...row, created_at: row.created_at.toISOString() });
const columns = (db: Sql) =>
  db`id, event_type, resource_type, resource_id, user_id, project_id, container_id, realm_id, data, created_at`;

/** Up to this many rows are skipped by reading them; more are skipped by their counts, a day or a type at a time. */
const SKIPPED_MAX = 500;

async function readLogState(db: Sql, userId: string): Promise<LogState> {
  const [[state], erasures] = await Promise.all([
    db<{ kept_since: Date | null; counted_until: Date }[]>`
      SELECT (SELECT kept_since FROM event_logs WHERE id = ${ALL_LOGS}) AS kept_since, day AS counted_until
      FROM event_counts_until`,
    db<Erasure[]>`SELECT * FROM event_erasures WHERE user_id = ${userId}`,
  ]);
  return {
    keptSince: state?.kept_since ?? undefined,
    countedUntil: state?.counted_until ?? new Date(0),
    erasures,
  };
}

/** What a filter means of all that a user may read: the own log, and what others' logs share. */
async function readableScope(db: Sql, userId: string, filter: EventFilter): Promise<Scope> {
  const [log, audiences] = await Promise.all([readLogState(db, userId), readAudiences(db, userId)]);
  return scopeOf(userId, filter, log, audiences);
}

/** A page of a user's log, and how many events the filter matches in all (spec §4.12). */
export async function listEvents(
  db: Sql,
  userId: string,
  page: EventPage,
): Promise<{ events: EventRecord[]; total: number; capped: boolean; next: EventPosition | undefined }> {
  const scope = await readableScope(db, userId, page);
  // One more row shows whether there is a next page.
  const wanted = { ...page, limit: page.limit + 1, offset: page.after === undefined ? page.offset : 0 };
  const { events, total, capped } =
    page.sortBy === "event_type" ? await byType(db, scope, wanted) : await byTime(db, scope, wanted);
  const shown = events.slice(0, page.limit);
  const last = shown.at(-1);
  return {
    events: shown,
    total,
    capped,
    next:
      events.length > page.limit && last !== undefined
        ? { type: last.event_type, at: new Date(last.created_at), id: last.id }
        : undefined,
  };
}

async function byTime(db: Sql, scope: Scope, page: EventPage) {
  const counts = await countByDay(db, scope);
  const { total, capped } = counts;
  if (page.after === undefined && page.offset >= total) return { events: [], total, capped };
  return { events: await readRows(db, scope, page, placeOf(counts, page)), total, capped };
}

/** Reads a page that is sorted by type: the counts show which types the page lies in. */
async function byType(db: Sql, scope: Scope, page: EventPage) {
  const { groups, total, capped } = await countByType(db, scope);
  const direction = page.sortOrder === "asc" ? 1 : -1;
  const { after } = page;
  const sorted = groups
    .toSorted((a, b) => (a.key < b.key ? -direction : direction))
    .filter(({ key }) => after === undefined || key === after.type || key < after.type === direction < 0);
  const events: EventRecord[] = [];
  let { offset } = page;
  for (const { key, n } of sorted) {
    const limit = page.limit - events.length;
    if (limit <= 0) break;
    if (offset >= n) {
      offset -= n;
      continue;
    }
    const ofType = { ...scope, types: [key] };
    const part = { ...page, offset, limit, after: key === after?.type ? after : undefined };
    const place = offset <= SKIPPED_MAX ? { range: {}, offset } : placeOf(await countByDay(db, ofType), part);
    events.push(...(await readRows(db, ofType, part, place)));
    offset = 0;
  }
  return { events, total, capped };
}

interface Place {
  /** The range in which the page begins. */
  readonly range: Partial<Range>;
  /** Rows to skip from the start of the range. */
  readonly offset: number;
}

function placeOf(
  { groups }: Counts<Date>,
  { offset, sortOrder }: Pick<EventPage, "offset" | "sortOrder">,
): Place {
  if (offset <= SKIPPED_MAX) return { range: {}, offset };
  const isAscending = sortOrder === "asc";
  const days = groups.toSorted((a, b) => (isAscending ? 1 : -1) * (a.key.getTime() - b.key.getTime()));
  let left = offset;
  for (const { key, n } of days) {
    if (left < n) {
      const next = new Date(key.getTime() + 24 * 60 * 60 * 1000);
      return { range: isAscending ? { from: key } : { to: next }, offset: left };
    }
    left -= n;
  }
  return { range: {}, offset };
}

/** Reads rows in order of time. Each type is read by its own index, since no index orders several types by time. */
async function readRows(
  db: Sql,
  scope: Scope,
  { limit, sortOrder, after }: Pick<EventPage, "limit" | "sortOrder" | "after">,
  { range, offset }: Place,
): Promise<EventRecord[]> {
  const order = sortOrder === "asc" ? db`ASC` : db`DESC`;
  const later = (a: Date | undefined, b: Date | undefined) =>
    a === undefined || (b !== undefined && b > a) ? b : a;
  const sooner = (a: Date | undefined, b: Date | undefined) =>
    a === undefined || (b !== undefined && b < a) ? b : a;
  const span = within(db, { from: later(scope.start, range.from), to: sooner(scope.end, range.to) });
  const { types } = scope;
  const isAfter = after === undefined ? db`` : isAfterEvent(db, after, sortOrder);
  const sorted = db`ORDER BY created_at ${order}, id ${order}`;
  const own =
    types === undefined || types.length === 1
      ? db`
          SELECT ${columns(db)} FROM events
          WHERE ${conditions(db, scope)} ${types === undefined ? db`` : db`AND event_type = ${types[0] ?? ""}`} ${span} ${isAfter}
          ${sorted} LIMIT ${limit + offset}`
      : db`
          SELECT found.* FROM unnest(${[...types]}::text[]) AS wanted (type) CROSS JOIN LATERAL (
            SELECT ${columns(db)} FROM events WHERE ${conditions(db, scope)} AND event_type = wanted.type ${span} ${isAfter}
            ${sorted} LIMIT ${limit + offset}) found`;
  const sharedSpan = db`
    ${range.from === undefined ? db`` : db`AND a.event_at >= ${range.from}`}
    ${range.to === undefined ? db`` : db`AND a.event_at < ${range.to}`}`;
  const where = db`${sharedSpan} ${after === undefined ? db`` : isAfterShared(db, after, sortOrder)}`;
  const shared = { columns: sharedColumns(db), where, order, limit: limit + offset };
  const rows = await db<EventRow[]>`
    SELECT * FROM (
      (${own}) ${scope.audiences.length === 0 ? db`` : db`UNION ALL (${sharedRows(db, scope, shared)})`}) readable
    ${sorted} LIMIT ${limit} OFFSET ${offset}`;
  return rows.map(toEvent);
}

const sharedColumns = (db: Sql) =>
  db`e.id, e.event_type, e.resource_type, e.resource_id, e.user_id, e.project_id, e.container_id, e.realm_id, e.data, e.created_at`;

// The separate condition on the time lets PostgreSQL skip partitions.
const isAfterEvent = (db: Sql, { at, id }: EventPosition, sortOrder: EventPage["sortOrder"]) =>
  sortOrder === "asc"
    ? db`AND created_at >= ${at} AND (created_at, id) > (${at}, ${id})`
    : db`AND created_at <= ${at} AND (created_at, id) < (${at}, ${id})`;

const isAfterShared = (db: Sql, { at, id }: EventPosition, sortOrder: EventPage["sortOrder"]) =>
  sortOrder === "asc"
    ? db`AND (a.event_at, a.event_id) > (${at}, ${id})`
    : db`AND (a.event_at, a.event_id) < (${at}, ${id})`;

/** An event that a user may read; undefined if there is none with this id, or it is deleted. */
export async function readEvent(db: Sql, userId: string, id: string): Promise<EventRecord | undefined> {
  const scope = await readableScope(db, userId, {});
  const part = { columns: sharedColumns(db), where: db`AND a.event_id = ${id}`, order: db`DESC`, limit: 1 };
  const [row] = await db<EventRow[]>`
    (SELECT ${columns(db)} FROM events
     WHERE id = ${id} AND ${conditions(db, scope)} ${within(db, { from: scope.start, to: undefined })})
    ${scope.audiences.length === 0 ? db`` : db`UNION ALL (${sharedRows(db, scope, part)})`}`;
  return row === undefined ? undefined : toEvent(row);
}

export interface EventStats {
  readonly total: number;
  readonly byType: ReadonlyMap<string, number>;
  readonly oldest: Date | undefined;
  readonly newest: Date | undefined;
}

/** Counts of a range by type, with the times of its first and last event. */
export async function readEventStats(db: Sql, userId: string, filter: EventFilter): Promise<EventStats> {
  const scope = await readableScope(db, userId, filter);
  const edge = async (sortOrder: "asc" | "desc") => {
    if (scope.types?.length === 0) return undefined;
    const [row] = await readRows(db, scope, { limit: 1, sortOrder }, { range: {}, offset: 0 });
    return row === undefined ? undefined : new Date(row.created_at);
  };
  const [{ groups, total }, oldest, newest] = await Promise.all([
    countByType(db, scope),
    edge("asc"),
    edge("desc"),
  ]);
  return { total, byType: new Map(groups.map(({ key, n }) => [key, n])), oldest, newest };
}

/** How many events of the own log a filter matches; for a resource or a container, at most the newest 10,000. */
export async function countEvents(db: Sql, userId: string, filter: EventFilter): Promise<number> {
  return (await countByType(db, scopeOf(userId, filter, await readLogState(db, userId)))).total;
}

/** How many events before a time are in some user's log. */
export async function countOldEvents(db: Sql, before: Date): Promise<number> {
  const [row] = await db<{ n: bigint }[]>`
    WITH bounds AS (
      SELECT least(until.day, date_trunc('day', ${before}::timestamptz, 'UTC')) AS counted,
        (SELECT kept_since FROM event_logs WHERE id = ${ALL_LOGS}) AS kept_since
      FROM event_counts_until until
    )
    SELECT (
      (SELECT coalesce(sum(n), 0) FROM event_counts, bounds WHERE day < counted AND (kept_since IS NULL OR day >= kept_since))
      + (SELECT count(*) FROM events, bounds WHERE created_at >= counted AND created_at < ${before}
          AND (kept_since IS NULL OR created_at >= kept_since) AND user_id IS NOT NULL)
    )::bigint AS n`;
  return Number(row?.n ?? 0n);
}

/** Events of a user after one of theirs, oldest first; undefined when there is no such event. */
export async function readEventsAfter(
  db: Sql,
  userId: string,
  id: string,
  overlapMs: number,
  limit: number,
): Promise<EventRecord[] | undefined> {
  const last = await readEvent(db, userId, id);
  if (last === undefined) return undefined;
  const scope = await readableScope(db, userId, {});
  const from = new Date(Date.parse(last.created_at) - overlapMs);
  const rows = await readRows(db, scope, { limit, sortOrder: "asc" }, { range: { from }, offset: 0 });
  return rows.filter((event) => event.id !== id);
}

/** The events among these that the user has not deleted. */
export async function withoutDeleted(
  db: Sql,
  userId: string,
  events: readonly EventRecord[],
): Promise<EventRecord[]> {
  if (events.length === 0) return [];
  const scope = scopeOf(userId, {}, await readLogState(db, userId));
  const ids = events.map(({ id }) => id);
  const times = events.map(({ created_at }) => created_at);
  const rows = await db<{ id: string }[]>`
    SELECT id FROM events
    WHERE (id, created_at) IN (SELECT * FROM unnest(${ids}::text[], ${times}::text[]::timestamptz[]))
      AND ${conditions(db, scope)} ${within(db, { from: scope.start, to: undefined })}
    UNION ALL
    SELECT e.id FROM events e
    WHERE (e.id, e.created_at) IN (SELECT * FROM unnest(${ids}::text[], ${times}::text[]::timestamptz[]))
      AND e.user_id IS DISTINCT FROM ${userId} AND ${notErased(db)}
      ${scope.start === undefined ? db`` : db`AND e.created_at >= ${scope.start}`}`;
  const left = new Set(rows.map(({ id }) => id));
  return events.filter(({ id }) => left.has(id));
}

export interface PendingErasure {
  readonly id: string;
  readonly userId: string;
  /** The event types that it covers; undefined: all. */
  readonly types: readonly string[] | undefined;
}

/** Whether any of `readErasures` is there. */
export const hasErasures = (db: Sql) => db`EXISTS (SELECT FROM event_erasures)`;

/** Erasures whose rows still exist, oldest first; at most 100. */
export async function readErasures(db: Sql): Promise<PendingErasure[]> {
  const rows = await db<(Erasure & { id: string; user_id: string })[]>`
    SELECT * FROM event_erasures ORDER BY created_at LIMIT 100`;
  return rows.map(({ id, user_id, event_type, resource_type }) => ({
    id,
    userId: user_id,
    types: typesOf({ eventType: event_type ?? undefined, resourceType: resource_type ?? undefined }),
  }));
}

/** The start of the retention period; undefined: events are kept forever. */
export async function readRetentionStart(db: Sql): Promise<Date | undefined> {
  const [all] = await db<{ kept_since: Date | null }[]>`
    SELECT kept_since FROM event_logs WHERE id = ${ALL_LOGS}`;
  return all?.kept_since ?? undefined;
}

/** Deletes at most `limit` rows of an erasure; returns how many it deleted. */
export async function deleteErasedEvents(
  db: Sql,
  { id, types }: PendingErasure,
  limit: number,
): Promise<number> {
  const [row] = await db<
    { deleted: bigint }[]
  >`SELECT delete_erased_events(${id}, ${types === undefined ? null : [...types]}::text[], ${limit}) AS deleted`;
  return Number(row?.deleted ?? 0n);
}

/** True when there may be more. */
export async function deleteExpiredEvents(db: Sql, since: Date, limit: number): Promise<boolean> {
  const [row] = await db<{ more: boolean }[]>`SELECT delete_expired_events(${since}, ${limit}) AS more`;
  return row?.more ?? false;
}

/** Counts the next day; false when no uncounted day has ended. */
export async function countDay(db: Sql, until: Date): Promise<boolean> {
  const [row] = await db<{ counted: boolean }[]>`SELECT count_event_day(${until}) AS counted`;
  return row?.counted ?? false;
}

export async function createPartition(db: Sql, month: Date): Promise<void> {
  await db`SELECT make_event_partition(${month})`;
}
