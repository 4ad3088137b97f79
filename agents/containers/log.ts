import { copyFile, stat, truncate } from "node:fs/promises";
import { join } from "node:path";

/** A container's log on the host's disk takes at most twice this: the file that grows and the one before. */
export const LOG_BYTES_MAX = 8 * 1024 * 1024;
/** Before it is full: the supervisor of a container begins a full log anew, whatever was in it. */
const TRIM_BYTES = LOG_BYTES_MAX / 2;

/**
 * Moves a log that grew too long to `log.1`, for what writes to it directly and goes on in the same file, which is open for
 * appending. The supervisor of an isolated container writes no more than it should, also while there is no agent.
 */
export async function trimLog(folder: string): Promise<void> {
  const log = join(folder, "log");
  const size = await stat(log).then(
    (found) => found.size,
    () => 0,
  );
  if (size <= TRIM_BYTES) return;
  await copyFile(log, `${log}.1`);
  await truncate(log, 0);
}
