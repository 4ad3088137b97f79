import type { Sql } from "../../../platform/db/sql.ts";
import { UnknownPartitionsError } from "../../errors.ts";
import { PARTITION_SCHEME, PARTITIONS, type PartitionCounts } from "../../partition.ts";
import type { ClusterLeases, HostStatus, Lease, Store } from "../../ports.ts";

/** How long the renewal of leases waits for a commit that has them locked: several times what a commit under load takes. */
const LOCK_MS = 100;

type Held = { readonly partition: number; readonly epoch: number };

/** What changes the leases of partitions. */
type LeaseStore = Pick<Store, "renew" | "acquire" | "split" | "release" | "leave">;

export const leaseStore = (db: Sql): LeaseStore => ({
  async renew(host, ttlMs, status) {
    const [row] = await db<{ renewed: Held[]; locked: Held[]; timeline: string }[]>`
      WITH alive AS (
        INSERT INTO hosts (host, expires_at, status)
        VALUES (${host}, now() + ${ttlMs} * interval '1 ms', ${db.json({ ...status })})
        ON CONFLICT (host) DO UPDATE SET expires_at = excluded.expires_at, status = excluded.status
      ), free AS (
        SELECT partition FROM leases WHERE owner = ${host} ORDER BY partition FOR NO KEY UPDATE SKIP LOCKED
      ), renewed AS (
        UPDATE leases l SET expires_at = now() + ${ttlMs} * interval '1 ms'
        FROM free WHERE free.partition = l.partition
        RETURNING l.partition, l.epoch
      ), locked AS (
        SELECT partition, epoch FROM leases
        WHERE owner = ${host} AND partition NOT IN (SELECT partition FROM renewed)
      )
      SELECT
        (SELECT coalesce(jsonb_agg(renewed), '[]') FROM renewed) AS renewed,
        (SELECT coalesce(jsonb_agg(locked), '[]') FROM locked) AS locked,
        current_timeline() AS timeline`;
    const { renewed = [], locked = [], timeline = "" } = row ?? {};
    const waited = await renewLocked(db, host, ttlMs, locked);
    return {
      held: [...renewed, ...waited],
      locked: locked.filter(({ partition }) => waited.every((one) => one.partition !== partition)),
      timeline,
    };
  },

  async acquire(host, partitions, ttlMs) {
    if (partitions.length === 0) return [];
    const rows = await db<{ partition: number; epoch: bigint }[]>`
      WITH free AS (
        SELECT partition FROM leases
        WHERE partition = ANY (${[...partitions]}::int[]) AND (owner IS NULL OR owner = ${host} OR expires_at < now())
        ORDER BY partition FOR NO KEY UPDATE
      )
      UPDATE leases l SET owner = ${host}, epoch = l.epoch + 1, expires_at = now() + ${ttlMs} * interval '1 ms',
        timeline = current_timeline()
      FROM free WHERE free.partition = l.partition
      RETURNING l.partition, l.epoch`;
    return rows.map(toHeld);
  },

  async split(host, { partition, epoch }) {
    const [row] = await db<{ is_split: boolean }[]>`
      SELECT split_partition(${host}, ${partition}, ${epoch}) AS is_split`;
    return row?.is_split === true;
  },

  async release(host, partitions) {
    if (partitions.length === 0) return;
    await db`
      WITH held AS (
        SELECT partition FROM leases WHERE partition = ANY (${[...partitions]}::int[]) AND owner = ${host}
        ORDER BY partition FOR NO KEY UPDATE
      )
      UPDATE leases l SET owner = NULL, expires_at = now() FROM held WHERE held.partition = l.partition`;
  },

  async leave(host) {
    await db`DELETE FROM hosts WHERE host = ${host} OR expires_at < now() - interval '1 hour'`;
  },
});

/**
 * Renews leases that commits hold locked: all together, which waits for commits that are under way; when one of them is stuck, each by
 * itself, so that only what the stuck one holds is left out.
 */
async function renewLocked(db: Sql, host: string, ttlMs: number, locked: readonly Held[]): Promise<Held[]> {
  if (locked.length === 0) return [];
  const partitions = locked.map(({ partition }) => partition);
  const together = await renewWaiting(db, host, ttlMs, partitions);
  if (together.length > 0) return together;
  const renewed: Held[] = [];
  for (const partition of partitions) renewed.push(...(await renewWaiting(db, host, ttlMs, [partition])));
  return renewed;
}

async function renewWaiting(
  db: Sql,
  host: string,
  ttlMs: number,
  partitions: readonly number[],
): Promise<Held[]> {
  const rows = await db<{ partition: number; epoch: bigint }[]>`
    SELECT renewed_partition AS partition, renewed_epoch AS epoch
    FROM renew_busy_leases(${host}, ${[...partitions]}::int[], ${Math.round(ttlMs)}, ${LOCK_MS})`;
  return rows.map(toHeld);
}

/** Rejects when the database does not reply. */
export async function pingDatabase(db: Sql): Promise<void> {
  await db`SELECT 1`;
}

export interface ClusterView {
  readonly hosts: { readonly host: string; readonly status: HostStatus | null }[];
  readonly partitions: (Lease & { readonly undelivered: number })[];
}

/** The cluster as operators see it: live hosts with the status of their last renewal, and partitions. */
export async function readClusterView(db: Sql): Promise<ClusterView> {
  const hosts = await db<{ host: string; status: HostStatus | null }[]>`
    SELECT host, status FROM hosts WHERE expires_at >= now() ORDER BY host`;
  const partitions = await db<
    { partition: number; owner: string | null; epoch: bigint; expired: boolean; undelivered: bigint }[]
  >`
    SELECT l.partition, l.owner, l.epoch, l.expires_at < now() AS expired, greatest(0, coalesce((
      SELECT o.seq FROM outbox o WHERE o.partition = l.partition ORDER BY o.seq DESC LIMIT 1), 0) - p.seq) AS undelivered
    FROM leases l JOIN outbox_progress p ON p.partition = l.partition ORDER BY l.partition`;
  return {
    hosts: [...hosts],
    partitions: partitions.map((row) => ({
      ...row,
      epoch: Number(row.epoch),
      undelivered: Number(row.undelivered),
    })),
  };
}

/**
 * The leases and the live hosts, by the database's clock. Callers route by them.
 *
 * @throws UnknownPartitionsError
 */
export async function readCluster(db: Sql): Promise<ClusterLeases & { hosts: string[] }> {
  // One statement, so that all is of one moment. One row, because a host reads it with each renewal: JSON is parsed faster than rows.
  // A command of this version may come before its migration, when there is no column "scheme".
  const [row] = await db<
    (Partial<PartitionCounts> & { leases: Lease[]; hosts: string[]; scheme: number | null })[]
  >`
    SELECT
      (SELECT coalesce(jsonb_agg(jsonb_build_object('partition', partition, 'owner', owner, 'epoch', epoch,
        'expired', expires_at < now()) ORDER BY partition), '[]') FROM leases) AS leases,
      ARRAY(SELECT host FROM hosts WHERE expires_at >= now() ORDER BY host) AS hosts, c.base, c.target,
      (to_jsonb(c) ->> 'scheme')::int AS scheme
    FROM (SELECT) one LEFT JOIN partition_counts c ON true`;
  const { leases = [], hosts = [], base, target, scheme } = row ?? {};
  if ((scheme ?? PARTITION_SCHEME) > PARTITION_SCHEME) throw new UnknownPartitionsError();
  return { leases, hosts, counts: { base: base ?? PARTITIONS, target: target ?? PARTITIONS } };
}

/**
 * Says how many partitions there shall be; their owners split them from then on.
 *
 * @throws PostgresError BR003, with the reason, when the number cannot be had
 */
export async function growPartitions(db: Sql, partitions: number): Promise<void> {
  await db`SELECT grow_partitions(${partitions})`;
}

const toHeld = (row: { readonly partition: number; readonly epoch: bigint }): Held => ({
  partition: row.partition,
  epoch: Number(row.epoch),
});

/** What waits in the whole cluster, for metrics. */
export interface WaitingCounts {
  /** Committed timers and messages between actors; `overdue` of them should have run 10 s ago. */
  readonly tasks: readonly {
    readonly kind: string;
    readonly form: "timer" | "send" | "abort";
    readonly count: number;
    readonly overdue: number;
  }[];
  /** Messages between actors that wait for their reply, each a step of a saga, by the operation; `abort`: the step is taken back. */
  readonly sagas: readonly {
    readonly kind: string;
    readonly step: string;
    readonly count: number;
    readonly oldest_seconds: number;
  }[];
  readonly partitionsWithoutOwner: number;
  /** The age of the oldest effect that is not delivered; 0: none. */
  readonly outboxOldestSeconds: number;
}

export async function countWaiting(db: Sql): Promise<WaitingCounts> {
  const [tasks, sagas, [leases], [outbox]] = await Promise.all([
    db<WaitingCounts["tasks"][number][]>`
      SELECT kind, CASE WHEN target_kind IS NULL THEN 'timer' WHEN aborting THEN 'abort' ELSE 'send' END AS form,
        count(*)::int AS count, (count(*) FILTER (WHERE due_at < now() - interval '10 s'))::int AS overdue
      FROM tasks GROUP BY 1, 2`,
    // All of it is in the index tasks_sends.
    db<WaitingCounts["sagas"][number][]>`
      SELECT kind, CASE WHEN aborting THEN 'abort' ELSE op END AS step, count(*)::int AS count,
        greatest(0, extract(epoch FROM now() - min(due_at)))::float8 AS oldest_seconds
      FROM tasks WHERE target_kind IS NOT NULL GROUP BY 1, 2`,
    db<{ free: number }[]>`
      SELECT count(*)::int AS free FROM leases WHERE owner IS NULL OR expires_at < now()`,
    db<{ seconds: number }[]>`
      SELECT coalesce(extract(epoch FROM now() - min(oldest.created_at)), 0)::float8 AS seconds
      FROM outbox_progress p CROSS JOIN LATERAL (
        SELECT o.created_at FROM outbox o WHERE o.partition = p.partition AND o.seq > p.seq
        ORDER BY o.seq LIMIT 1) oldest`,
  ]);
  return {
    tasks,
    sagas,
    partitionsWithoutOwner: leases?.free ?? 0,
    outboxOldestSeconds: Math.max(0, outbox?.seconds ?? 0),
  };
}
