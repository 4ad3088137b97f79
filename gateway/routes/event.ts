import { Elysia } from "elysia";
import { listEvents, readEvent } from "../../actors/event/queries.ts";
import { DomainError, ValidationError } from "../../schemas/errors.ts";
import {
  EVENTS_LIMIT_DEFAULT,
  EVENTS_LIMIT_MAX,
  EventReply,
  EventsQuery,
  EventsReply,
} from "../../schemas/events.ts";
import { IdParams } from "../../schemas/primitives.ts";
import type { Berth } from "../berth.ts";
import { errors, ok } from "../plugins/envelope.ts";
import { inRealm } from "../plugins/realm.ts";
import { signedIn } from "../plugins/signed-in.ts";
import { timeIn } from "../plugins/time.ts";

/** The caller's log of events (spec, control plane §4.12). */
export const eventRoutes = ({ db, tokens }: Berth) =>
  new Elysia({ prefix: "/api/v1/events", detail: { tags: ["Events"] } })
    .use(signedIn(tokens))
    .get(
      "/",
      async ({ caller, query }) => {
        const limit = Math.min(integer("limit", query.limit, EVENTS_LIMIT_DEFAULT, 1), EVENTS_LIMIT_MAX);
        const offset = integer("offset", query.offset, 0, 0);
        const { events, total } = await listEvents(db, caller.userId, {
          limit,
          offset,
          sortBy: query.sort_by ?? "created_at",
          sortOrder: query.sort_order ?? "desc",
          eventType: query.event_type,
          resourceType: query.resource_type,
          resourceId: query.resource_id,
          projectId: query.project_id,
          containerId: query.container_id,
          realmId: query.realm_id,
          withinRealm: caller.realmId,
          start: time("start_date", query.start_date),
          end: time("end_date", query.end_date),
        });
        return ok("Events", { events, pagination: { total, limit, offset } });
      },
      {
        query: EventsQuery,
        response: { 200: EventsReply },
        detail: { summary: "What happened, newest first" },
      },
    )
    .get(
      "/:id",
      async ({ caller, params }) => {
        const event = await readEvent(db, caller.userId, params.id);
        if (event === undefined || !inRealm(caller, event.realm_id))
          throw new DomainError("EVENT_NOT_FOUND", "Event not found");
        return ok("Event", event);
      },
      {
        params: IdParams,
        response: { 200: EventReply, ...errors("EVENT_NOT_FOUND") },
        detail: { summary: "An event" },
      },
    );

function integer(field: string, text: string | undefined, standard: number, min: number): number {
  const value = text === undefined ? standard : Number(text);
  if (value < min) throw new ValidationError(`query.${field}`, `must be at least ${min}`);
  return value;
}

const time = (field: string, text: string | undefined): Date | undefined =>
  text === undefined ? undefined : timeIn(`query.${field}`, text);
