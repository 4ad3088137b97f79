import { Type } from "@sinclair/typebox";
import { Level, Notification } from "../../../schemas/activity/notification.ts";
import { EVERYBODY_AUDIENCE } from "../../../schemas/audiences.ts";
import { DomainError } from "../../../schemas/errors.ts";
import { type EventType, EventTypeSchema, ResourceTypeSchema } from "../../../schemas/events.ts";
import { Id, Nullable, Strict, Timestamp } from "../../../schemas/primitives.ts";
import { operatorCommand } from "../../platform/operator-command.ts";
import { recordPrivilegedAct } from "../../platform/record-audit.ts";
import { recordEvent } from "../../platform/record-event.ts";
import { requestMail } from "../../platform/request-mail.ts";
import { actor, type Context, command } from "../../runtime/definition.ts";
import { MAILED_EVENTS } from "./curation.ts";
import { pageOf } from "./pages.ts";
import { DELETIONS_REMEMBERED_MAX, EVERYBODY } from "./queries.ts";
import { type InboxRecord, inboxTable } from "./table.ts";

/** Marks of single notices, which are in memory with the inbox. A user at the limit can mark all as read. */
const MARKS_MAX = 10_000;

type Ctx = Context<InboxRecord>;

const PostInput = Strict({
  id: Id,
  title: Type.String(),
  body: Type.String(),
  level: Level,
  public: Type.Boolean(),
  /** The page of the console that shows what it is about; null: none, or the event's. */
  page: Nullable(Type.String()),
  /** The event that it reports; null for a notice from an operator, and of a change that no event tells of. */
  event: Nullable(
    Strict({
      id: Id,
      event_type: EventTypeSchema,
      resource_type: ResourceTypeSchema,
      resource_id: Nullable(Id),
      realm_id: Nullable(Id),
    }),
  ),
});
const ReadInput = Strict({ notification_id: Id, created_at: Timestamp, is_global: Type.Boolean() });
const ReadAllInput = Strict({ own_to: Nullable(Timestamp), global_to: Nullable(Timestamp) });
const Done = Type.Object({});

/** A user's notices and which of them are read. Keyed by user, or `all` for notices to all users. */
export const inboxActor = actor("inbox", {
  table: inboxTable,
  empty: (): InboxRecord => ({
    ownReadTo: null,
    globalReadTo: null,
    lastAt: null,
    marks: new Set(),
    deleted: [],
  }),
  conflicts: {
    notifications_id: {
      code: "IDEMPOTENCY_KEY_REUSED",
      message: "this idempotency key was used for a notice to somebody else",
    },
    // Deleted before, or meanwhile.
    notification_deletions_once: { code: "NOTIFICATION_NOT_FOUND", message: "Notification not found" },
    notification_reads_notification: { code: "NOTIFICATION_NOT_FOUND", message: "Notification not found" },
  },
  on: {
    post: operatorCommand(PostInput, Notification, (inbox: InboxRecord, input, ctx: Ctx, operator) => {
      const { id, title, body, level, event } = input;
      // Each notice is later than the last, even if a clock is behind: so a mark "read up to this time" never covers
      // a later notice.
      const at = new Date(Math.max(ctx.now.getTime(), (inbox.lastAt?.getTime() ?? 0) + 1));
      ctx.setState({ ...inbox, lastAt: at });
      const notice = {
        id,
        title,
        body,
        level,
        public: input.public,
        event_id: event?.id ?? null,
        event_type: event?.event_type ?? null,
        resource_type: event?.resource_type ?? null,
        resource_id: event?.resource_id ?? null,
        realm_id: event?.realm_id ?? null,
        page: input.page ?? (event === null ? null : (pageOf(event) ?? null)),
      };
      ctx.insert("notifications", { ...notice, inbox_id: ctx.actorId, created_at: at });
      const userId = ctx.actorId === EVERYBODY ? null : ctx.actorId;
      const topic = event === null ? undefined : MAILED_EVENTS[event.event_type];
      if (userId !== null && topic !== undefined) {
        const page = notice.page === null ? {} : { page: notice.page };
        requestMail(ctx, { kind: "notice", user_id: userId, topic, title, body, ...page });
      }
      // A notice of an event adds no event: the log has one already.
      if (event === null)
        noticeEvent(ctx, "notification.created", id, userId, { title, level }, operator?.id);
      recordPrivilegedAct(ctx, operator, {
        act: "notification_sent",
        userId: userId ?? undefined,
        resourceId: id,
        data: { title, level, public: input.public },
      });
      return { ...notice, user_id: userId, created_at: at.toISOString() };
    }),

    /** Marks a notice as read. The gateway has checked that the user may see it. */
    read: command(ReadInput, Done, (inbox: InboxRecord, input, ctx: Ctx) => {
      const { notification_id, is_global } = input;
      const createdAt = new Date(input.created_at);
      const readTo = is_global ? inbox.globalReadTo : inbox.ownReadTo;
      if ((readTo !== null && createdAt <= readTo) || inbox.marks.has(notification_id)) return {};
      if (inbox.marks.size >= MARKS_MAX) {
        throw new DomainError("INBOX_LIMIT", "So many were read one by one: mark all as read");
      }
      ctx.setState({ ...inbox, marks: new Set(inbox.marks).add(notification_id) });
      ctx.insert("notification_reads", {
        inbox_id: ctx.actorId,
        notification_id,
        created_at: createdAt,
        read_at: ctx.now,
      });
      noticeEvent(ctx, "notification.read", notification_id, ctx.actorId, {});
      return {};
    }),

    /**
     * Deletes a notice of this inbox; in a user's, a notice to all users disappears for this user. The gateway has checked that the notice
     * is there.
     */
    delete: operatorCommand(
      Strict({ notification_id: Id }),
      Done,
      (inbox: InboxRecord, { notification_id }, ctx: Ctx, operator) => {
        if (inbox.deleted.includes(notification_id))
          throw new DomainError("NOTIFICATION_NOT_FOUND", "Notification not found");
        const marks = new Set(inbox.marks);
        marks.delete(notification_id);
        const deleted = [...inbox.deleted, notification_id].slice(-DELETIONS_REMEMBERED_MAX);
        ctx.setState({ ...inbox, marks, deleted });
        ctx.insert("notification_deletions", {
          inbox_id: ctx.actorId,
          notification_id,
          deleted_at: ctx.now,
        });
        const userId = ctx.actorId === EVERYBODY ? null : ctx.actorId;
        noticeEvent(ctx, "notification.deleted", notification_id, userId, {}, operator?.id);
        recordPrivilegedAct(ctx, operator, {
          act: "notification_deleted",
          userId: userId ?? undefined,
          resourceId: notification_id,
        });
        return {};
      },
    ),

    /** Marks every notice up to the time of the request as read. */
    read_all: command(
      ReadAllInput,
      Done,
      (inbox: InboxRecord, input, ctx: Ctx) => {
        const ownReadTo = later(inbox.ownReadTo, input.own_to);
        const globalReadTo = later(inbox.globalReadTo, input.global_to);
        if (ownReadTo === inbox.ownReadTo && globalReadTo === inbox.globalReadTo) return {};
        ctx.setState({ ...inbox, ownReadTo, globalReadTo });
        noticeEvent(ctx, "notification.read_all", null, ctx.actorId, {});
        return {};
      },
      // The times are no part of the request.
      { fingerprint: () => "" },
    ),
  },
});

/** Marks only move forward: of two concurrent ones the later counts. */
function later(before: Date | null, asked: string | null): Date | null {
  if (asked === null) return before;
  const at = new Date(asked);
  return before !== null && before >= at ? before : at;
}

function noticeEvent(
  ctx: Ctx,
  event_type: Extract<EventType, `notification.${string}`>,
  resource_id: string | null,
  user_id: string | null,
  data: Record<string, unknown>,
  by?: string,
): void {
  const audience = user_id === null ? EVERYBODY_AUDIENCE : undefined;
  recordEvent(ctx, { event_type, resource_id, user_id, by, data, audience });
}
