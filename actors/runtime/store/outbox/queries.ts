import type { Origin } from "../../../../schemas/origin.ts";
import type { Sql } from "../../../platform/db/sql.ts";
import type { Store } from "../../ports.ts";

/** Committed effects, and how far each partition's were delivered. */
type OutboxStore = Pick<Store, "sequences" | "effectsAfter" | "saveProgress" | "rewind">;

export const outboxStore = (db: Sql): OutboxStore => ({
  async sequences(partitions) {
    const rows = await db<{ partition: number; delivered: bigint; last: bigint }[]>`
      SELECT p.partition, p.seq AS delivered, greatest(p.seq, (
        SELECT o.seq FROM outbox o WHERE o.partition = p.partition ORDER BY o.seq DESC LIMIT 1)) AS last
      FROM outbox_progress p WHERE p.partition = ANY (${[...partitions]}::int[])`;
    return rows.map((row) => ({
      partition: row.partition,
      lastSeq: Number(row.last),
      deliveredSeq: Number(row.delivered),
    }));
  },

  async effectsAfter(partition, seq, limit) {
    const rows = await db<
      { partition: number; seq: bigint; topic: string; body: object; origin: Origin | null }[]
    >`
      SELECT partition, seq, topic, body, origin FROM outbox
      WHERE partition = ${partition} AND seq > ${seq} ORDER BY seq LIMIT ${limit}`;
    return rows.map((row) => ({ ...row, seq: Number(row.seq) }));
  },

  async saveProgress(progress) {
    const columns = [
      progress.map(({ partition }) => partition),
      progress.map(({ epoch }) => epoch),
      progress.map(({ seq }) => seq),
    ] as const;
    await db`
      UPDATE outbox_progress p SET seq = greatest(p.seq, done.seq)
      FROM unnest(${columns[0]}::int[], ${columns[1]}::bigint[], ${columns[2]}::bigint[]) AS done (partition, epoch, seq),
        leases l
      WHERE p.partition = done.partition AND l.partition = p.partition
        -- Numbers of another history say nothing of this one. A statement that waited for the connection during a failover
        -- arrives when the partition is held again, under another epoch.
        AND l.epoch = done.epoch AND coalesce(l.timeline, current_timeline()) = current_timeline()`;
  },

  async rewind(partitions) {
    await db`
      UPDATE outbox_progress p SET seq = oldest.seq - 1
      FROM outbox_progress wanted
      CROSS JOIN LATERAL (
        SELECT o.seq FROM outbox o WHERE o.partition = wanted.partition ORDER BY o.seq LIMIT 1) oldest
      WHERE p.partition = wanted.partition
        AND (${partitions === undefined} OR wanted.partition = ANY (${[...(partitions ?? [])]}::int[]))`;
  },
});

/** How long rows are kept that nobody needs any more, in hours. */
export interface Retention {
  /** Receipts of minted keys: longer than any retry. */
  readonly receipts: number;
  /** Delivered effects: so long a lost stream can be filled again. */
  readonly effects: number;
}

/** Rows deleted at a time: of receipts in all, and of the outbox for each partition. */
const PRUNE_RECEIPTS_MAX = 5_000;
const PRUNE_EFFECTS_MAX = 500;

/** Deletes expired receipts and effects, a bounded number of rows at a time. Returns how many rows it deleted. */
export async function prune(db: Sql, hours: Retention): Promise<number> {
  const receipts = await db`
    DELETE FROM receipts WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM receipts WHERE minted AND created_at < now() - ${hours.receipts}::int * interval '1 hour'
      ORDER BY created_at LIMIT ${PRUNE_RECEIPTS_MAX}))`;
  // The oldest effects of a partition have its lowest numbers, so only those are read.
  const effects = await db`
    DELETE FROM outbox WHERE ctid = ANY (ARRAY(
      SELECT oldest.ctid FROM outbox_progress p CROSS JOIN LATERAL (
        SELECT o.ctid, o.created_at FROM outbox o
        WHERE o.partition = p.partition AND o.seq <= p.seq ORDER BY o.seq LIMIT ${PRUNE_EFFECTS_MAX}) oldest
      WHERE oldest.created_at < now() - ${hours.effects}::int * interval '1 hour'))`;
  return receipts.count + effects.count;
}

/**
 * Deletes receipts of clients' keys from before a time, a bounded number of rows at a time. Those that something still waits for
 * stay: of sagas that have not ended, and of sends that are not done. Returns how many rows it deleted.
 */
export async function pruneClientReceipts(db: Sql, before: Date): Promise<number> {
  const { count } = await db`
    DELETE FROM receipts WHERE ctid = ANY (ARRAY(
      SELECT r.ctid FROM receipts r
      WHERE NOT r.minted AND r.created_at < ${before}
        AND (r.saga IS NULL OR EXISTS (SELECT FROM receipts e WHERE e.actor_id = r.actor_id AND e.key = r.saga))
        AND (r.actor_id, r.key) NOT IN (
          SELECT t.target_id, t.target_kind || '.' || t.op || ':' || t.key FROM tasks t WHERE t.target_id IS NOT NULL)
      ORDER BY r.created_at LIMIT ${PRUNE_RECEIPTS_MAX}))`;
  return count;
}
