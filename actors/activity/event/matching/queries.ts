import type { Sql } from "../../../platform/db/sql.ts";
import { type Erasure, type Range, type Scope, split } from "../filter.ts";
import { sharedRows } from "../shared/queries.ts";

/**
 * The rows of `events` that a filter matches, and their counts by day or by type: whole days come from
 * `event_counts`, and the other rows are counted one by one.
 */

/** Events of a resource or a container have no counts: only this many of the newest are counted. */
export const UNCOUNTED_MAX = 10_000;

export type Grouping = "day" | "event_type";
export interface Group<K> {
  readonly key: K;
  readonly n: number;
}

export interface Counts<K> {
  readonly groups: readonly Group<K>[];
  readonly total: number;
  /** Whether there are more than were counted. */
  readonly capped: boolean;
}

export function countByDay(db: Sql, scope: Scope): Promise<Counts<Date>> {
  return count<Date>(db, scope, "day");
}

export function countByType(db: Sql, scope: Scope): Promise<Counts<string>> {
  return count<string>(db, scope, "event_type");
}

async function count<K extends Date | string>(db: Sql, scope: Scope, by: Grouping): Promise<Counts<K>> {
  if (scope.types?.length === 0) return { groups: [], total: 0, capped: false };
  const isUncounted = scope.resourceId !== undefined || scope.containerId !== undefined;
  const [own, shared] = await Promise.all([
    isUncounted ? countNewest<K>(db, scope, by) : countAll<K>(db, scope, by),
    scope.audiences.length === 0 ? [] : countShared<K>(db, scope, by),
  ]);
  const groups = sumByKey([...own, ...shared]);
  const capped = (isUncounted && sumOf(own) >= UNCOUNTED_MAX) || sumOf(shared) >= UNCOUNTED_MAX;
  return { groups, total: groups.reduce((sum, { n }) => sum + n, 0), capped };
}

const sumOf = (rows: readonly { n: bigint }[]): number => rows.reduce((sum, { n }) => sum + Number(n), 0);

function sumByKey<K extends Date | string>(rows: readonly { key: K; n: bigint }[]): Group<K>[] {
  const byKey = Map.groupBy(rows, ({ key }) => key.valueOf());
  return [...byKey.values()].flatMap((ofKey) => {
    const n = sumOf(ofKey);
    return ofKey[0] === undefined || n <= 0 ? [] : [{ key: ofKey[0].key, n }];
  });
}

type Rows<K> = Promise<{ key: K; n: bigint }[]>;

const keyOf = (db: Sql, by: Grouping) =>
  by === "day" ? db`date_trunc('day', created_at, 'UTC')` : db`event_type`;
const ofTypes = (db: Sql, { types }: Scope) =>
  types === undefined ? db`` : db`AND event_type = ANY (${[...types]}::text[])`;

async function countNewest<K>(db: Sql, scope: Scope, by: Grouping): Rows<K> {
  return db<{ key: K; n: bigint }[]>`
    SELECT key, count(*) AS n FROM (
      SELECT ${keyOf(db, by)} AS key FROM events
      WHERE ${conditions(db, scope)} ${ofTypes(db, scope)} ${within(db, { from: scope.start, to: scope.end })}
      ORDER BY created_at DESC LIMIT ${UNCOUNTED_MAX}) newest
    GROUP BY 1`;
}

/** Of what others' logs share the newest are counted, of all audiences together. */
async function countShared<K>(db: Sql, scope: Scope, by: Grouping): Rows<K> {
  const columns = db`e.created_at, e.event_type`;
  const rows = sharedRows(db, scope, { columns, where: db``, order: db`DESC`, limit: UNCOUNTED_MAX });
  return db<{ key: K; n: bigint }[]>`
    SELECT ${keyOf(db, by)} AS key, count(*) AS n FROM (
      SELECT * FROM (${rows}) shared ORDER BY created_at DESC LIMIT ${UNCOUNTED_MAX}) newest
    GROUP BY 1`;
}

async function countAll<K>(db: Sql, scope: Scope, by: Grouping): Rows<K> {
  const { days, edges } = split(scope);
  // The counts still include single events whose deletion is pending.
  const erasedIds = scope.log.erasures.flatMap(({ event_id }) => (event_id === null ? [] : [event_id]));
  const counted =
    days === undefined
      ? db``
      : db`
        SELECT ${by === "day" ? db`day` : db`event_type`} AS key, sum(n) AS n FROM event_counts
        WHERE user_id = ${scope.userId} AND day >= ${days.from ?? new Date(0)} AND day < ${days.to ?? new Date(0)}
          ${scope.projectId === undefined ? db`` : db`AND project_id = ${scope.projectId}`} ${ofTypes(db, scope)}
        GROUP BY 1 UNION ALL`;
  return db<{ key: K; n: bigint }[]>`
    SELECT key, sum(n)::bigint AS n FROM (${counted}
      ${
        days === undefined || erasedIds.length === 0
          ? db``
          : db`
        SELECT ${keyOf(db, by)} AS key, -count(*) AS n FROM events
        WHERE ${conditions(db, { ...scope, log: { ...scope.log, erasures: [] } })} ${ofTypes(db, scope)}
          ${within(db, days)} AND id = ANY (${erasedIds}::text[]) GROUP BY 1 UNION ALL`
      }
      ${edges.map(
        (edge, i) => db`${i === 0 ? db`` : db`UNION ALL`}
          SELECT ${keyOf(db, by)} AS key, count(*) AS n FROM events
          WHERE ${conditions(db, scope)} ${ofTypes(db, scope)} ${within(db, edge)} GROUP BY 1`,
      )}) parts
    GROUP BY key`;
}

/** The conditions on a row of `events`, except those on its type and time. */
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

export const within = (db: Sql, { from, to }: Range) => db`
  ${from === undefined ? db`` : db`AND created_at >= ${from}`} ${to === undefined ? db`` : db`AND created_at < ${to}`}`;
