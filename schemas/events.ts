import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "./envelope.ts";
import { CursorPagination, cursorQuery, NextCursor, offsetQuery } from "./paging.ts";
import { Id, Nullable, OneOf, Strict, Timestamp } from "./primitives.ts";
import { sortByQuery, sorting } from "./sorting.ts";

/** The append-only log of what happened (spec, control plane §2 "Event and notification", §4.12, §6). */

/** Resource types of the spec, each with the actions that make up its event types: 71 in all. */
const EVENT_ACTIONS = {
  container: [
    "created",
    "starting",
    "running",
    "stopping",
    "stopped",
    "restarting",
    "restarted",
    "recovered",
    "error",
    "deleted",
    "terminal_opened",
  ],
  storage_share: ["created", "updated", "mounted", "unmounted", "deleted"],
  notification: ["created", "read", "read_all", "deleted"],
  project: ["created", "updated", "deleted"],
  server: [
    "added",
    "updated",
    "removed",
    "reserved",
    "delivered",
    "rented",
    "extended",
    "expired",
    "released",
    "price_changed",
  ],
  firewall: [
    "attached",
    "rule_added",
    "rule_enabled",
    "rule_disabled",
    "rule_removed",
    "reset",
    "applied",
    "apply_failed",
  ],
  proxy_alias: ["created", "updated", "enabled", "disabled", "expired", "deleted"],
  proxy_permissions: ["granted", "revoked"],
  auth_token: ["created", "revoked", "expired"],
  pool: [
    "created",
    "updated",
    "deleted",
    "member_invited",
    "member_joined",
    "member_declined",
    "member_role_changed",
    "member_removed",
  ],
  user: [
    "signed_up",
    "logged_in",
    "logged_out",
    "login_failed",
    "session_revoked",
    "balance_credited",
    "credit_transferred",
  ],
  activity_log: ["payment_settled", "invoice_issued", "image_imported", "image_purchased"],
} as const;

/**
 * The reason in a `user.session_revoked` for a used refresh token that was presented again: the token may have been
 * stolen.
 */
export const REFRESH_TOKEN_REUSED = "refresh token reused";

export type ResourceType = keyof typeof EVENT_ACTIONS;
export type EventType = { [R in ResourceType]: `${R}.${(typeof EVENT_ACTIONS)[R][number]}` }[ResourceType];

export const RESOURCE_TYPES = Object.keys(EVENT_ACTIONS) as ResourceType[];
export const EVENT_TYPES = Object.entries(EVENT_ACTIONS).flatMap(([resource, actions]) =>
  actions.map((action) => `${resource}.${action}` as EventType),
);

export const ResourceTypeSchema = OneOf(RESOURCE_TYPES);
export const EventTypeSchema = OneOf(EVENT_TYPES);

export const EventRecord = Type.Object({
  id: Id,
  event_type: EventTypeSchema,
  resource_type: ResourceTypeSchema,
  resource_id: Nullable(Id),
  user_id: Nullable(Id),
  project_id: Nullable(Id),
  container_id: Nullable(Id),
  realm_id: Nullable(Id),
  data: Type.Record(Type.String(), Type.Unknown()),
  created_at: Timestamp,
});
export type EventRecord = Static<typeof EventRecord>;

/**
 * A message of the stream of events. Types of events and of resources may be any text, because the reader may be an
 * older version than the writer.
 */
export const CommittedEvents = Type.Unsafe<CommittedEvent[]>(
  Type.Array(
    Type.Object({
      id: Id,
      event_type: Type.String(),
      resource_type: Type.String(),
      resource_id: Nullable(Type.String()),
      user_id: Nullable(Type.String()),
      project_id: Nullable(Type.String()),
      container_id: Nullable(Type.String()),
      realm_id: Nullable(Type.String()),
      data: Type.Record(Type.String(), Type.Unknown()),
      created_at: Type.String(),
      audience: Type.Optional(Type.String()),
    }),
  ),
);
/** An event with its place in the log of its partition, and with its audience where others may read it too. */
export type CommittedEvent = EventRecord & { partition: number; seq: number; audience?: string };
/** The longest message of the stream, in characters. */
export const EVENTS_LENGTH_MAX = 4 * 1024 * 1024;

export const EVENTS_PAGE = { standard: 100, max: 500 };

/** A cursor holds both the type and the time of an event, as text. */
export const EVENTS_SORT = sorting("-created_at", { created_at: "text", event_type: "text" });

/** Query of `GET /api/v1/events`. */
export const EventsQuery = Strict({
  ...offsetQuery(EVENTS_PAGE, EVENTS_SORT),
  ...sortByQuery(EVENTS_SORT),
  event_type: Type.Optional(EventTypeSchema),
  resource_type: Type.Optional(ResourceTypeSchema),
  resource_id: Type.Optional(Id),
  project_id: Type.Optional(Id),
  container_id: Type.Optional(Id),
  start_date: Type.Optional(Type.String({ description: "RFC 3339; events at or after it" })),
  end_date: Type.Optional(Type.String({ description: "RFC 3339; events before it" })),
  realm_id: Type.Optional(Id),
});
export type EventsQuery = Static<typeof EventsQuery>;

/** Events are sorted by their ids, which are in the order of time. */
export const EVERYBODYS_EVENTS_SORT = sorting("-created_at", { created_at: "text" });

/** Query of `GET /api/v1/admin/events`. */
export const EverybodysEventsQuery = Strict({
  ...cursorQuery(EVENTS_PAGE, EVERYBODYS_EVENTS_SORT),
  user_id: Type.Optional(
    Type.String({
      pattern: "^([0-9a-f]{24}|none)$",
      description: "the id of a user, or `none` for events that are in no user's log",
    }),
  ),
  event_type: Type.Optional(EventTypeSchema),
  resource_type: Type.Optional(ResourceTypeSchema),
  resource_id: Type.Optional(Id),
  start_date: EventsQuery.properties.start_date,
  end_date: EventsQuery.properties.end_date,
});

/** Body of `DELETE /api/v1/events`: an event must match all given filters. At least one filter, or `all`, is required. */
export const DeleteEvents = Strict({
  event_type: Type.Optional(EventTypeSchema),
  resource_type: Type.Optional(ResourceTypeSchema),
  resource_id: Type.Optional(Id),
  before_date: Type.Optional(Type.String({ description: "RFC 3339; events before it" })),
  realm_id: Type.Optional(Id),
  all: Type.Optional(Type.Boolean({ description: "true: no filter is needed" })),
});

/** Spec §8. */
export const RETENTION_DAYS = { minimum: 1, maximum: 365 } as const;
export const CleanupEvents = Strict({ retention_days: Type.Integer(RETENTION_DAYS) });

export const EventsStatsQuery = Strict({
  start_date: EventsQuery.properties.start_date,
  end_date: EventsQuery.properties.end_date,
  realm_id: EventsQuery.properties.realm_id,
});

const Counted = Type.Record(Type.String(), Type.Integer());
export const EventStatsReply = Reply(
  Type.Object({
    total: Type.Integer(),
    by_event_type: Counted,
    by_resource_type: Counted,
    oldest_event: Nullable(Timestamp),
    newest_event: Nullable(Timestamp),
  }),
);
export const EventsDeletedReply = Reply(
  Type.Object({ deleted_count: Type.Integer({ description: "the count at the time of the request" }) }),
);
export const EventsCleanedReply = Reply(
  Type.Object({
    retention_days: Type.Integer(),
    kept_since: Timestamp,
    deleted_count: Type.Integer({ description: "the count at the time of the request" }),
  }),
);

export const EventReply = Reply(EventRecord);
export const EverybodysEventsReply = Reply(
  Type.Object({ events: Type.Array(EventRecord), count: Type.Integer(), pagination: CursorPagination }),
);
export const EventsReply = Reply(
  Type.Object({
    events: Type.Array(EventRecord),
    pagination: Type.Object({
      total: Type.Integer(),
      limit: Type.Integer(),
      offset: Type.Integer(),
      next_cursor: NextCursor,
      capped: Type.Optional(
        Type.Boolean({ description: "true: the list has more than `total`, which counts the newest 10,000" }),
      ),
    }),
  }),
);
