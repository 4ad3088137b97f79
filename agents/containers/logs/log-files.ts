import {
  closeSync,
  existsSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";

/**
 * The files of a container's log. Its writer (conmon, or write-log.pl) outlives the agent and knows two names alone: it
 * appends to `log`, and when that is full it opens `log.tmp` and renames it to `log`, which would lose what was there.
 *
 * So each file has a second name here, `log.<number>`, in the order of their content. A spare file lies ready as
 * `log.tmp`, under the number after the present one: when the writer has taken it, nothing is missing in between, even
 * if no agent ran meanwhile. A file that the writer has made itself gets a number with a gap before it: an unknown
 * number of files may be lost there.
 */

/** A full file. Its writer begins another one. */
export const LOG_BYTES_MAX = 4 * 1024 * 1024;
/** Full files that are kept. With the growing one and a spare that was filled, a container's log takes 16 MiB. */
const FULL_FILES_MAX = 2;
/** conmon counts the bytes of each run from 0, so a log that is this long is not continued by another run. */
const CONTINUED_BYTES_MAX = LOG_BYTES_MAX / 2;

const NUMBERED = /^log\.([1-9]\d{0,11})$/;

/** The numbers of the files with content, oldest first. The last one may grow; there may be none. */
export type LogNumbers = readonly number[];

export const logPath = (folder: string, number: number): string => join(folder, `log.${number}`);

/** Before the container starts: there is a file to append to. */
export function prepareLog(folder: string): void {
  const log = join(folder, "log");
  if (!existsSync(log)) closeSync(openSync(log, "wx", 0o600));
  maintainLog(folder);
  if (statSync(log).size <= CONTINUED_BYTES_MAX) return;
  renameSync(join(folder, "log.tmp"), log);
  maintainLog(folder);
}

/** Names the files that the writer has begun, keeps a spare one ready, and removes the oldest. */
export function maintainLog(folder: string): LogNumbers {
  const log = join(folder, "log");
  const current = inodeOf(log);
  if (current === null) return [];
  const known = numbersIn(folder);
  let number = known.findLast((one) => inodeOf(logPath(folder, one)) === current);
  if (number === undefined) {
    number = known.length === 0 ? 1 : Math.max(...known) + 2;
    linkSync(log, logPath(folder, number));
  }
  keepSpare(folder, number + 1);
  const filled = [...known.filter((one) => one < (number ?? 0)), number];
  const kept = filled.slice(-1 - FULL_FILES_MAX);
  for (const old of filled.slice(0, -kept.length)) rmSync(logPath(folder, old), { force: true });
  return kept;
}

function keepSpare(folder: string, number: number): void {
  const spare = logPath(folder, number);
  if (!existsSync(spare)) closeSync(openSync(spare, "wx", 0o600));
  try {
    linkSync(spare, join(folder, "log.tmp"));
  } catch (error) {
    // It is there already, or the writer is just making one of its own.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

const numbersIn = (folder: string): number[] =>
  readdirSync(folder)
    .flatMap((name) => NUMBERED.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);

const inodeOf = (path: string): number | null => statSync(path, { throwIfNoEntry: false })?.ino ?? null;
