import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { openSql, type Sql } from "../../../platform/db/sql.ts";
import { writeDayFile } from "./day-file.ts";
import { lockArchive, readDay, readNextDay, recordArchived } from "./queries.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** A day of millions of events is read for minutes; a host that stands still meanwhile loses the lock. */
const SESSION = { statement_timeout: "0", idle_in_transaction_session_timeout: "60000" };

export interface ArchiveOptions {
  readonly databaseUrl: string;
  /** An existing folder. Hosts on several machines share it, or have one each. */
  readonly folder: string;
}

/**
 * Writes the events of each whole day before a time into the archive, oldest first, and notes each day in the database when its
 * file is on the disk. One host does it at a time. Whatever interrupts it, the next call goes on with the same day.
 *
 * @returns how many events it wrote @throws when the folder cannot be written
 */
export async function archiveEvents(
  { databaseUrl, folder }: ArchiveOptions,
  before: Date,
  signal: AbortSignal,
): Promise<number> {
  // Said at once, and not only on the day on which there is something to write.
  await access(folder, constants.W_OK);
  const end = new Date(Math.floor(before.getTime() / DAY_MS) * DAY_MS);
  const db = openSql(databaseUrl, { max: 1, name: "berth-archive", session: SESSION });
  try {
    let written = 0;
    for (;;) {
      if (signal.aborted) return written;
      const events = await db.begin((tx) => archiveNextDay(tx as unknown as Sql, folder, end));
      if (events === undefined) return written;
      written += events;
    }
  } finally {
    await db.end({ timeout: 5 });
  }
}

/** @returns the number of its events; undefined if there is nothing to do, or another host does it */
async function archiveNextDay(tx: Sql, folder: string, end: Date): Promise<number | undefined> {
  if (!(await lockArchive(tx))) return undefined;
  const day = await readNextDay(tx, end);
  if (day === undefined) {
    // The days up to the end had no events.
    await recordArchived(tx, end);
    return undefined;
  }
  const next = new Date(day.getTime() + DAY_MS);
  const file = await writeDayFile(folder, day.toISOString().slice(0, 10), readDay(tx, day, next));
  await recordArchived(tx, next);
  return file?.events ?? 0;
}
