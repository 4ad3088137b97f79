import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { arch, availableParallelism, release, totalmem } from "node:os";
import { dirname } from "node:path";
import { type HostFacts, UNLIMITED_NAMES, type Unlimited } from "../../schemas/hosting/host.ts";
import { VERSION } from "../../system/version.ts";
import { unlimited } from "../containers/cgroup.ts";
import { DEFAULT_RUNTIME, RUNTIME_NAMES, type RuntimeName } from "../containers/oci/runtime-program.ts";
import { hasOwnCounters } from "../containers/oci/user-counters.ts";
import { canLimitBandwidth } from "../network/bandwidth.ts";
import { canLimitParts } from "../network/part-bandwidth.ts";

/**
 * Reads what an administrator wants to know of a machine.
 *
 * @param folder on the disk that containers live on; it may not exist yet
 * @param runtime the OCI runtime with its version; null: none, or not known yet
 */
export async function readHostFacts(
  folder: string,
  driver: HostFacts["driver"],
  runtime: string | null = null,
): Promise<HostFacts> {
  const disk = await statfs(existingAbove(folder));
  return {
    agent_version: VERSION,
    architecture: arch(),
    cores: availableParallelism(),
    memory_bytes: totalmem(),
    disk_bytes: disk.blocks * disk.bsize,
    disk_free_bytes: disk.bavail * disk.bsize,
    kernel: release(),
    cgroups: cgroupsOf(),
    driver,
    runtime,
    unlimited: driver === "process" ? [...UNLIMITED_NAMES] : await unlimitedOnHost(runtime),
  };
}

/** What this host limits no container in. @param runtime the OCI runtime with its version; null: not known, and the usual one counts */
export const unlimitedOnHost = async (runtime: string | null): Promise<Unlimited[]> => [
  ...unlimited(),
  ...((await canLimitBandwidth()) ? [] : (["bandwidth"] as const)),
  ...((await canLimitParts()) ? [] : (["part_bandwidth"] as const)),
  ...((await hasOwnCounters(runtimeNamed(runtime))) ? [] : (["user_counters"] as const)),
];

const runtimeNamed = (text: string | null): RuntimeName =>
  RUNTIME_NAMES.find((name) => text?.startsWith(`${name} `)) ?? DEFAULT_RUNTIME;

function cgroupsOf(): HostFacts["cgroups"] {
  if (existsSync("/sys/fs/cgroup/cgroup.controllers")) return "v2";
  return existsSync("/sys/fs/cgroup/memory") ? "v1" : "none";
}

const existingAbove = (folder: string): string =>
  existsSync(folder) || folder === dirname(folder) ? folder : existingAbove(dirname(folder));
