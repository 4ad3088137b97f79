import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { EventTypeSchema, ResourceTypeSchema } from "../events.ts";
import { CursorPagination, cursorQuery, numberedQuery, QueryFlag } from "../paging.ts";
import { Id, IdempotencyKey, Nullable, Strict, Timestamp } from "../primitives.ts";
import { NEWEST_FIRST } from "../sorting.ts";
import { Text } from "../text.ts";

/** Notifications to one user and to everybody (spec, control plane §4.13). */

export const NOTIFICATIONS_PAGE = { standard: 20, max: 100 };
export const PUBLIC_NOTIFICATIONS_PAGE = { standard: 100, max: 100 };
export const PublicNotificationsQuery = Strict(cursorQuery(PUBLIC_NOTIFICATIONS_PAGE, NEWEST_FIRST));
/** How often a client should ask for the summary. */
export const POLL_INTERVAL_SECONDS = 30;
/** Unread notifications are counted up to this number; a larger one is of no use to a reader. */
export const UNREAD_COUNTED_MAX = 10_000;

export const Level = Type.Union([
  Type.Literal("info"),
  Type.Literal("success"),
  Type.Literal("warning"),
  Type.Literal("error"),
]);
export type Level = Static<typeof Level>;

const Title = Text({ minLength: 1, maxLength: 200, pattern: "\\S" });
const Body = Text({ minLength: 1, maxLength: 5_000, pattern: "\\S" });

/** Without `user_id` it is for everybody; `public`: also for people without an account. */
export const CreateNotification = Strict({
  title: Title,
  body: Body,
  level: Type.Optional(Level),
  user_id: Type.Optional(Id),
  public: Type.Optional(Type.Boolean()),
  idempotency_key: Type.Optional(IdempotencyKey),
});

const NOTICE = {
  id: Id,
  title: Type.String(),
  body: Type.String(),
  level: Level,
  created_at: Timestamp,
};
export const PublicNotification = Type.Object(NOTICE);
export type PublicNotification = Static<typeof PublicNotification>;

export const Notification = Type.Object({
  ...NOTICE,
  /** The recipient; null: everybody. */
  user_id: Nullable(Id),
  public: Type.Boolean(),
  event_id: Nullable(Id),
  event_type: Nullable(EventTypeSchema),
  resource_type: Nullable(ResourceTypeSchema),
  resource_id: Nullable(Id),
  realm_id: Nullable(Id),
  page: Nullable(
    Type.String({
      description: "the page of the console that shows what it is about, below the console's address",
      examples: ["/account/second-factor"],
    }),
  ),
});
export type Notification = Static<typeof Notification>;

export const InboxEntry = Type.Composite([Notification, Type.Object({ read: Type.Boolean() })]);
export type InboxEntry = Static<typeof InboxEntry>;

/** `<created_at>,<id>`; with `asc:` before it for the oldest first. */
export const Cursor = Type.String({
  pattern: "^(asc:)?\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z,[0-9a-f]{24}$",
  description: "`next_cursor` of the previous page: `<created_at>,<id>`",
});

export const NotificationsQuery = Strict({
  ...numberedQuery(NOTIFICATIONS_PAGE, NEWEST_FIRST),
  // Parsed only if it is used: together with `before`, any text is accepted and ignored.
  page: Type.Optional(
    Type.String({ description: "a whole number from 1; ignored with `before` or `cursor`, whatever it is" }),
  ),
  unread_only: Type.Optional(QueryFlag),
  read_only: Type.Optional(QueryFlag),
  before: Type.Optional(Cursor),
  cursor: Type.Optional(Cursor),
});

export const NotificationReply = Reply(Notification);
export const NotificationsReply = Reply(
  Type.Object({
    notifications: Type.Array(InboxEntry),
    pagination: Type.Object({
      total: Type.Integer(),
      page: Type.Integer(),
      limit: Type.Integer(),
      totalPages: Type.Integer(),
      next_cursor: Nullable(
        Type.String({ description: "pass it as `cursor` (or `before`); null on the last page" }),
      ),
    }),
  }),
);
export const PublicNotificationsReply = Reply(
  Type.Object({
    notifications: Type.Array(PublicNotification),
    count: Type.Integer(),
    pagination: CursorPagination,
  }),
);
export const NotificationSummaryReply = Reply(
  Type.Object({
    unread_count: Type.Integer({ description: `counted up to ${UNREAD_COUNTED_MAX}` }),
    newest_position: Nullable(Type.String({ description: "`<created_at>,<id>` of the newest notification" })),
    poll_interval_seconds: Type.Integer(),
  }),
);
export const ReadReply = Reply(Type.Object({ id: Id, read: Type.Boolean() }));
export const ReadAllReply = Reply(Type.Object({ unread_count: Type.Integer() }));
