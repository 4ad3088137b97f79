import { Elysia } from "elysia";
import {
  ALL_LOGS,
  countEvents,
  countOldEvents,
  type EventFilter,
  type EventPosition,
  listEvents,
  readEvent,
  readEventStats,
} from "../../../actors/activity/event/queries.ts";
import type { Caller } from "../../../schemas/accounts/auth.ts";
import { EmptyReply } from "../../../schemas/envelope.ts";
import { DomainError, ValidationError } from "../../../schemas/errors.ts";
import {
  CleanupEvents,
  DeleteEvents,
  EVENTS_PAGE,
  EVENTS_SORT,
  EventReply,
  EventStatsReply,
  EventsCleanedReply,
  EventsDeletedReply,
  EventsQuery,
  EventsReply,
  EventsStatsQuery,
} from "../../../schemas/events.ts";
import type { Position } from "../../../schemas/paging.ts";
import { IdParams } from "../../../schemas/primitives.ts";
import { admin, signedIn } from "../../auth/guards.ts";
import { inRealm } from "../../auth/realm.ts";
import type { GatewayContext } from "../../context.ts";
import { done, errors, ok } from "../../http/envelope.ts";
import { hasOperationReceipt } from "../../http/operation-receipt.ts";
import { cursorPagination, listPage, ownList } from "../../http/paging.ts";
import { timeIn } from "../../http/time.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** The filter of a deletion of all events that the caller may access. */
const NO_FILTER = { event_id: null, event_type: null, resource_type: null, resource_id: null, before: null };

/** A cursor holds an event's type and time, whether the list is sorted by the one or the other. */
const positionOf = ({ type, at, id }: EventPosition): Position => ({
  value: `${type} ${at.toISOString()}`,
  id,
});

/** @throws ValidationError */
function eventPosition({ value, id }: Position): EventPosition {
  const [type = "", time = ""] = value.split(" ");
  return { type, at: timeIn("query.cursor", time), id };
}

/** The events that the caller may read: the own log, and what others' logs share (spec, control plane §4.12). */
export const eventRoutes = ({ db, actors, credentials }: GatewayContext) => {
  const readable = async (caller: Caller, id: string) => {
    const event = await readEvent(db, caller.userId, id);
    if (event === undefined || !inRealm(caller, event.realm_id)) {
      throw new DomainError("EVENT_NOT_FOUND", "Event not found");
    }
    return event;
  };

  const reading = new Elysia()
    .use(signedIn(credentials, "resources.read_account", { realm: true }))
    .get(
      "/",
      async ({ caller, query }) => {
        const page = listPage(ownList("events", caller), query, EVENTS_PAGE, EVENTS_SORT);
        const { limit, offset, sort } = page;
        const { events, total, capped, next } = await listEvents(db, caller.userId, {
          limit,
          offset,
          sortBy: sort.by,
          sortOrder: sort.order,
          after: page.after && eventPosition(page.after),
          eventType: query.event_type,
          resourceType: query.resource_type,
          resourceId: query.resource_id,
          projectId: query.project_id,
          containerId: query.container_id,
          ...rangeOf(caller, query),
        });
        const { next_cursor } = cursorPagination(page, next && positionOf(next));
        const pagination = { total, limit, offset, next_cursor, ...(capped ? { capped } : {}) };
        return ok("Events", { events, pagination });
      },
      {
        query: EventsQuery,
        response: { 200: EventsReply },
        detail: {
          summary: "What happened, newest first",
          description:
            "Your log, and from others' logs the events of containers, firewalls and aliases on servers that you may read, of pools that you are a member of, and notices to everybody. A `realm_id` is a project's id. With `resource_id` or `container_id`, the newest 10,000 are counted and listed.",
        },
      },
    )
    .get(
      "/stats",
      async ({ caller, query }) => {
        const stats = await readEventStats(db, caller.userId, rangeOf(caller, query));
        const byResource: Record<string, number> = {};
        for (const [type, n] of stats.byType) {
          const resource = type.slice(0, type.indexOf("."));
          byResource[resource] = (byResource[resource] ?? 0) + n;
        }
        return ok("Event statistics", {
          total: stats.total,
          by_event_type: Object.fromEntries(stats.byType),
          by_resource_type: byResource,
          oldest_event: stats.oldest?.toISOString() ?? null,
          newest_event: stats.newest?.toISOString() ?? null,
        });
      },
      {
        query: EventsStatsQuery,
        response: { 200: EventStatsReply },
        detail: { summary: "How many events of each type there were, and when the first and the last" },
      },
    )
    .get("/:id", async ({ caller, params }) => ok("Event", await readable(caller, params.id)), {
      params: IdParams,
      response: { 200: EventReply, ...errors("EVENT_NOT_FOUND") },
      detail: { summary: "An event" },
    });

  const deleting = new Elysia()
    .use(signedIn(credentials, "resources.write_account", { realm: true }))
    .delete(
      "/",
      async ({ caller, body = {}, operation }) => {
        const { event_type, resource_type, resource_id, realm_id, before_date, all = false } = body;
        const filters = [event_type, resource_type, resource_id, realm_id, before_date];
        if (!all && filters.every((filter) => filter === undefined)) {
          throw new ValidationError("body", "give at least one filter, or all: true");
        }
        const before = before_date === undefined ? undefined : timeIn("body.before_date", before_date);
        // Events of another realm are not accessible: there is nothing to delete.
        if (realm_id !== undefined && !inRealm(caller, realm_id))
          return ok("Events deleted", { deleted_count: 0 });
        const realmId = realm_id ?? caller.realmId;
        const counted = await countEvents(db, caller.userId, {
          eventType: event_type,
          resourceType: resource_type,
          resourceId: resource_id,
          realmId,
          end: before,
        });
        const { value } = await actors.event_log(caller.userId).erase(
          {
            counted,
            event_id: null,
            event_type: event_type ?? null,
            resource_type: resource_type ?? null,
            resource_id: resource_id ?? null,
            realm_id: realmId ?? null,
            before: before?.toISOString() ?? null,
          },
          operation,
        );
        return ok("Events deleted", { deleted_count: value.deleted_count });
      },
      {
        body: DeleteEvents,
        response: { 200: EventsDeletedReply, ...errors("IDEMPOTENCY_KEY_REUSED") },
        detail: {
          summary: "Delete events from your log",
          description:
            "An event is deleted when it matches every given filter. At least one filter or `all: true` is required. Not allowed while impersonating.",
        },
      },
    )
    .delete(
      "/:id",
      async ({ caller, params, operation }) => {
        const erasing = { kind: "event_log", actorId: caller.userId, op: "erase" };
        if (!(await hasOperationReceipt(db, operation, erasing))) {
          const { user_id } = await readable(caller, params.id);
          if (user_id !== caller.userId)
            throw new DomainError(
              "INSUFFICIENT_PERMISSIONS",
              "The event is in another user's log, and stays there",
            );
        }
        const erasure = { ...NO_FILTER, realm_id: null, event_id: params.id, counted: 1 };
        await actors.event_log(caller.userId).erase(erasure, operation);
        return done("Event deleted");
      },
      {
        params: IdParams,
        response: { 200: EmptyReply, ...errors("EVENT_NOT_FOUND", "IDEMPOTENCY_KEY_REUSED") },
        detail: {
          summary: "Delete an event for good",
          description:
            "An event of another user's log is not yours to delete (403). Not allowed while impersonating.",
        },
      },
    );

  const forUsers = new Elysia({ prefix: "/api/v1/events" }).use(reading).use(deleting);

  const forAdministrators = new Elysia({ prefix: "/api/v1/events" }).use(admin(credentials)).post(
    "/cleanup",
    async ({ body, operation, operator }) => {
      const before = new Date(Date.now() - body.retention_days * DAY_MS);
      const deleted_count = await countOldEvents(db, before);
      const { value } = await actors.event_log(ALL_LOGS).set_retention({ ...body, operator }, operation);
      return ok("Old events deleted", { ...body, ...value, deleted_count });
    },
    {
      body: CleanupEvents,
      response: { 200: EventsCleanedReply },
      detail: { summary: "Delete events of all users that are older than a number of days" },
    },
  );

  return new Elysia({ detail: { tags: ["Events"] } }).use(forUsers).use(forAdministrators);
};

interface RangeQuery {
  readonly start_date?: string;
  readonly end_date?: string;
  readonly realm_id?: string;
}

const rangeOf = (caller: Caller, query: RangeQuery): EventFilter => ({
  realmId: query.realm_id,
  withinRealm: caller.realmId,
  start: query.start_date === undefined ? undefined : timeIn("query.start_date", query.start_date),
  end: query.end_date === undefined ? undefined : timeIn("query.end_date", query.end_date),
});
