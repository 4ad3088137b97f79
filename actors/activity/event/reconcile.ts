import type { Reconciler } from "../../../system/reconciler.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { BACKSTOP_MS, type DueReconciler } from "../../platform/due/due.ts";
import { startOfRetention } from "../../platform/retention-settings.ts";
import type { ActorsFor } from "../../senders.ts";
import { type ArchiveOptions, archiveEvents } from "./archive/archive.ts";
import { requireArchive } from "./archive/queries.ts";
import {
  ALL_LOGS,
  countDay,
  createPartition,
  deleteErasedEvents,
  deleteExpiredEvents,
  hasErasures,
  readErasures,
  readRetentionStart,
} from "./queries.ts";
import { deleteExpiredAudiences } from "./shared/queries.ts";

/** Interval for deleting rows of erasures. Readers do not see these rows from the moment of the erasure. */
const ERASURE_INTERVAL_MS = 2_000;
/** Interval for creating partitions and counting days, and for deleting events past the retention period. */
const PARTITION_INTERVAL_MS = 60_000;
/** Rows deleted by one statement: a few milliseconds of locks. */
const DELETE_ROWS_MAX = 1_000;
/** Statements of one round. The rest waits for the next round, so that every round ends. */
const STATEMENTS_MAX = 500;
/** Partitions are created for the current month and so many following ones. */
const MONTHS_AHEAD = 3;
/** A day is counted this long after its end. An event is committed within seconds of its date or never: after that its host has lost its lease. */
const COUNT_DAY_AFTER_MS = 60 * 60 * 1000;

export interface MaintenanceOptions {
  readonly db: Sql;
  readonly actors: ActorsFor<"reconciler">;
  /** How long events are kept, in days; 0: until an administrator deletes them. */
  readonly keepDays: number;
  /** Where events are written before they are deleted for their age; undefined: nowhere. */
  readonly archive?: ArchiveOptions | undefined;
}

/**
 * Maintains the event log's tables: creates partitions ahead, counts past days, deletes the rows of erasures and of events past the
 * retention period. Every actor host runs it; a lock in the database makes them take turns.
 */
export function eventLogReconcilers({ db, actors, keepDays, archive }: MaintenanceOptions): Reconciler[] {
  async function deleteErased(signal: AbortSignal): Promise<void> {
    let statements = 0;
    const isSpent = () => signal.aborted || statements++ >= STATEMENTS_MAX;
    for (const erasure of await readErasures(db)) {
      let deletedRows: number;
      do {
        if (isSpent()) return;
        deletedRows = await deleteErasedEvents(db, erasure, DELETE_ROWS_MAX);
      } while (deletedRows > 0);
      const { id, userId } = erasure;
      await actors.event_log(userId).record_erasure({ erasure_id: id }, { key: `erased:${id}` });
    }
  }

  async function maintainPartitions(signal: AbortSignal): Promise<void> {
    const now = new Date();
    for (let ahead = 0; ahead <= MONTHS_AHEAD && !signal.aborted; ahead++) {
      await createPartition(db, new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead)));
    }
    const until = new Date(now.getTime() - COUNT_DAY_AFTER_MS);
    while (!signal.aborted && (await countDay(db, until)));
  }

  /** Ends what is older than the operator's setting for readers, and deletes what readers do not see any more. */
  async function deleteExpired(signal: AbortSignal): Promise<void> {
    if (archive !== undefined) await requireArchive(db);
    const end = startOfRetention(keepDays, new Date());
    let retainedSince = await readRetentionStart(db);
    if (end !== undefined && (retainedSince === undefined || retainedSince < end)) {
      const kept_since = end.toISOString();
      await actors.event_log(ALL_LOGS).advance_retention({ kept_since }, { key: `kept-since:${kept_since}` });
      retainedSince = end;
    }
    if (retainedSince === undefined) return;
    for (let statements = 0; !signal.aborted && statements < STATEMENTS_MAX; statements++) {
      if (!(await deleteExpiredEvents(db, retainedSince, DELETE_ROWS_MAX))) break;
    }
    for (let statements = 0; !signal.aborted && statements < STATEMENTS_MAX; statements++) {
      if ((await deleteExpiredAudiences(db, retainedSince, DELETE_ROWS_MAX)) === 0) break;
    }
  }

  async function archiveExpired(signal: AbortSignal, into: ArchiveOptions): Promise<void> {
    await requireArchive(db);
    await archiveEvents(into, (await readRetentionStart(db)) ?? new Date(0), signal);
  }

  const erasures: DueReconciler = {
    ...{ name: "event-erasures", intervalMs: ERASURE_INTERVAL_MS, backstopMs: BACKSTOP_MS },
    isDue: hasErasures,
    reconcile: deleteErased,
  };
  return [
    erasures,
    { name: "event-partitions", intervalMs: PARTITION_INTERVAL_MS, reconcile: maintainPartitions },
    { name: "event-retention", intervalMs: PARTITION_INTERVAL_MS, reconcile: deleteExpired },
    ...(archive === undefined
      ? []
      : [
          {
            name: "event-archive",
            intervalMs: PARTITION_INTERVAL_MS,
            reconcile: (signal: AbortSignal) => archiveExpired(signal, archive),
          },
        ]),
  ];
}
