import {
  type InboxEntry,
  type Level,
  type Notification,
  type PublicNotification,
  UNREAD_COUNTED_MAX,
} from "../../../schemas/activity/notification.ts";
import type { EventType, ResourceType } from "../../../schemas/events.ts";
import type { PageOf, Slice } from "../../../schemas/paging.ts";
import type { NEWEST_FIRST, SortOrder } from "../../../schemas/sorting.ts";
import { keyset, type Positioned, sliceOf } from "../../platform/db/keyset/queries.ts";
import type { Sql } from "../../platform/db/sql.ts";

/** The key of the inbox of all users; it is no user's id. */
export const EVERYBODY = "all";

/** The notices of these inboxes that were marked as read one by one. */
export async function readMarks(db: Sql, ids: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await db<{ inbox_id: string; notification_id: string }[]>`
    SELECT m.inbox_id, m.notification_id FROM notification_reads m JOIN inboxes i ON i.id = m.inbox_id
    WHERE m.inbox_id = ANY (${[...ids]}::text[])
      AND m.created_at > least(coalesce(i.own_read_to, '-infinity'), coalesce(i.global_read_to, '-infinity'))`;
  const byInbox = Map.groupBy(rows, (row) => row.inbox_id);
  return new Map([...byInbox].map(([id, marks]) => [id, marks.map((mark) => mark.notification_id)]));
}

/** How many deletions an inbox remembers; for earlier ones the gateway finds no notice any more. */
export const DELETIONS_REMEMBERED_MAX = 100;

/** The last notices that were deleted in these inboxes, oldest first. */
export async function readLastDeletions(db: Sql, ids: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await db<{ inbox_id: string; deleted: string[] }[]>`
    SELECT i.id AS inbox_id, array_agg(d.notification_id ORDER BY d.deleted_at) AS deleted
    FROM inboxes i CROSS JOIN LATERAL (
      SELECT notification_id, deleted_at FROM notification_deletions WHERE inbox_id = i.id
      ORDER BY deleted_at DESC LIMIT ${DELETIONS_REMEMBERED_MAX}) d
    WHERE i.id = ANY (${[...ids]}::text[]) GROUP BY i.id`;
  return new Map(rows.map(({ inbox_id, deleted }) => [inbox_id, deleted]));
}

interface NoticeRow {
  id: string;
  inbox_id: string;
  title: string;
  body: string;
  level: Level;
  public: boolean;
  event_id: string | null;
  event_type: EventType | null;
  resource_type: ResourceType | null;
  resource_id: string | null;
  realm_id: string | null;
  page: string | null;
  created_at: Date;
  read: boolean;
}

function toNotification({ inbox_id, read: _read, ...row }: NoticeRow): Notification {
  return {
    ...row,
    user_id: inbox_id === EVERYBODY ? null : inbox_id,
    created_at: row.created_at.toISOString(),
  };
}

/** The reader of an inbox. A credential that is bound to a realm sees the realm's notices, and those to all users. */
export interface Reader {
  readonly userId: string;
  readonly realmId?: string | undefined;
}

export interface Position {
  readonly at: Date;
  readonly id: string;
}

export interface InboxPage {
  readonly limit: number;
  readonly offset: number;
  /** By the time of the notices: `desc`, the newest first. */
  readonly order: SortOrder;
  /** Only notices after this position in the list. */
  readonly after: Position | undefined;
  /** Undefined: both read and unread. */
  readonly read: boolean | undefined;
}

const visible = (db: Sql, { userId, realmId }: Reader, inbox: string) =>
  inbox === userId && realmId !== undefined
    ? db`n.inbox_id = ${inbox} AND n.realm_id = ${realmId}`
    : db`n.inbox_id = ${inbox}`;

/** Whether a user has not deleted a notice `n`; what is deleted in its own inbox is not there at all. */
const isKept = (db: Sql, userId: string) => db`
  NOT EXISTS (SELECT FROM notification_deletions d WHERE d.inbox_id = ${userId} AND d.notification_id = n.id)`;

/** Whether a notice `n` is read, according to its reader's inbox `i`. */
const isRead = (db: Sql, userId: string, inbox: string) => db`(
  coalesce(n.created_at <= ${inbox === EVERYBODY ? db`i.global_read_to` : db`i.own_read_to`}, false)
  OR EXISTS (SELECT FROM notification_reads m WHERE m.inbox_id = ${userId} AND m.notification_id = n.id))`;

/** No page, but all notices. */
const WHOLE = { after: undefined, order: "desc" } as const;

/** The notices of one inbox that its reader may see. */
const noticesOf = (
  db: Sql,
  reader: Reader,
  inbox: string,
  { read, after, order }: Pick<InboxPage, "read" | "after" | "order">,
) => db`
  FROM notifications n LEFT JOIN inboxes i ON i.id = ${reader.userId}
  WHERE ${visible(db, reader, inbox)} AND ${isKept(db, reader.userId)}
    ${after === undefined ? db`` : db`AND (n.created_at, n.id) ${order === "asc" ? db`>` : db`<`} (${after.at}, ${after.id})`}
    ${read === undefined ? db`` : db`AND ${isRead(db, reader.userId, inbox)} = ${read}`}`;

/** A page of a user's notices, and how many the filter matches in all (spec §4.13). */
export async function listNotifications(
  db: Sql,
  reader: Reader,
  page: InboxPage,
): Promise<{ notifications: InboxEntry[]; total: number; next: Position | undefined }> {
  const direction = page.order === "asc" ? db`ASC` : db`DESC`;
  const most = page.offset + page.limit + 1;
  const part = (inbox: string) => db`(
    SELECT n.*, ${isRead(db, reader.userId, inbox)} AS read ${noticesOf(db, reader, inbox, page)}
    ORDER BY n.created_at ${direction}, n.id ${direction} LIMIT ${most})`;
  const all = { read: page.read, ...WHOLE };
  const [rows, [count]] = await Promise.all([
    db<NoticeRow[]>`
      SELECT * FROM (${part(reader.userId)} UNION ALL ${part(EVERYBODY)}) both_inboxes
      ORDER BY created_at ${direction}, id ${direction} LIMIT ${page.limit + 1} OFFSET ${page.offset}`,
    db<{ total: bigint }[]>`
      SELECT (SELECT count(*) ${noticesOf(db, reader, reader.userId, all)})
        + (SELECT count(*) ${noticesOf(db, reader, EVERYBODY, all)}) AS total`,
  ]);
  const shown = rows.slice(0, page.limit);
  const last = shown.at(-1);
  return {
    notifications: shown.map((row) => ({ ...toNotification(row), read: row.read })),
    total: Number(count?.total ?? 0n),
    next: rows.length > page.limit && last !== undefined ? { at: last.created_at, id: last.id } : undefined,
  };
}

/** A page of the public notices, newest first. */
export async function listPublic(
  db: Sql,
  page: PageOf<typeof NEWEST_FIRST>,
): Promise<Slice<PublicNotification>> {
  const { position, isAfter, order } = keyset(db, page, { created_at: db`created_at` }, db`id`);
  const rows = await db<Positioned<NoticeRow>[]>`
    SELECT id, title, body, level, created_at, ${position} FROM notifications
    WHERE public AND ${isAfter} ORDER BY ${order}`;
  return sliceOf(rows, page, ({ id, title, body, level, created_at }) => ({
    id,
    title,
    body,
    level,
    created_at: created_at.toISOString(),
  }));
}

export interface InboxSummary {
  readonly unread: number;
  readonly newest: Position | undefined;
}

/** The number of unread notices and the position of the newest, without marking any as read. */
export async function readSummary(db: Sql, reader: Reader): Promise<InboxSummary> {
  const unread = (inbox: string) => db`(
    SELECT 1 ${noticesOf(db, reader, inbox, { read: false, ...WHOLE })} LIMIT ${UNREAD_COUNTED_MAX})`;
  const newest = (inbox: string) => db`(
    SELECT n.created_at, n.id ${noticesOf(db, reader, inbox, { read: undefined, ...WHOLE })}
    ORDER BY n.created_at DESC, n.id DESC LIMIT 1)`;
  const [[count], [first]] = await Promise.all([
    db<{ n: number }[]>`
      SELECT least(count(*), ${UNREAD_COUNTED_MAX})::int AS n
      FROM (${unread(reader.userId)} UNION ALL ${unread(EVERYBODY)}) both_inboxes`,
    db<{ created_at: Date; id: string }[]>`
      SELECT * FROM (${newest(reader.userId)} UNION ALL ${newest(EVERYBODY)}) both_inboxes
      ORDER BY created_at DESC, id DESC LIMIT 1`,
  ]);
  return {
    unread: count?.n ?? 0,
    newest: first === undefined ? undefined : { at: first.created_at, id: first.id },
  };
}

/** A notice that a user may see; undefined if there is none with this id. */
export async function readNotification(
  db: Sql,
  userId: string,
  id: string,
): Promise<{ isGlobal: boolean; createdAt: Date } | undefined> {
  const [row] = await db<{ inbox_id: string; created_at: Date }[]>`
    SELECT inbox_id, created_at FROM notifications n
    WHERE id = ${id} AND inbox_id = ANY (ARRAY[${userId}, ${EVERYBODY}]::text[]) AND ${isKept(db, userId)}`;
  return row === undefined ? undefined : { isGlobal: row.inbox_id === EVERYBODY, createdAt: row.created_at };
}

/** The inbox that a notice is in: a user's id, or `all`; undefined if there is none with this id. */
export async function readInboxOf(db: Sql, id: string): Promise<string | undefined> {
  const [row] = await db<{ inbox_id: string }[]>`SELECT inbox_id FROM notifications WHERE id = ${id}`;
  return row?.inbox_id;
}

/** The times of the newest of a user's own notices and of those to all users. */
export async function readNewest(
  db: Sql,
  userId: string,
): Promise<{ own: Date | undefined; global: Date | undefined }> {
  const [row] = await db<{ own: Date | null; global: Date | null }[]>`
    SELECT (SELECT max(created_at) FROM notifications WHERE inbox_id = ${userId}) AS own,
      (SELECT max(created_at) FROM notifications WHERE inbox_id = ${EVERYBODY}) AS global`;
  return { own: row?.own ?? undefined, global: row?.global ?? undefined };
}

/** Deletes at most so many notices from before a time, the oldest first. Returns how many. */
export async function deleteOldNotifications(db: Sql, before: Date, rowsMax: number): Promise<number> {
  const { count } = await db`
    DELETE FROM notifications WHERE id IN (
      SELECT id FROM notifications WHERE created_at < ${before} ORDER BY created_at LIMIT ${rowsMax})`;
  return count;
}

/** Forgets who deleted notices before a time: those were older still, and are gone. Returns how many rows. */
export async function deleteOldDeletions(db: Sql, before: Date, rowsMax: number): Promise<number> {
  const { count } = await db`
    DELETE FROM notification_deletions WHERE (inbox_id, notification_id) IN (
      SELECT inbox_id, notification_id FROM notification_deletions
      WHERE deleted_at < ${before} ORDER BY deleted_at LIMIT ${rowsMax})`;
  return count;
}
