import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { groupFolder, isUnified, unlimited } from "../../../agents/containers/cgroup.ts";
import { DEFAULT_LIMITS } from "../../../agents/containers/limits.ts";
import { diskOf } from "../../../agents/containers/slice.ts";
import { newId } from "../network/nft/rules.ts";
import { lacks } from "../requirements.ts";
import { output } from "./inside.ts";
import { newDriver } from "./new-driver.ts";
import { destroyAll, newSpec, startAll, testPool } from "./specs.ts";

const MEBIBYTE = 1024 * 1024;
const cannot = new Set<string>(unlimited());

describe.skipIf(lacks("root", "nft", "ip", "oci"))("the containers of a project", () => {
  const pool = testPool(10);
  const slice = { cpus: 1.5, memoryBytes: 96 * MEBIBYTE, processes: 24, diskBytesPerSecond: 50 * MEBIBYTE };
  const driver = newDriver(pool, { limits: { ...DEFAULT_LIMITS, slice } });
  const tenant = newId();
  const specs = [0, 1].map(() => newSpec(pool, { tenant }));
  let pids: number[];

  beforeAll(async () => {
    pids = await startAll(driver, specs);
  });
  afterAll(async () => {
    for (const spec of specs) await driver.destroy(spec);
    // The last one takes their group with it.
    expect(existsSync(groupFolder("memory", tenant))).toBe(false);
    expect(existsSync(groupFolder("freezer", tenant))).toBe(false);
    await driver.release();
  });
  const [first = 0, second = 0] = [0, 1];
  const inside = (which: number, line: string) => output(pids[which] ?? 0, line);
  const setting = (controller: string, v1: string, v2: string) =>
    readFileSync(join(groupFolder(controller, tenant), isUnified() ? v2 : v1), "utf8").trim();

  test.skipIf(cannot.has("memory"))(
    "have so much memory together, however much each of them may have",
    async () => {
      expect(setting("memory", "memory.limit_in_bytes", "memory.max")).toBe(String(slice.memoryBytes));
      await inside(first, "head -c 60000000 /dev/zero >/dev/shm/file");
      // What it takes is free again when it is ended.
      const more = "head -c 60000000 /dev/zero | tail -c 60000000 >/dev/null && echo enough";
      expect(await inside(second, more).catch(() => "ended")).not.toBe("enough");
      await inside(first, "rm /dev/shm/file");
    },
  );

  test.skipIf(cannot.has("cpu"))(
    "have so much of the processors together, and as much weight as another project",
    () => {
      expect(setting("cpu", "cpu.cfs_quota_us", "cpu.max")).toBe(isUnified() ? "150000 100000" : "150000");
      expect(setting("cpu", "cpu.shares", "cpu.weight")).toBe(isUnified() ? "100" : "1024");
    },
  );

  test.skipIf(cannot.has("disk_speed") || diskOf(specs[0]?.folder ?? "/") === null)(
    "read and write so fast together",
    () => {
      const text = setting("blkio", "blkio.throttle.write_bps_device", "io.max");
      expect(text).toContain(`${diskOf(specs[0]?.folder ?? "/")} `);
      expect(text).toContain(String(slice.diskBytesPerSecond));
    },
  );

  // Last: nothing can be started in them after it.
  test.skipIf(cannot.has("processes"))("have so many processes together", async () => {
    const many = "for i in $(seq 40); do sleep 1000 >/dev/null 2>&1 & done";
    await expect(inside(first, many)).rejects.toThrow();
    const now = Number(setting("pids", "pids.current", "pids.current"));
    expect(now).toBeGreaterThan(slice.processes / 2);
    expect(now).toBeLessThanOrEqual(slice.processes);
    await expect(inside(second, "sleep 0 & sleep 0 & sleep 0 & wait")).rejects.toThrow();
  });
});

describe.skipIf(lacks("root", "nft", "ip", "oci"))("the containers of a part of a host", () => {
  const pool = testPool(10);
  const driver = newDriver(pool);
  const tenant = newId();
  const serverResources = { cpu_cores: 0.5, memory_bytes: 64 * MEBIBYTE, disk_bytes: null };
  const part = { tenant, isPart: true, serverResources };
  const specs = [0, 1, 2, 3].map(() => newSpec(pool, part));
  let pids: number[];

  beforeAll(async () => {
    pids = await startAll(driver, specs);
  });
  afterAll(() => destroyAll(driver, specs));
  const inside = (which: number, line: string) => output(pids[which] ?? 0, line);
  const setting = (controller: string, v1: string, v2: string) =>
    readFileSync(join(groupFolder(controller, tenant), isUnified() ? v2 : v1), "utf8").trim();

  test.skipIf(cannot.has("memory"))("have no more memory than the part, all four together", async () => {
    for (const at of [0, 1, 2]) await inside(at, "head -c 15000000 /dev/zero >/dev/shm/file");
    const more = "head -c 30000000 /dev/zero | tail -c 30000000 >/dev/null && echo enough";
    expect(await inside(3, more).catch(() => "ended")).not.toBe("enough");
    await inside(0, "rm /dev/shm/file");
    await inside(1, "rm /dev/shm/file");
    expect(await inside(3, more)).toBe("enough");
  });

  test.skipIf(cannot.has("cpu"))("have no more of the processors than the part", () => {
    expect(setting("cpu", "cpu.cfs_quota_us", "cpu.max")).toBe(isUnified() ? "50000 100000" : "50000");
  });

  const changed = async (change: object) => {
    for (const spec of specs)
      await driver.limit({ ...spec, serverResources: { ...serverResources, ...change } });
  };

  test.skipIf(cannot.has("memory"))("have what a changed part has, while they run", async () => {
    await changed({ memory_bytes: 80 * MEBIBYTE });
    expect(setting("memory", "memory.limit_in_bytes", "memory.max")).toBe(String(80 * MEBIBYTE));
  });

  test.skipIf(cannot.has("cpu"))(
    "have less, too, of a part that has shrunk, and more of one that has grown",
    async () => {
      for (const [cores, quota] of [
        [0.25, "25000"],
        [1, "100000"],
      ] as const) {
        await changed({ cpu_cores: cores });
        expect(setting("cpu", "cpu.cfs_quota_us", "cpu.max")).toBe(isUnified() ? `${quota} 100000` : quota);
      }
    },
  );
});
