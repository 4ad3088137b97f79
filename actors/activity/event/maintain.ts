import type { Logger } from "pino";
import type { Sql } from "../../platform/db/sql.ts";
import { repeat } from "../../platform/repeat.ts";
import type { Definitions } from "../../registry.ts";
import type { ActorsOf } from "../../runtime/client.ts";
import { countDay, makePartition, readErasures, readKeptSince, sweepErased, sweepOld } from "./queries.ts";

/** Deletions hold already: this is when their rows go. */
const SWEEP_MS = 2_000;
/** Months are made, days counted, and what is too old goes, this often. */
const KEEP_MS = 60_000;
/** Rows that go in one statement: a few milliseconds of locks. */
const SWEEP_ROWS = 1_000;
/** Statements of one round: the rest waits for the next, so that no round is without end. */
const SWEEPS_MAX = 500;
/** Partitions are made for this month and those to come. */
const MONTHS_AHEAD = 3;
/** An event is committed within seconds of its date, or not at all: its host has lost its lease by then. */
const DAY_IS_OVER_AFTER_MS = 60 * 60 * 1000;

export interface UpkeepOptions {
  readonly db: Sql;
  readonly actors: ActorsOf<Definitions>;
  readonly log: Logger;
}

/**
 * Keeps the event log's tables: months ahead, counts of days that are over, rows of deletions gone. Every actor host does it; the
 * database has them take turns. The answer stops it.
 */
export function keepEventLog({ db, actors, log }: UpkeepOptions): () => void {
  let stopped = false;

  async function sweep(): Promise<void> {
    let sweeps = 0;
    const isSpent = () => stopped || sweeps++ >= SWEEPS_MAX;
    for (const erasure of await readErasures(db)) {
      let went: number;
      do {
        if (isSpent()) return;
        went = await sweepErased(db, erasure, SWEEP_ROWS);
      } while (went > 0);
      const { id, userId } = erasure;
      await actors.event_log(userId).erased({ erasure_id: id }, { key: `erased:${id}` });
    }
  }

  async function keep(): Promise<void> {
    const now = new Date();
    for (let ahead = 0; ahead <= MONTHS_AHEAD && !stopped; ahead++) {
      await makePartition(db, new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead)));
    }
    const keptSince = await readKeptSince(db);
    for (let sweeps = 0; keptSince !== undefined && !stopped && sweeps < SWEEPS_MAX; sweeps++) {
      if (!(await sweepOld(db, keptSince, SWEEP_ROWS))) break;
    }
    const until = new Date(now.getTime() - DAY_IS_OVER_AFTER_MS);
    while (!stopped && (await countDay(db, until)));
  }

  const failed = "the event log's upkeep failed; it is tried again";
  const ends = [repeat(SWEEP_MS, sweep, log, failed), repeat(KEEP_MS, keep, log, failed)];
  return () => {
    stopped = true;
    for (const end of ends) end();
  };
}
