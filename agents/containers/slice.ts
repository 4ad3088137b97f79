import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CGROUP_ROOT, CPU_PERIOD_US, groupFolder, isUnified, memoryWrites, type Write } from "./cgroup.ts";
import type { SliceLimits } from "./limits.ts";

/** The control group in which all containers of a project lie: what they may take of the host together. */

/** The kernel's standard weights: under load each project has an equal part of the processors, however many containers it has. */
const WEIGHT = { v1: "1024", v2: "100" };
const UNLIMITED_QUOTA = "-1";

interface Part {
  readonly controller: "cpu" | "memory" | "pids" | "blkio";
  readonly writes: (folder: string) => Promise<readonly Write[]> | readonly Write[];
}

/**
 * Holds a project to its limits. Its group exists, with a container in it; what this host cannot limit is left out (`unlimited`).
 *
 * @param path on the disk whose speed is limited
 * @returns the controllers that refused, as a host without memory to spare refuses a lower limit
 */
export async function limitSlice(
  tenant: string,
  limits: SliceLimits,
  path: string,
  root = CGROUP_ROOT,
): Promise<string[]> {
  const refused: string[] = [];
  for (const { controller, writes } of isUnified(root) ? partsV2(limits, path) : partsV1(limits, path)) {
    const folder = groupFolder(controller, tenant, root);
    try {
      for (const [file, text] of await writes(folder))
        if (existsSync(join(folder, file))) await writeFile(join(folder, file), text);
    } catch {
      if (existsSync(folder)) refused.push(controller);
    }
  }
  return refused;
}

function partsV2({ cpus, memoryBytes, processes, diskBytesPerSecond }: SliceLimits, path: string): Part[] {
  const quota = cpus === null ? "max" : String(Math.round(cpus * CPU_PERIOD_US));
  const rate = diskBytesPerSecond ?? "max";
  const disk = diskOf(path);
  return [
    {
      controller: "cpu",
      writes: () => [
        ["cpu.weight", WEIGHT.v2],
        ["cpu.max", `${quota} ${CPU_PERIOD_US}`],
      ],
    },
    {
      controller: "memory",
      writes: () => [
        ["memory.swap.max", "0"],
        ["memory.max", String(memoryBytes)],
      ],
    },
    { controller: "pids", writes: () => [["pids.max", String(processes)]] },
    {
      controller: "blkio",
      writes: () => (disk === null ? [] : [["io.max", `${disk} rbps=${rate} wbps=${rate}`]]),
    },
  ];
}

function partsV1({ cpus, memoryBytes, processes, diskBytesPerSecond }: SliceLimits, path: string): Part[] {
  const quota = cpus === null ? UNLIMITED_QUOTA : String(Math.round(cpus * CPU_PERIOD_US));
  const disk = diskOf(path);
  const rate = `${disk} ${diskBytesPerSecond ?? 0}`;
  return [
    {
      controller: "cpu",
      writes: () => [
        ["cpu.shares", WEIGHT.v1],
        ["cpu.cfs_quota_us", quota],
      ],
    },
    { controller: "memory", writes: (folder) => memoryWrites(folder, String(memoryBytes)) },
    { controller: "pids", writes: () => [["pids.max", String(processes)]] },
    {
      controller: "blkio",
      writes: () =>
        disk === null
          ? []
          : [
              ["blkio.throttle.read_bps_device", rate],
              ["blkio.throttle.write_bps_device", rate],
            ],
    },
  ];
}

/** The whole disk that a path is on, as `major:minor`; null for what is on none, such as memory. */
export function diskOf(path: string): string | null {
  const { dev } = statSync(path);
  const device = `/sys/dev/block/${(dev >>> 8) & 0xfff}:${(dev & 0xff) | ((dev >>> 12) & 0xfff00)}`;
  if (!existsSync(device)) return null;
  const folder = realpathSync(device);
  const whole = existsSync(join(folder, "partition")) ? dirname(folder) : folder;
  return readFileSync(join(whole, "dev"), "utf8").trim();
}
