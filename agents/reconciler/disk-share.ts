import { diskUse } from "../containers/disk.ts";
import type { Limits } from "../containers/limits.ts";

/** After a stop for its disk use, a restarted container gives its owner this time to remove files. */
const GRACE_MS = 60_000;
const MEGABYTE = 1024 * 1024;
/** The end of each reason. */
export const STOPPED = `it is stopped. Restart it and remove some within ${GRACE_MS / 1_000} s`;

/** A container's share of the host's disk. */
export class DiskShare {
  #checkNotBeforeMs = 0;
  #bytes: number | null = null;

  constructor(
    private readonly folder: string,
    private readonly limits: () => Limits,
  ) {}

  /**
   * Why it must be stopped, as a message for its owner; null while it is within its share or its grace period.
   * @param processes its processes, by their ids on the host
   */
  async excessReason(processes: () => Promise<readonly number[]>): Promise<string | null> {
    if (this.isInGracePeriod) return null;
    const { files: filesMax, diskMegabytes } = this.limits();
    const { files, bytes } = await diskUse(this.folder, filesMax, await processes());
    this.#bytes = bytes;
    const megabytes = Math.ceil(bytes / MEGABYTE);
    const what =
      files > filesMax
        ? `it has more than the ${filesMax} files and folders that it may have (BERTH_CONTAINER_FILES of its host)`
        : `its files take ${megabytes} MB and may take ${diskMegabytes} (resources.disk_bytes, or BERTH_CONTAINER_DISK_MB of its host)`;
    if (files <= filesMax && megabytes <= diskMegabytes) return null;
    return `${what}: ${STOPPED}`;
  }

  /** Whether its owner has time to remove files. */
  get isInGracePeriod(): boolean {
    return performance.now() < this.#checkNotBeforeMs;
  }

  /** Measures it, and stops nothing. */
  async measure(): Promise<void> {
    this.#bytes = (await diskUse(this.folder, this.limits().files, [])).bytes;
  }

  /** What it took when it was measured last; null: it was not yet. */
  get bytes(): number | null {
    return this.#bytes;
  }

  /**
   * Grants the grace period at a restart after such a stop. Not at every start: otherwise the disk of a command that
   * keeps ending would never be checked.
   */
  grantGracePeriod(): void {
    this.#checkNotBeforeMs = performance.now() + GRACE_MS;
  }
}
