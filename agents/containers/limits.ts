import { availableParallelism } from "node:os";

/** What one container may take of its host, as the operator sets it. */
export interface Limits {
  /** Of the host's processors; may be a fraction. */
  readonly cpus: number;
  /** Of the host's disk, for its files. One file alone never grows past it; many are noticed by a check. */
  readonly diskMegabytes: number;
  /** Files and folders: a disk has so many inodes and no more, and looking through them takes its time. */
  readonly files: number;
}

/** One container alone never takes the whole host. */
export const DEFAULT_LIMITS: Limits = {
  cpus: Math.max(1, Math.floor(availableParallelism() / 2)),
  diskMegabytes: 10_240,
  // About what ext4 makes of inodes for so much disk.
  files: 500_000,
};
