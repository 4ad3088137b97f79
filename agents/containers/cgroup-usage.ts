import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { CGROUP_ROOT } from "./cgroup.ts";

/** What a container has used, as its group counts it: cgroup v2, or the v1 controllers. Null where the kernel does not count. */
export interface GroupUsage {
  readonly cpuMicros: number | null;
  readonly memoryBytes: number | null;
}

const NANOS_PER_MICRO = 1_000;

/** @param name of the group, below Berth's own (cgroup.ts) */
export async function usageOf(name: string, root = CGROUP_ROOT): Promise<GroupUsage> {
  const group = (controller: string, file: string) => join(root, controller, "berth", name, file);
  const number = async (file: string) => {
    const text = await readFile(file, "utf8").catch(() => "");
    return /^\d+\s*$/.test(text) ? Number(text) : null;
  };
  const stat = await readFile(group("", "cpu.stat"), "utf8").catch(() => "");
  const [, micros] = /^usage_usec (\d+)$/m.exec(stat) ?? [];
  if (micros !== undefined)
    return { cpuMicros: Number(micros), memoryBytes: await number(group("", "memory.current")) };
  const nanos =
    (await number(group("cpuacct", "cpuacct.usage"))) ?? (await number(group("cpu", "cpuacct.usage")));
  return {
    cpuMicros: nanos === null ? null : Math.round(nanos / NANOS_PER_MICRO),
    memoryBytes: await number(group("memory", "memory.usage_in_bytes")),
  };
}
