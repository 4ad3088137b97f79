import { resourcesOf } from "../../schemas/hosting/container-settings.ts";
import type { HostUsage, SubserverUsage } from "../../schemas/hosting/usage.ts";
import type { ServerSpecs } from "../../schemas/market/server.ts";

/** The present use of a part of a server: that of its containers, beside what its specifications state. */
export function subserverUsage(
  { measured_at, uptime_seconds, containers }: HostUsage,
  specs: ServerSpecs,
  own: ReadonlySet<string>,
): SubserverUsage {
  const mine = containers.filter(({ id }) => own.has(id));
  // One of which nothing is counted is between two runs; where that is so of all, the host counts none.
  const counted = mine.filter(
    ({ cpu_percent, memory_bytes }) => cpu_percent !== null || memory_bytes !== null,
  );
  const running = counted.length === 0 ? mine : counted;
  const cpuPercent = sum(running.map(({ cpu_percent }) => cpu_percent));
  const memoryBytes = sum(running.map(({ memory_bytes }) => memory_bytes));
  const { cpu_cores, memory_bytes: totalBytes, disk_bytes } = resourcesOf(specs);
  return {
    measured_at,
    uptime_seconds,
    cpu: { cores: cpu_cores, usage_percent: share(cpuPercent, cpu_cores) },
    memory: {
      total_bytes: totalBytes,
      used_bytes: memoryBytes,
      usage_percent: share(memoryBytes === null ? null : memoryBytes * 100, totalBytes),
    },
    disk: { total_bytes: disk_bytes },
    containers: mine,
  };
}

/** Null where one of them is unknown: a sum without it would be too small. */
const sum = (values: readonly (number | null)[]): number | null =>
  values.reduce<number | null>((all, value) => (all === null || value === null ? null : all + value), 0);

/** A percentage with two decimals, 100 at most. */
const share = (part: number | null, whole: number | null): number | null =>
  part === null || whole === null ? null : Math.min(100, Math.round((part / whole) * 100) / 100);
