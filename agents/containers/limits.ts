import { statfsSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import type { AppliedResources } from "../../schemas/hosting/container.ts";
import type { Resources } from "../../schemas/hosting/container-settings.ts";

/** What one container may take of its host. */
export interface Limits {
  /** Of the host's processors; may be a fraction. */
  readonly cpus: number;
  /** Of the host's memory, without swap. */
  readonly memoryBytes: number;
  /** Of the host's disk, for its files. One file alone never grows past it; many are noticed by a check. */
  readonly diskMegabytes: number;
  /** Files and folders: a disk has so many inodes and no more, and looking through them takes its time. */
  readonly files: number;
  /** The most that a container may ask for, where the operator has set it; otherwise what the host has. */
  readonly most?: Partial<Pick<Limits, "cpus" | "memoryBytes" | "diskMegabytes">>;
}

export const BYTES_PER_MEGABYTE = 1024 * 1024;

/** What a container has that asks for nothing: one alone never takes the whole host. */
export const DEFAULT_LIMITS: Limits = {
  cpus: Math.max(1, Math.floor(availableParallelism() / 2)),
  memoryBytes: Math.min(4 * 1024 ** 3, Math.floor(totalmem() / 2)),
  diskMegabytes: 10_240,
  // About what ext4 makes of inodes for so much disk.
  files: 500_000,
};

/** The rest is for the host's own programs. */
const SHARE_MAX = 7 / 8;
const HOST = {
  cpus: availableParallelism(),
  memoryBytes: Math.floor(totalmem() * SHARE_MAX),
  diskMegabytes: Math.floor((diskBytes("/") * SHARE_MAX) / BYTES_PER_MEGABYTE),
};

function diskBytes(folder: string): number {
  const { blocks, bsize } = statfsSync(folder);
  return blocks * bsize;
}

/** The limits of a container that asks for resources; the control plane has checked them against the server's specification. */
export function limitsFor(standard: Limits, asked: Resources | undefined): Limits {
  const most = { ...HOST, ...standard.most };
  const { cpu_cores, memory_bytes, disk_bytes } = asked ?? {};
  const disk = disk_bytes == null ? null : Math.ceil(disk_bytes / BYTES_PER_MEGABYTE);
  return {
    ...standard,
    cpus: Math.min(cpu_cores ?? standard.cpus, most.cpus),
    memoryBytes: Math.min(memory_bytes ?? standard.memoryBytes, most.memoryBytes),
    diskMegabytes: Math.min(disk ?? standard.diskMegabytes, most.diskMegabytes),
  };
}

/** What a container is held to, for its record. */
export const appliedResources = (
  { cpus, memoryBytes, diskMegabytes }: Limits,
  unenforced: AppliedResources["unenforced"],
): AppliedResources => ({
  cpu_cores: cpus,
  memory_bytes: memoryBytes,
  disk_bytes: diskMegabytes * BYTES_PER_MEGABYTE,
  unenforced,
});
