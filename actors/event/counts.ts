import type { Sql } from "../db/sql.ts";
import { conditions, type Range, type Scope, within } from "./filter.ts";

/** How many events a filter meets, by day or by type: whole days from `event_counts`, the rest counted as they are. */

const DAY_MS = 24 * 60 * 60 * 1000;
/** Where there are no counts (a resource, a container), the newest of so many are counted. */
export const UNCOUNTED_MAX = 10_000;

export type Grouping = "day" | "event_type";
export interface Group<K> {
  readonly key: K;
  readonly n: number;
}

export interface Counts<K> {
  readonly groups: readonly Group<K>[];
  readonly total: number;
  /** There are more: only the newest were counted. */
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
  const rows = isUncounted ? await countNewest<K>(db, scope, by) : await countAll<K>(db, scope, by);
  const groups = rows.map(({ key, n }) => ({ key, n: Number(n) })).filter(({ n }) => n > 0);
  const total = groups.reduce((sum, { n }) => sum + n, 0);
  return { groups, total, capped: isUncounted && total >= UNCOUNTED_MAX };
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

async function countAll<K>(db: Sql, scope: Scope, by: Grouping): Rows<K> {
  const { days, edges } = split(scope);
  // Single events that are being deleted are in the counts still.
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

const FIRST_DAY = Date.parse("0001-01-01T00:00:00Z");
