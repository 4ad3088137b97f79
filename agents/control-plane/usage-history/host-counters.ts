import { readFile } from "node:fs/promises";
import { cpus } from "node:os";
import { interfaceBytes, type UsageCounters } from "../../containers/usage.ts";
import { readDisk, readMemory } from "../host-usage.ts";

const MICROS_PER_MS = 1_000;
const DEFAULT_ROUTE = /^(\S+)\t00000000\t/gm;

/** What this host has used. @param disk a folder on the disk that containers live on */
export async function hostCounters(disk: string): Promise<UsageCounters> {
  const busyMs = cpus()
    .flatMap(({ times: { idle: _, ...busy } }) => Object.values(busy))
    .reduce((sum, ms) => sum + ms, 0);
  const [memory, space, network] = await Promise.all([readMemory(), readDisk(disk), outerInterfaceBytes()]);
  return {
    cpuMicros: busyMs * MICROS_PER_MS,
    memoryBytes: memory.used_bytes,
    diskBytes: space.used_bytes,
    ...network,
  };
}

/** Of the interfaces that lead out, by the default routes; containers' links count a second time what passes there. */
async function outerInterfaceBytes(): Promise<Pick<UsageCounters, "receivedBytes" | "sentBytes">> {
  const routes = await readFile("/proc/net/route", "utf8").catch(() => "");
  const names = new Set([...routes.matchAll(DEFAULT_ROUTE)].map(([, name = ""]) => name));
  const each = await Promise.all([...names].map(interfaceBytes));
  const sum = (of: "receivedBytes" | "sentBytes") =>
    each.length === 0 ? null : each.reduce((all, one) => all + (one[of] ?? 0), 0);
  return { receivedBytes: sum("receivedBytes"), sentBytes: sum("sentBytes") };
}
