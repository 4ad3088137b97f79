import { EVENT_TYPES } from "../../schemas/events.ts";
import type { Sql } from "../db/sql.ts";

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

/** The conditions on a row of `events`, but for its type and its time. */
export function conditions(db: Sql, { userId, projectId, resourceId, containerId, log }: Scope) {
  const when = (column: string, value: string | undefined) =>
    value === undefined ? db`` : db`AND ${db(column)} = ${value}`;
  return db`
    user_id = ${userId} ${when("project_id", projectId)} ${when("resource_id", resourceId)}
    ${when("container_id", containerId)}
    ${log.erasures.length === 0 ? db`` : log.erasures.map((erasure) => db`AND NOT ${erased(db, erasure)}`)}`;
}

function erased(db: Sql, erasure: Erasure) {
  const when = (column: keyof Erasure, name: string) =>
    erasure[column] === null ? db`` : db`AND ${db(name)} IS NOT DISTINCT FROM ${erasure[column] as string}`;
  return db`(created_at < ${erasure.before} ${when("event_id", "id")} ${when("event_type", "event_type")}
    ${when("resource_type", "resource_type")} ${when("resource_id", "resource_id")} ${when("realm_id", "realm_id")})`;
}

export interface Range {
  readonly from: Date | undefined;
  readonly to: Date | undefined;
}

export const within = (db: Sql, { from, to }: Range) => db`
  ${from === undefined ? db`` : db`AND created_at >= ${from}`} ${to === undefined ? db`` : db`AND created_at < ${to}`}`;
