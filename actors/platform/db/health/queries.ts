import type { Sql } from "../sql.ts";

/** What an operator wants to know of the database. */
export interface DatabaseHealth {
  /** The database's clock. */
  readonly now: Date;
  /** Such as 180004. */
  readonly version: number;
  readonly connections: number;
  readonly connectionsMax: number;
  readonly replicas: number;
  /** Whether this role may not see how far they are. */
  readonly areReplicasHidden: boolean;
  /** Of the slowest replica; null where all have everything. */
  readonly replicaLagSeconds: number | null;
  /** Whether the event log has events of months that have no partition. */
  readonly hasStrayEvents: boolean;
}

export async function readDatabaseHealth(db: Sql): Promise<DatabaseHealth> {
  const [row] = await db<DatabaseHealth[]>`
    SELECT clock_timestamp() AS now, current_setting('server_version_num')::int AS version,
      (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS connections,
      current_setting('max_connections')::int AS "connectionsMax",
      replication.*, EXISTS (SELECT FROM events_default) AS "hasStrayEvents"
    FROM (
      SELECT count(*)::int AS replicas, coalesce(bool_or(state IS NULL), false) AS "areReplicasHidden",
        max(extract(epoch FROM replay_lag))::float8 AS "replicaLagSeconds"
      FROM pg_stat_replication
    ) AS replication`;
  if (row === undefined) throw new Error("the database answers nothing");
  return row;
}

export async function readClock(db: Sql): Promise<Date> {
  const [row] = await db<{ now: Date }[]>`SELECT clock_timestamp() AS now`;
  if (row === undefined) throw new Error("the database answers nothing");
  return row.now;
}
