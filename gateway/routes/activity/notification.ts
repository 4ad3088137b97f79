import { Elysia } from "elysia";
import { readUser } from "../../../actors/accounts/account/queries.ts";
import {
  EVERYBODY,
  listNotifications,
  listPublic,
  type Position,
  readInboxOf,
  readNewest,
  readNotification,
  readSummary,
} from "../../../actors/activity/inbox/queries.ts";
import type { Caller } from "../../../schemas/accounts/auth.ts";
import {
  CreateNotification,
  NOTIFICATIONS_PAGE,
  NotificationReply,
  NotificationSummaryReply,
  NotificationsQuery,
  NotificationsReply,
  POLL_INTERVAL_SECONDS,
  PUBLIC_NOTIFICATIONS_PAGE,
  PublicNotificationsQuery,
  PublicNotificationsReply,
  ReadAllReply,
  ReadReply,
} from "../../../schemas/activity/notification.ts";
import { EmptyReply } from "../../../schemas/envelope.ts";
import { DomainError, ValidationError } from "../../../schemas/errors.ts";
import { IdParams } from "../../../schemas/primitives.ts";
import { NEWEST_FIRST, type SortOrder, sortOf } from "../../../schemas/sorting.ts";
import { admin, firstParty, open, signedIn } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { actorIdFor } from "../../http/actor-id.ts";
import { created, done, errors, ok } from "../../http/envelope.ts";
import { cursorPagination, listPage } from "../../http/paging.ts";
import { readOffsetPage, wholeNumber } from "../../http/query.ts";
import { timeIn } from "../../http/time.ts";

/** Rows before a page; clients read further with `before`. */
const OFFSET_MAX = 10_000;

const notFound = () => new DomainError("NOTIFICATION_NOT_FOUND", "Notification not found");

const readerOf = ({ userId, realmId }: Caller) => ({ userId, realmId });
/** The spec has the form of a cursor of the newest first; a cursor of the other order says so. */
const UPWARDS = "asc:";
const cursorOf = (position: Position | undefined, order: SortOrder = "desc") =>
  position === undefined
    ? null
    : `${order === "asc" ? UPWARDS : ""}${position.at.toISOString()},${position.id}`;

/** The caller's notifications (spec, control plane §4.13). */
export const notificationRoutes = ({ db, actors, credentials, newId }: GatewayContext) => {
  const reading = new Elysia({ prefix: "/api/v1/notifications" })
    .use(signedIn(credentials, "resources.read_account", { realm: true }))
    .get(
      "/",
      async ({ caller, query }) => {
        const read = readFilter(query);
        const { limit } = readOffsetPage({ limit: query.limit }, NOTIFICATIONS_PAGE);
        const { order } = sortOf(NEWEST_FIRST, query.sort);
        const after =
          query.cursor === undefined
            ? positionIn("before", query.before, order)
            : positionIn("cursor", query.cursor, order);
        const page = wholeNumber("page", after === undefined ? query.page : undefined, 1, 1);
        const offset = (page - 1) * limit;
        if (offset > OFFSET_MAX) {
          throw new ValidationError(
            "query.page",
            `reaches back ${OFFSET_MAX} notifications; use \`before\` for older ones`,
          );
        }
        const inbox = await listNotifications(db, readerOf(caller), { limit, offset, order, after, read });
        const { notifications, total, next } = inbox;
        return ok("Notifications", {
          notifications,
          pagination: {
            total,
            page,
            limit,
            totalPages: Math.ceil(total / limit),
            next_cursor: cursorOf(next, order),
          },
        });
      },
      {
        query: NotificationsQuery,
        response: { 200: NotificationsReply },
        detail: {
          summary: "Notifications to you and to all users, newest first",
          description:
            "With `cursor` (or `before`), a page's `next_cursor`, pages neither skip nor repeat notifications that are added meanwhile; `page` is ignored then. " +
            "`total` counts what `unread_only` or `read_only` keeps.",
        },
      },
    )
    .get(
      "/summary",
      async ({ caller }) => {
        const { unread, newest } = await readSummary(db, readerOf(caller));
        return ok("Summary", {
          unread_count: unread,
          newest_position: cursorOf(newest),
          poll_interval_seconds: POLL_INTERVAL_SECONDS,
        });
      },
      {
        response: { 200: NotificationSummaryReply },
        detail: {
          summary: "The number of unread notifications, the position of the newest, and how often to poll",
        },
      },
    );

  const marking = new Elysia({ prefix: "/api/v1/notifications" })
    .use(firstParty(credentials))
    .put(
      "/:id/read",
      async ({ caller, params, operation }) => {
        const notice = await readNotification(db, caller.userId, params.id);
        if (notice === undefined) throw notFound();
        await actors.inbox(caller.userId).read(
          {
            notification_id: params.id,
            created_at: notice.createdAt.toISOString(),
            is_global: notice.isGlobal,
          },
          operation,
        );
        return ok("Notification read", { id: params.id, read: true });
      },
      {
        params: IdParams,
        response: { 200: ReadReply, ...errors("NOTIFICATION_NOT_FOUND", "INBOX_LIMIT") },
        detail: { summary: "Mark a notification as read" },
      },
    )
    .delete(
      "/:id",
      async ({ caller, params, operation }) => {
        if ((await readNotification(db, caller.userId, params.id)) === undefined) throw notFound();
        await actors.inbox(caller.userId).delete({ notification_id: params.id }, operation);
        return done("Notification deleted");
      },
      {
        params: IdParams,
        response: { 200: EmptyReply, ...errors("NOTIFICATION_NOT_FOUND") },
        detail: {
          summary: "Delete a notification",
          description: "A notification to all users is deleted for you alone; others still see it.",
        },
      },
    )
    .put(
      "/read-all",
      async ({ caller, operation }) => {
        const { own, global } = await readNewest(db, caller.userId);
        const upTo = { own_to: own?.toISOString() ?? null, global_to: global?.toISOString() ?? null };
        await actors.inbox(caller.userId).read_all(upTo, operation);
        const { unread } = await readSummary(db, readerOf(caller));
        return ok("All notifications read", { unread_count: unread });
      },
      { response: { 200: ReadAllReply }, detail: { summary: "Mark all notifications as read" } },
    );

  const publicly = new Elysia({ prefix: "/api/v1/notifications" })
    .use(open("the spec makes public notifications readable without a token (control plane §5.1)"))
    .get(
      "/public",
      async ({ query }) => {
        const page = listPage("notifications/public", query, PUBLIC_NOTIFICATIONS_PAGE, NEWEST_FIRST);
        const { rows, next } = await listPublic(db, page);
        return ok("Public notifications", {
          notifications: rows,
          count: rows.length,
          pagination: cursorPagination(page, next),
        });
      },
      {
        query: PublicNotificationsQuery,
        response: { 200: PublicNotificationsReply },
        detail: { summary: "Public notifications, newest first" },
      },
    );

  const operating = new Elysia({ prefix: "/api/v1/admin" })
    .use(admin(credentials))
    .delete(
      "/notifications/:id",
      async ({ caller, params, operation, operator }) => {
        const inbox = await readInboxOf(db, params.id);
        if (inbox === undefined) throw notFound();
        await actors
          .inbox(inbox)
          .delete({ notification_id: params.id, operator }, operation.scopedTo(caller.userId));
        return done("Notification deleted");
      },
      {
        params: IdParams,
        response: { 200: EmptyReply, ...errors("NOTIFICATION_NOT_FOUND") },
        detail: { summary: "Take back a notification, from one user or from all users" },
      },
    )
    .post(
      "/notifications",
      async ({ caller, body, operation, operator }) => {
        const { user_id, title, level = "info", public: isPublic = false } = body;
        if (user_id !== undefined) {
          if (isPublic)
            throw new ValidationError("body.public", "a notification to one user cannot be public");
          if ((await readUser(db, user_id)) === undefined) {
            throw new DomainError("USER_NOT_FOUND", "User not found");
          }
        }
        const id = actorIdFor("notification", caller.userId, operation, newId);
        const { value } = await actors
          .inbox(user_id ?? EVERYBODY)
          .post(
            { id, title, body: body.body, level, public: isPublic, page: null, event: null, operator },
            operation,
          );
        return created("Notification created", value);
      },
      {
        body: CreateNotification,
        response: { 201: NotificationReply, ...errors("USER_NOT_FOUND", "IDEMPOTENCY_KEY_REUSED") },
        detail: { summary: "Send a notification to one user or to all users" },
      },
    );

  return new Elysia({ detail: { tags: ["Notifications"] } })
    .use(publicly)
    .use(marking)
    .use(reading)
    .use(operating);
};

function readFilter(query: { unread_only?: string; read_only?: string }): boolean | undefined {
  const [unread, read] = [query.unread_only === "true", query.read_only === "true"];
  if (unread && read) throw new ValidationError("query.read_only", "must not be combined with unread_only");
  return unread ? false : read ? true : undefined;
}

/** @throws ValidationError naming the field for the cursor of another order */
function positionIn(
  field: "before" | "cursor",
  cursor: string | undefined,
  order: SortOrder,
): Position | undefined {
  if (cursor === undefined) return undefined;
  if (cursor.startsWith(UPWARDS) !== (order === "asc"))
    throw new ValidationError(`query.${field}`, "belongs to this list in another order");
  const [at = "", id = ""] = cursor.replace(UPWARDS, "").split(",");
  return { at: timeIn(`query.${field}`, at), id };
}
