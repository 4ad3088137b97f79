import { readFile, statfs } from "node:fs/promises";
import { cpus, freemem, loadavg, totalmem, uptime } from "node:os";
import type { HostUsage } from "../../schemas/hosting/usage.ts";
import { singleFlight } from "../../system/single-flight.ts";
import type { GroupUsage } from "../containers/cgroup-usage.ts";

/** CPU use is measured between two readings; closer together than this they are imprecise. */
const INTERVAL_MS_MIN = 200;
const MICROS_PER_MS = 1_000;
/** A former reading that is older than this is not used. */
const INTERVAL_MS_MAX = 10_000;

interface Look {
  readonly at: number;
  readonly idleMs: number;
  readonly totalMs: number;
  readonly groups: ReadonlyMap<string, GroupUsage>;
}

/** Reads the resource use of this host and its containers. Concurrent requests share a reading. */
export class HostUsageReader {
  #before: Look | undefined;

  /**
   * @param disk a folder on the disk that containers live on
   * @param containers what each has used, by its id
   */
  constructor(
    private readonly disk: string,
    private readonly containers: () => Promise<ReadonlyMap<string, GroupUsage>>,
  ) {}

  readonly read = singleFlight(() => this.#read());

  async #read(): Promise<HostUsage> {
    let before = this.#before;
    if (before === undefined || performance.now() - before.at > INTERVAL_MS_MAX)
      before = await this.#sample();
    const sinceMs = performance.now() - before.at;
    if (sinceMs < INTERVAL_MS_MIN) await Bun.sleep(INTERVAL_MS_MIN - sinceMs);
    const now = await this.#sample();
    this.#before = now;
    const [memory, disk] = await Promise.all([readMemory(), readDisk(this.disk)]);
    const totalMs = now.totalMs - before.totalMs;
    const idleMs = now.idleMs - before.idleMs;
    const [one = 0, five = 0, fifteen = 0] = loadavg();
    return {
      measured_at: new Date().toISOString(),
      uptime_seconds: Math.floor(uptime()),
      cpu: {
        cores: Math.max(1, cpus().length),
        usage_percent: totalMs > 0 ? percent(totalMs - idleMs, totalMs) : 0,
        load_average: [round(one), round(five), round(fifteen)],
      },
      memory,
      disk,
      containers: [...now.groups].map(([id, group]) => ({
        id,
        cpu_percent: share(before.groups.get(id)?.cpuMicros, group.cpuMicros, now.at - before.at),
        memory_bytes: group.memoryBytes,
      })),
    };
  }

  async #sample(): Promise<Look> {
    const groups = await this.containers();
    const times = cpus().map((cpu) => cpu.times);
    const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
    return {
      at: performance.now(),
      idleMs: sum(times.map((time) => time.idle)),
      totalMs: sum(times.flatMap((time) => Object.values(time))),
      groups,
    };
  }
}

/** Reads the memory. Linux reports how much is available to programs; elsewhere the free memory counts. */
export async function readMemory(): Promise<HostUsage["memory"]> {
  const text = await readFile("/proc/meminfo", "utf8").catch(() => "");
  const [, kilobytes] = /^MemAvailable:\s+(\d+) kB$/m.exec(text) ?? [];
  return space(totalmem(), kilobytes === undefined ? freemem() : Number(kilobytes) * 1024);
}

export async function readDisk(folder: string): Promise<HostUsage["disk"]> {
  const { bsize, blocks, bavail } = await statfs(folder);
  return space(bsize * blocks, bsize * bavail);
}

const space = (total: number, available: number) => ({
  total_bytes: total,
  used_bytes: total - available,
  available_bytes: available,
  usage_percent: percent(total - available, total),
});

const percent = (part: number, whole: number) =>
  whole === 0 ? 0 : Math.min(100, Math.max(0, round((part / whole) * 100)));
const round = (value: number) => Math.round(value * 100) / 100;

/** Percent of one core between two counts of CPU time. */
const share = (before: number | null | undefined, now: number | null, ms: number) =>
  before == null || now === null || ms <= 0
    ? null
    : round(Math.max(0, (now - before) / (ms * MICROS_PER_MS)) * 100);
