import { diskUse } from "../containers/disk.ts";
import type { Limits } from "../containers/limits.ts";

/** After a container was stopped for its disk, a restart leaves its owner so long to get in and remove files. */
const GRACE_MS = 60_000;
const MEGABYTE = 1024 * 1024;

/** A container's share of the host's disk. */
export class DiskShare {
  #checkNotBeforeMs = 0;

  constructor(
    private readonly folder: string,
    private readonly limits: Limits,
  ) {}

  /**
   * Why it must not go on, in words for its owner; null while it has room, or time to make some.
   *
   * @param processes its own, as the host numbers them
   */
  async excessReason(processes: () => Promise<readonly number[]>): Promise<string | null> {
    if (performance.now() < this.#checkNotBeforeMs) return null;
    const { files: filesMax, diskMegabytes } = this.limits;
    const { files, bytes } = await diskUse(this.folder, filesMax, await processes());
    const megabytes = Math.ceil(bytes / MEGABYTE);
    const what =
      files > filesMax
        ? `it has more than the ${filesMax} files and folders that it may have (BERTH_CONTAINER_FILES of its host)`
        : `its files take ${megabytes} MB and may take ${diskMegabytes} (BERTH_CONTAINER_DISK_MB of its host)`;
    if (files <= filesMax && megabytes <= diskMegabytes) return null;
    return `${what}: it is stopped. Restart it and remove some within ${GRACE_MS / 1_000} s`;
  }

  /** It runs again after it was stopped for this. Not at every start: the disk of a command that keeps ending would never be looked at. */
  grantGracePeriod(): void {
    this.#checkNotBeforeMs = performance.now() + GRACE_MS;
  }
}
