import { copyFile, stat, truncate } from "node:fs/promises";
import { join } from "node:path";

/** A container's log on the host's disk takes at most twice this: the file that grows and the one before. */
export const LOG_BYTES_MAX = 8 * 1024 * 1024;

/**
 * Moves a log that grew too long to `log.1`, for what writes to it directly and goes on in the same file, which is open for
 * appending. In the `namespaces` driver log.sh writes it, and never more than it should.
 */
export async function trimLog(folder: string): Promise<void> {
  const log = join(folder, "log");
  const size = await stat(log).then(
    (found) => found.size,
    () => 0,
  );
  if (size <= LOG_BYTES_MAX) return;
  await copyFile(log, `${log}.1`);
  await truncate(log, 0);
}
