import { statfsSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import type { AppliedResources } from "../../schemas/hosting/container.ts";
import type { ContainerSpec } from "./driver.ts";

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
  /** Megabits per second, each way; null: no limit. */
  readonly bandwidthMbps: number | null;
  /** What the containers of a project may take together. */
  readonly slice: SliceLimits;
  /** The most that a container may ask for, where the operator has set it; otherwise what the host has. */
  readonly most?: Partial<Pick<Limits, "cpus" | "memoryBytes" | "diskMegabytes">>;
}

export interface SliceLimits {
  /** Null: all of the host's, shared with other projects by equal weights. */
  readonly cpus: number | null;
  /** Without swap. */
  readonly memoryBytes: number;
  readonly processes: number;
  /** Read and written, each, on the disk with the agent's folder; null: no limit. */
  readonly diskBytesPerSecond: number | null;
}

export const BYTES_PER_MEGABYTE = 1024 * 1024;
/** The rest is for the host's own programs. */
const SHARE_MAX = 7 / 8;
const HOST_MEMORY = Math.floor(totalmem() * SHARE_MAX);

/** What a container has that asks for nothing: one alone never takes the whole host. */
export const DEFAULT_LIMITS: Limits = {
  cpus: Math.max(1, Math.floor(availableParallelism() / 2)),
  memoryBytes: Math.min(4 * 1024 ** 3, Math.floor(totalmem() / 2)),
  diskMegabytes: 10_240,
  // About what ext4 makes of inodes for so much disk.
  files: 500_000,
  bandwidthMbps: null,
  // Eight containers that take all of theirs.
  slice: { cpus: null, memoryBytes: HOST_MEMORY, processes: 8_192, diskBytesPerSecond: null },
};

const HOST = {
  cpus: availableParallelism(),
  memoryBytes: HOST_MEMORY,
  diskMegabytes: Math.floor((diskBytes("/") * SHARE_MAX) / BYTES_PER_MEGABYTE),
};

function diskBytes(folder: string): number {
  const { blocks, bsize } = statfsSync(folder);
  return blocks * bsize;
}

/**
 * The limits of a container: what it asks for, else the standard, and never more than its host, or the part of it that its
 * tenant rents.
 */
export function limitsFor(
  standard: Limits,
  { resources: asked, serverResources: server }: Pick<ContainerSpec, "resources" | "serverResources">,
): Limits {
  const most = { ...HOST, ...standard.most };
  const { cpu_cores, memory_bytes, disk_bytes } = asked ?? {};
  const disk = inMegabytes(disk_bytes);
  return {
    ...standard,
    cpus: least(cpu_cores ?? standard.cpus, most.cpus, server?.cpu_cores, standard.slice.cpus),
    memoryBytes: least(
      memory_bytes ?? standard.memoryBytes,
      most.memoryBytes,
      server?.memory_bytes,
      standard.slice.memoryBytes,
    ),
    bandwidthMbps: leastOrNone(asked?.bandwidth_mbps, standard.bandwidthMbps, server?.bandwidth_mbps),
    diskMegabytes: least(disk ?? standard.diskMegabytes, most.diskMegabytes, inMegabytes(server?.disk_bytes)),
  };
}

/** The limits of a tenant's containers together: those of a part of the host never have more than the part. */
export const sliceLimitsFor = (
  { slice }: Limits,
  { isPart, serverResources: server }: Pick<ContainerSpec, "isPart" | "serverResources">,
): SliceLimits =>
  isPart
    ? {
        ...slice,
        cpus: leastOrNone(slice.cpus, server?.cpu_cores),
        memoryBytes: least(slice.memoryBytes, server?.memory_bytes),
      }
    : slice;

/** Null: none of them is a limit. */
const leastOrNone = (...values: (number | null | undefined)[]): number | null => {
  const given = values.filter((value) => value != null);
  return given.length === 0 ? null : Math.min(...given);
};

const least = (...values: (number | null | undefined)[]): number =>
  Math.min(...values.filter((value) => value != null));

const inMegabytes = (bytes: number | null | undefined): number | null =>
  bytes == null ? null : Math.ceil(bytes / BYTES_PER_MEGABYTE);

/** What a container is held to, for its record. */
export const appliedResources = (
  { cpus, memoryBytes, diskMegabytes, bandwidthMbps }: Limits,
  unenforced: AppliedResources["unenforced"],
): AppliedResources => ({
  cpu_cores: cpus,
  memory_bytes: memoryBytes,
  disk_bytes: diskMegabytes * BYTES_PER_MEGABYTE,
  bandwidth_mbps: bandwidthMbps,
  unenforced,
});
