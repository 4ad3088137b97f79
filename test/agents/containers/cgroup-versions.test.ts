import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  changeLimits,
  groupOf,
  groupResources,
  isUnified,
  members,
  outOfMemoryKills,
  removeGroup,
  unlimited,
} from "../../../agents/containers/cgroup.ts";
import { usageOf } from "../../../agents/containers/cgroup-usage.ts";
import { DEFAULT_LIMITS } from "../../../agents/containers/limits.ts";
import { diskOf, limitSlice } from "../../../agents/containers/slice.ts";
import { temporaryFolder } from "../../harness/servers.ts";

/**
 * Both versions of control groups as text: a machine has one of them, and what is written for the other is compared with what the
 * kernel's documentation says. The kernel itself takes part in slice.test.ts.
 */

const [tenant, id] = ["1".repeat(24), "2".repeat(24)];
const group = groupOf({ id, tenant });
const LIMITS = { ...DEFAULT_LIMITS, cpus: 1.5, memoryBytes: 64 * 2 ** 20 };
const SLICE = { cpus: 2, memoryBytes: 96 * 2 ** 20, processes: 24, diskBytesPerSecond: 1_000_000 };

/** A folder in place of /sys/fs/cgroup. */
function rootWith(files: Readonly<Record<string, string>>): string {
  const root = temporaryFolder();
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return root;
}
const inGroup = (folder: string, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [`${folder}/${name}`, ""]));
const readerOf = (root: string) => (file: string) => readFileSync(join(root, file), "utf8");

const unified = () =>
  rootWith({
    "cgroup.controllers": "cpuset cpu io memory hugetlb pids\n",
    "cgroup.subtree_control": "",
    "berth/cgroup.subtree_control": "",
    ...inGroup(`berth/${tenant}`, [
      "cpu.weight",
      "cpu.max",
      "memory.max",
      "memory.swap.max",
      "pids.max",
      "io.max",
    ]),
    ...inGroup(`berth/${group}`, ["cpu.max", "memory.max"]),
    [`berth/${group}/cgroup.procs`]: "17\n18\n",
    [`berth/${group}/memory.events`]: "low 0\nhigh 0\nmax 3\noom 2\noom_kill 1\n",
    [`berth/${group}/cpu.stat`]: "usage_usec 2500\nuser_usec 2000\n",
    [`berth/${group}/memory.current`]: "4096\n",
  });

test("version 2: one folder for all controllers, with its files and its words", async () => {
  const root = unified();
  const read = readerOf(root);
  expect([isUnified(root), unlimited(root)]).toEqual([true, []]);
  expect(groupResources(LIMITS, root)).toEqual({
    devices: [{ allow: false, access: "rwm" }],
    pids: { limit: 1_024 },
    // Of the runtime specification: memory and swap together, so no swap.
    memory: { limit: LIMITS.memoryBytes, swap: LIMITS.memoryBytes },
    cpu: { period: 100_000, quota: 150_000 },
  });
  expect(await members(group, root)).toEqual([17, 18]);
  expect(read("berth/cgroup.subtree_control")).toMatch(/^\+(cpu|memory|pids|io)$/);

  expect(await changeLimits(group, LIMITS, root)).toEqual([]);
  expect(read(`berth/${group}/cpu.max`)).toBe("150000 100000");
  expect(read(`berth/${group}/memory.max`)).toBe(String(LIMITS.memoryBytes));

  const disk = diskOf(root);
  expect(await limitSlice(tenant, SLICE, root, root)).toEqual([]);
  const slice = (file: string) => read(`berth/${tenant}/${file}`);
  expect([slice("cpu.weight"), slice("cpu.max")]).toEqual(["100", "200000 100000"]);
  expect([slice("memory.swap.max"), slice("memory.max")]).toEqual(["0", String(SLICE.memoryBytes)]);
  expect(slice("pids.max")).toBe("24");
  expect(slice("io.max")).toBe(disk === null ? "" : `${disk} rbps=1000000 wbps=1000000`);
  await limitSlice(tenant, { ...SLICE, cpus: null }, root, root);
  expect(slice("cpu.max")).toBe("max 100000");

  expect(await outOfMemoryKills(group, root)).toBe(1);
  expect(await usageOf(group, root)).toEqual({ cpuMicros: 2_500, memoryBytes: 4_096 });
});

test("version 2: a controller that the host has not is said, and nothing is written for it", async () => {
  const root = rootWith({ "cgroup.controllers": "cpu pids\n", [`berth/${group}/cpu.max`]: "" });
  expect(unlimited(root)).toEqual(["memory", "swap", "disk_speed"]);
  expect(await changeLimits(group, LIMITS, root)).toEqual(["memory_bytes"]);
  expect(groupResources(LIMITS, root)).not.toHaveProperty("memory");
});

const V1 = ["cpu", "memory", "pids"] as const;
const separate = (more: Readonly<Record<string, string>> = {}) =>
  rootWith({
    ...Object.fromEntries(V1.map((controller) => [`${controller}/cgroup.procs`, ""])),
    "cpu/cpu.cfs_quota_us": "",
    "blkio/blkio.throttle.read_bps_device": "",
    ...inGroup(`cpu/berth/${tenant}`, ["cpu.shares", "cpu.cfs_quota_us"]),
    [`memory/berth/${tenant}/memory.limit_in_bytes`]: "9223372036854771712",
    ...inGroup(`pids/berth/${tenant}`, ["pids.max"]),
    ...inGroup(`cpu/berth/${group}`, ["cpu.cfs_quota_us"]),
    [`memory/berth/${group}/memory.limit_in_bytes`]: "9223372036854771712",
    [`memory/berth/${group}/memory.oom_control`]: "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n",
    [`pids/berth/${group}/cgroup.procs`]: "17\n",
    [`memory/berth/${group}/cgroup.procs`]: "17\n18\n",
    ...more,
  });

test("version 1: a folder for each controller, with its files and its words", async () => {
  const root = separate({ "memory/memory.memsw.limit_in_bytes": "" });
  const read = readerOf(root);
  expect([isUnified(root), unlimited(root)]).toEqual([false, []]);
  expect(await members(group, root)).toEqual([17, 18]);
  expect(await changeLimits(group, LIMITS, root)).toEqual([]);
  expect(read(`cpu/berth/${group}/cpu.cfs_quota_us`)).toBe("150000");
  expect(read(`memory/berth/${group}/memory.limit_in_bytes`)).toBe(String(LIMITS.memoryBytes));
  expect(await limitSlice(tenant, { ...SLICE, cpus: null }, root, root)).toEqual([]);
  expect(read(`cpu/berth/${tenant}/cpu.shares`)).toBe("1024");
  expect(read(`cpu/berth/${tenant}/cpu.cfs_quota_us`)).toBe("-1");
  expect(read(`memory/berth/${tenant}/memory.limit_in_bytes`)).toBe(String(SLICE.memoryBytes));
  expect(read(`pids/berth/${tenant}/pids.max`)).toBe("24");
  expect(await outOfMemoryKills(group, root)).toBe(2);
});

test("version 1: without accounting of swap its limit is left out, and the host's record says so", async () => {
  const root = separate();
  expect(unlimited(root)).toEqual(["swap"]);
  expect(groupResources(LIMITS, root)).toMatchObject({ memory: { limit: LIMITS.memoryBytes } });
  expect(groupResources(LIMITS, root)).not.toHaveProperty("memory.swap");
});

test("the group of a container goes with its run, and that of its tenant with the last container", async () => {
  const root = rootWith({ "cgroup.controllers": "cpu\n" });
  const other = groupOf({ id: "3".repeat(24), tenant });
  for (const folder of [group, other]) mkdirSync(join(root, "berth", folder), { recursive: true });
  await removeGroup(group, root);
  expect([group, other].map((folder) => existsSync(join(root, "berth", folder)))).toEqual([false, true]);
  await removeGroup(other, root);
  expect(existsSync(join(root, "berth", tenant))).toBe(false);
});
