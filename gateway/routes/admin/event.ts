import { Elysia } from "elysia";
import { listEverybodysEvents } from "../../../actors/activity/event/everybody/queries.ts";
import {
  EVENTS_PAGE,
  EVERYBODYS_EVENTS_SORT,
  EverybodysEventsQuery,
  EverybodysEventsReply,
} from "../../../schemas/events.ts";
import { admin } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { ok } from "../../http/envelope.ts";
import { cursorPagination, listPage } from "../../http/paging.ts";
import { timeIn } from "../../http/time.ts";

/** The logs of all users, for administrators. */
export const adminEventRoutes = ({ db, credentials }: GatewayContext) =>
  new Elysia({ prefix: "/api/v1/admin/events", detail: { tags: ["Administration"] } })
    .use(admin(credentials))
    .get(
      "/",
      async ({ query }) => {
        const page = listPage("admin/events", query, EVENTS_PAGE, EVERYBODYS_EVENTS_SORT);
        const { rows: events, next } = await listEverybodysEvents(
          db,
          {
            userId: query.user_id === "none" ? null : query.user_id,
            eventType: query.event_type,
            resourceType: query.resource_type,
            resourceId: query.resource_id,
            start: query.start_date === undefined ? undefined : timeIn("query.start_date", query.start_date),
            end: query.end_date === undefined ? undefined : timeIn("query.end_date", query.end_date),
          },
          page,
        );
        return ok("Events", { events, count: events.length, pagination: cursorPagination(page, next) });
      },
      {
        query: EverybodysEventsQuery,
        response: { 200: EverybodysEventsReply },
        detail: {
          summary: "The events of all users, newest first",
          description:
            "With `user_id`, the log of one user; with `user_id=none`, events that are in no user's log: changes of servers and offers, and notifications to " +
            "all users. `data.by` is the user who acted. Events that users have deleted from their logs are not shown.",
        },
      },
    );
