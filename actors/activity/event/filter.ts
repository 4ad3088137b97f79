import { EVENT_TYPES } from "../../../schemas/events.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const FIRST_DAY = Date.parse("0001-01-01T00:00:00Z");

/** A filter on a user's event log (spec, control plane §4.12). Every given field must match. */
export interface EventFilter {
  readonly eventType?: string | undefined;
  readonly resourceType?: string | undefined;
  readonly resourceId?: string | undefined;
  readonly projectId?: string | undefined;
  readonly containerId?: string | undefined;
  readonly realmId?: string | undefined;
  /** The realm to which the caller's credential is bound. */
  readonly withinRealm?: string | undefined;
  /** Events at or after it. */
  readonly start?: Date | undefined;
  /** Events before it. */
  readonly end?: Date | undefined;
}

/** A deletion whose rows may still exist. */
export interface Erasure {
  readonly event_id: string | null;
  readonly event_type: string | null;
  readonly resource_type: string | null;
  readonly resource_id: string | null;
  readonly realm_id: string | null;
  readonly before: Date;
}

/** The state of a log before it is read. */
export interface LogState {
  /** The start of the retention period: earlier events of all users are deleted. */
  readonly keptSince: Date | undefined;
  readonly erasures: readonly Erasure[];
  /** Days before it are in `event_counts`. */
  readonly countedUntil: Date;
}

/** Events that others' logs share with a user, from a time on (`schemas/audiences.ts`). */
export interface ReadableAudience {
  readonly audience: string;
  readonly since: Date;
}

/** A filter in the terms of the indexes. */
export interface Scope {
  readonly userId: string;
  /** Undefined: any type. Empty: no event can match. */
  readonly types: readonly string[] | undefined;
  /** A realm is a project, so both filters set it. */
  readonly projectId: string | undefined;
  readonly resourceId: string | undefined;
  readonly containerId: string | undefined;
  readonly start: Date | undefined;
  readonly end: Date | undefined;
  readonly log: LogState;
  /** Empty: the user's own log alone. */
  readonly audiences: readonly ReadableAudience[];
}

export function scopeOf(
  userId: string,
  filter: EventFilter,
  log: LogState,
  audiences: readonly ReadableAudience[] = [],
): Scope {
  const projects = new Set(
    [filter.projectId, filter.realmId, filter.withinRealm].filter((id) => id !== undefined),
  );
  const { keptSince } = log;
  const start =
    filter.start === undefined || (keptSince !== undefined && keptSince > filter.start)
      ? keptSince
      : filter.start;
  return {
    userId,
    types: projects.size > 1 ? [] : typesOf(filter),
    projectId: [...projects][0],
    resourceId: filter.resourceId,
    containerId: filter.containerId,
    start,
    end: filter.end,
    log,
    audiences,
  };
}

/** The types that match both an event type and a resource type; undefined: any. */
export function typesOf({
  eventType,
  resourceType,
}: Pick<EventFilter, "eventType" | "resourceType">): readonly string[] | undefined {
  if (eventType === undefined && resourceType === undefined) return undefined;
  return EVENT_TYPES.filter(
    (type) =>
      (eventType === undefined || type === eventType) &&
      (resourceType === undefined || type.startsWith(`${resourceType}.`)),
  );
}

export interface Range {
  readonly from: Date | undefined;
  readonly to: Date | undefined;
}

/** Splits a range into the whole days that are counted, and the rest before and after them. */
export function split({ start, end, log }: Scope): { days: Range | undefined; edges: Range[] } {
  const whole = { from: start, to: end };
  // Counts still include events whose deletion is pending. Unless those are single events, all rows are counted
  // instead.
  if (log.erasures.some(({ event_id }) => event_id === null)) return { days: undefined, edges: [whole] };
  const from =
    start === undefined ? new Date(FIRST_DAY) : new Date(Math.ceil(start.getTime() / DAY_MS) * DAY_MS);
  const last = end === undefined ? Number.POSITIVE_INFINITY : Math.floor(end.getTime() / DAY_MS) * DAY_MS;
  const to = new Date(Math.min(last, log.countedUntil.getTime()));
  if (from >= to) return { days: undefined, edges: [whole] };
  const before = start === undefined ? [] : [{ from: start, to: from }];
  return { days: { from, to }, edges: [...before, { from: to, to: end }] };
}
