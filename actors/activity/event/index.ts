import { Type } from "@sinclair/typebox";
import { DomainError } from "../../../schemas/errors.ts";
import { EventTypeSchema, RETENTION_DAYS, ResourceTypeSchema } from "../../../schemas/events.ts";
import { Id, Nullable, Strict, Timestamp } from "../../../schemas/primitives.ts";
import { operatorCommand } from "../../platform/operator-command.ts";
import { recordPrivilegedAct } from "../../platform/record-audit.ts";
import { actor, type Context, command } from "../../runtime/definition.ts";
import { eventErasureTable, eventLogTable, type LogRecord } from "./table.ts";

/** Pending deletions of a log. Reads check each row against all of them. */
const ERASURES_MAX = 50;
const DAY_MS = 24 * 60 * 60 * 1000;

const EraseInput = Strict({
  event_id: Nullable(Id),
  event_type: Nullable(EventTypeSchema),
  resource_type: Nullable(ResourceTypeSchema),
  resource_id: Nullable(Id),
  realm_id: Nullable(Id),
  before: Nullable(Timestamp),
  /** The number of matching events, counted by the caller; a repeated key gets the same reply. */
  counted: Type.Integer({ minimum: 0 }),
});
const Erased = Type.Object({ deleted_count: Type.Integer() });
const Done = Type.Object({});

/**
 * Deletions from event logs. Keyed by user, or `all` for the logs of all users. A deletion takes effect with its
 * commit: reads leave out the events that it matches, and maintenance deletes the rows later
 * (docs/decisions/0025-partitioned-event-log.md).
 */
export const eventLogActor = actor("event_log", {
  table: eventLogTable,
  empty: (): LogRecord => ({ keptSince: null, erasures: [] }),
  on: {
    /** Deletes the events up to now, or before a time, that match every given filter. */
    erase: command(
      EraseInput,
      Erased,
      (log: LogRecord, input, ctx: Context<LogRecord>) => {
        if (log.erasures.length >= ERASURES_MAX) {
          throw new DomainError("OVERLOADED", "Earlier deletions are still under way. Try again shortly");
        }
        if (input.event_id !== null && log.erasures.some(({ event_id }) => event_id === input.event_id)) {
          throw new DomainError("EVENT_NOT_FOUND", "Event not found");
        }
        const { event_id, event_type, resource_type, resource_id, realm_id } = input;
        const before = new Date(
          Math.min(Date.parse(input.before ?? "9999-12-31T23:59:59Z"), ctx.now.getTime() + 1),
        );
        const erasure = {
          id: ctx.newId(),
          event_id,
          event_type,
          resource_type,
          resource_id,
          realm_id,
          before,
        };
        ctx.setState({ ...log, erasures: [...log.erasures, erasure] });
        ctx.insert("event_erasures", eventErasureTable.row(ctx.actorId, erasure, { createdAt: ctx.now }));
        return { deleted_count: input.counted };
      },
      { fingerprint: ({ counted: _, ...asked }) => JSON.stringify(asked) },
    ),

    /** Records that the rows of a deletion have been deleted. */
    record_erasure: command(
      Strict({ erasure_id: Id }),
      Done,
      (log: LogRecord, { erasure_id }, ctx: Context<LogRecord>) => {
        if (!log.erasures.some(({ id }) => id === erasure_id)) return {};
        ctx.setState({ ...log, erasures: log.erasures.filter(({ id }) => id !== erasure_id) });
        ctx.remove("event_erasures", { id: erasure_id });
        return {};
      },
    ),

    /** Sets the retention period of all logs, in days. A longer period later does not restore deleted events. */
    set_retention: operatorCommand(
      Strict({ retention_days: Type.Integer(RETENTION_DAYS) }),
      Type.Object({ kept_since: Timestamp }),
      (log: LogRecord, { retention_days }, ctx: Context<LogRecord>, operator) => {
        const asked = new Date(ctx.now.getTime() - retention_days * DAY_MS);
        const keptSince = log.keptSince !== null && log.keptSince > asked ? log.keptSince : asked;
        ctx.setState({ ...log, keptSince });
        recordPrivilegedAct(ctx, operator, { act: "event_retention_set", data: { retention_days } });
        return { kept_since: keptSince.toISOString() };
      },
    ),

    /** Ends everybody's events from before a time, as the operator's setting says (`BERTH_KEEP_EVENTS_DAYS`). */
    advance_retention: command(
      Strict({ kept_since: Timestamp }),
      Done,
      (log: LogRecord, { kept_since }, ctx: Context<LogRecord>) => {
        const keptSince = new Date(kept_since);
        if (log.keptSince === null || log.keptSince < keptSince) ctx.setState({ ...log, keptSince });
        return {};
      },
    ),
  },
});
