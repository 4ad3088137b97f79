import type { EventType, ResourceType } from "../../../schemas/events.ts";
import { nullable, text, timestamp } from "../../runtime/columns.ts";
import { children, childTable, related, rootTable } from "../../runtime/table.ts";

/** A deletion whose rows are not deleted yet: events that meet all that is given, before a time. */
export interface PendingErasure {
  readonly id: string;
  readonly event_id: string | null;
  readonly event_type: EventType | null;
  readonly resource_type: ResourceType | null;
  readonly resource_id: string | null;
  readonly realm_id: string | null;
  readonly before: Date;
}

/** A log with its pending deletions. */
export interface LogRecord {
  readonly keptSince: Date | null;
  readonly erasures: readonly PendingErasure[];
}

export const eventErasureTable = childTable<PendingErasure, { readonly createdAt: Date }>("event_erasures", {
  parent: "user_id",
  fields: {
    id: text("id"),
    event_id: nullable(text("event_id")),
    event_type: nullable(text("event_type")),
    resource_type: nullable(text("resource_type")),
    resource_id: nullable(text("resource_id")),
    realm_id: nullable(text("realm_id")),
    before: timestamp("before"),
  },
  extra: { createdAt: timestamp("created_at") },
});

export const eventLogTable = rootTable<LogRecord>("event_logs", {
  key: "id",
  changedAt: "updated_at",
  fields: { keptSince: nullable(timestamp("kept_since")), erasures: related(children(eventErasureTable)) },
});
