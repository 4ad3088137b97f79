import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { Value } from "@sinclair/typebox/value";
import { usageOf } from "../../../agents/containers/cgroup-usage.ts";
import { HostUsageReader } from "../../../agents/control-plane/host-usage.ts";
import { HostUsage } from "../../../schemas/hosting/usage.ts";
import { temporaryFolder } from "../../harness/servers.ts";

const ID = "0123456789abcdef01234567";

test("a reading is of this host, and adds up", async () => {
  const usage = await new HostUsageReader(temporaryFolder(), async () => new Map()).read();
  expect(Value.Check(HostUsage, usage)).toBe(true);
  expect(usage.cpu.cores).toBe(cpus().length);
  expect(usage.memory.total_bytes).toBe(totalmem());
  for (const { total_bytes, used_bytes, available_bytes } of [usage.memory, usage.disk]) {
    expect(used_bytes + available_bytes).toBe(total_bytes);
    expect(used_bytes).toBeGreaterThan(0);
    expect(available_bytes).toBeGreaterThan(0);
  }
});

test("all who ask at the same time get one reading", async () => {
  let looks = 0;
  const usage = new HostUsageReader(temporaryFolder(), async () => {
    looks += 1;
    return new Map([[ID, { cpuMicros: null, memoryBytes: null }]]);
  });
  const readings = await Promise.all([usage.read(), usage.read(), usage.read()]);
  expect(new Set(readings).size).toBe(1);
  // One look before, one after.
  expect(looks).toBe(2);
});

test("a process that keeps a core busy is seen in the host's share", async () => {
  const busy = Bun.spawn([process.execPath, "-e", "for (;;);"]);
  try {
    const { cpu } = await new HostUsageReader(temporaryFolder(), async () => new Map()).read();
    // A whole core of all cores, less what the kernel's own ticks blur.
    expect(cpu.usage_percent).toBeGreaterThan(50 / cpus().length);
  } finally {
    busy.kill();
    await busy.exited;
  }
});

test("a container's share of a core follows from what its group has counted between two looks", async () => {
  let at = 0;
  const usage = new HostUsageReader(temporaryFolder(), async () => {
    // Half of the time that has passed, as a container at half a core would have used.
    const cpuMicros = Math.round((performance.now() - at) * 500);
    at ||= performance.now();
    return new Map([[ID, { cpuMicros: at === 0 ? 0 : cpuMicros, memoryBytes: 1_000 }]]);
  });
  at = performance.now();
  const { containers } = await usage.read();
  expect(containers).toMatchObject([{ id: ID, memory_bytes: 1_000 }]);
  expect(containers[0]?.cpu_percent).toBeGreaterThan(0);
  expect(containers[0]?.cpu_percent).toBeLessThan(1_000);
});

test.each([
  [
    "cgroup v2",
    { "berth/ID/cpu.stat": "usage_usec 1500\nuser_usec 1000\n", "berth/ID/memory.current": "4096\n" },
    { cpuMicros: 1_500, memoryBytes: 4_096 },
  ],
  [
    "the v1 controllers",
    { "cpuacct/berth/ID/cpuacct.usage": "1500000\n", "memory/berth/ID/memory.usage_in_bytes": "4096\n" },
    { cpuMicros: 1_500, memoryBytes: 4_096 },
  ],
  ["a kernel that counts nothing", {}, { cpuMicros: null, memoryBytes: null }],
])("%s: what a group has used is read", async (_what, files, expected) => {
  const root = temporaryFolder();
  for (const [file, text] of Object.entries(files)) {
    const path = join(root, file.replace("ID", ID));
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, text);
  }
  expect(await usageOf(ID, root)).toEqual(expected);
});
