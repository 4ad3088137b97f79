import { expect, test } from "bun:test";
import { DEFAULT_LIMITS, limitsFor } from "../../../agents/containers/limits.ts";

const GIB = 2 ** 30;
const standard = { ...DEFAULT_LIMITS, cpus: 1, memoryBytes: GIB, diskMegabytes: 1_000 };
const most = { cpus: 4, memoryBytes: 8 * GIB, diskMegabytes: 8_000 };
const limits = (spec: Parameters<typeof limitsFor>[1]) => {
  const { cpus, memoryBytes, diskMegabytes } = limitsFor({ ...standard, most }, spec);
  return [cpus, memoryBytes / GIB, diskMegabytes];
};
const resources = (cpu_cores: number | null, gib: number | null, disk_bytes: number | null) => ({
  ...{ cpu_cores, memory_bytes: gib === null ? null : gib * GIB, disk_bytes },
});

test("a container has the standard, or what it asks for, and never more than its host or its server", () => {
  const asked = resources(2, 6, 4_000 * 2 ** 20);
  expect(limits({})).toEqual([1, 1, 1_000]);
  expect(limits({ resources: asked })).toEqual([2, 6, 4_000]);
  expect(limits({ resources: resources(99, 99, 99e12) })).toEqual([4, 8, 8_000]);
  expect(limits({ resources: asked, serverResources: resources(1.5, 2, null) })).toEqual([1.5, 2, 4_000]);
  expect(limits({ serverResources: resources(0.5, 16, 500 * 2 ** 20) })).toEqual([0.5, 1, 500]);
  expect(limits({ resources: resources(null, null, null), serverResources: asked })).toEqual([1, 1, 1_000]);
});
