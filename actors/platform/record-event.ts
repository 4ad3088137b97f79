import type { Audience } from "../../schemas/audiences.ts";
import type { EventRecord, EventType, ResourceType } from "../../schemas/events.ts";
import type { Context } from "../runtime/definition.ts";

/** The outbox topic of events. */
export const EVENT_TOPIC = "event";

export interface NewEvent {
  readonly event_type: EventType;
  readonly resource_id: string | null;
  /** The user in whose log it is. */
  readonly user_id: string | null;
  readonly project_id?: string;
  readonly container_id?: string;
  /** The user who acted, if others than the log's owner can. It becomes `by` in the event's data. */
  readonly by?: string | undefined;
  readonly data?: Record<string, unknown>;
  /** Who else may read it. */
  readonly audience?: Audience | undefined;
}

/** Writes an event to the log and to the outbox, in the commit of the change that it records. */
export function recordEvent<State>(ctx: Context<State>, event: NewEvent): void {
  const record: EventRecord = {
    id: ctx.newId(),
    event_type: event.event_type,
    resource_type: event.event_type.slice(0, event.event_type.indexOf(".")) as ResourceType,
    resource_id: event.resource_id,
    user_id: event.user_id,
    project_id: event.project_id ?? null,
    container_id: event.container_id ?? null,
    // A realm is a project (docs/decisions/0024-credentials-and-permissions.md).
    realm_id: event.project_id ?? null,
    data: { ...event.data, ...(event.by === undefined ? {} : { by: event.by }) },
    created_at: ctx.now.toISOString(),
  };
  ctx.insert("events", record);
  const { audience } = event;
  if (audience !== undefined)
    ctx.insert("event_audiences", { audience, event_id: record.id, event_at: record.created_at });
  ctx.emit(EVENT_TOPIC, audience === undefined ? record : { ...record, audience });
}
