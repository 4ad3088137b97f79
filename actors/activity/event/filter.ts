import { EVENT_TYPES } from "../../../schemas/events.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const FIRST_DAY = Date.parse("0001-01-01T00:00:00Z");

/** Which events of a user's log are asked for (spec, control plane §4.12). All that is given must hold. */
export interface EventFilter {
  readonly eventType?: string | undefined;
  readonly resourceType?: string | undefined;
  readonly resourceId?: string | undefined;
  readonly projectId?: string | undefined;
  readonly containerId?: string | undefined;
  readonly realmId?: string | undefined;
  /** The realm that the caller's credential is bound to, whatever else is asked for. */
  readonly withinRealm?: string | undefined;
  /** Events at or after it. */
  readonly start?: Date | undefined;
  /** Events before it. */
  readonly end?: Date | undefined;
}

/** A deletion whose rows may still be there. */
export interface Erasure {
  readonly event_id: string | null;
  readonly event_type: string | null;
  readonly resource_type: string | null;
  readonly resource_id: string | null;
  readonly realm_id: string | null;
  readonly before: Date;
}

/** What is known of a log before it is read. */
export interface LogState {
  /** Events before it are deleted, for everybody. */
  readonly keptSince: Date | undefined;
  readonly erasures: readonly Erasure[];
  /** Days before it are in `event_counts`. */
  readonly countedUntil: Date;
}

/** A filter as the indexes have it. */
export interface Scope {
  readonly userId: string;
  /** Undefined: of any type. Empty: there can be none. */
  readonly types: readonly string[] | undefined;
  /** A realm is a project, so either asks for it. */
  readonly projectId: string | undefined;
  readonly resourceId: string | undefined;
  readonly containerId: string | undefined;
  readonly start: Date | undefined;
  readonly end: Date | undefined;
  readonly log: LogState;
}

export function scopeOf(userId: string, filter: EventFilter, log: LogState): Scope {
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
  };
}

/** The types that an event type and a resource type leave together; undefined: any. */
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

/** The whole days of a range that are counted, and what is left of it before and after them. */
export function split({ start, end, log }: Scope): { days: Range | undefined; edges: Range[] } {
  const whole = { from: start, to: end };
  // Counts still have what is being erased; of more than single events it is as well to count what is left.
  if (log.erasures.some(({ event_id }) => event_id === null)) return { days: undefined, edges: [whole] };
  const from =
    start === undefined ? new Date(FIRST_DAY) : new Date(Math.ceil(start.getTime() / DAY_MS) * DAY_MS);
  const last = end === undefined ? Number.POSITIVE_INFINITY : Math.floor(end.getTime() / DAY_MS) * DAY_MS;
  const to = new Date(Math.min(last, log.countedUntil.getTime()));
  if (from >= to) return { days: undefined, edges: [whole] };
  const before = start === undefined ? [] : [{ from: start, to: from }];
  return { days: { from, to }, edges: [...before, { from: to, to: end }] };
}
