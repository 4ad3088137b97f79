import { diskUsed } from "./sandbox/disk.ts";

/** After a container was stopped for its disk, a restart leaves its owner so long to get in and remove files. */
const GRACE_MS = 60_000;
const MEGABYTE = 1024 * 1024;

/** A container's share of the host's disk. */
export class DiskShare {
  #checkNotBeforeMs = 0;

  constructor(
    private readonly folder: string,
    private readonly megabytes: number,
  ) {}

  /** Why it must not go on, in words for its owner; null while it has room, or time to make some. */
  async excess(): Promise<string | null> {
    if (performance.now() < this.#checkNotBeforeMs) return null;
    const usedMegabytes = Math.ceil((await diskUsed(this.folder)) / MEGABYTE);
    if (usedMegabytes <= this.megabytes) return null;
    return (
      `its files take ${usedMegabytes} MB and may take ${this.megabytes} (BERTH_CONTAINER_DISK_MB of its host): it is stopped. ` +
      `Restart it and remove some within ${GRACE_MS / 1_000} s`
    );
  }

  /** It runs again after it was stopped for this. Not at every start: the disk of a command that keeps ending would never be looked at. */
  leaveTime(): void {
    this.#checkNotBeforeMs = performance.now() + GRACE_MS;
  }
}
