import { expect, test } from "bun:test";
import { DEFAULT_LIMITS, limitsFor, sliceLimitsFor } from "../../../agents/containers/limits.ts";

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

test("a bandwidth is the least of what is asked for, the host's standard and the server's, and none without any", () => {
  const mbps = (asked: number | null, server: number | null, hosts: number | null = null) =>
    limitsFor(
      { ...standard, most, bandwidthMbps: hosts },
      {
        resources: { ...resources(null, null, null), bandwidth_mbps: asked },
        serverResources: { ...resources(null, null, null), bandwidth_mbps: server },
      },
    ).bandwidthMbps;
  expect([mbps(null, null), mbps(50, null), mbps(null, 100), mbps(500, 100), mbps(50, 100)]).toEqual([
    ...[null, 50, 100, 100, 50],
  ]);
  expect(mbps(50, 100, 20)).toBe(20);
});

test("containers of a part have no more than the part together, and those of a whole server what their project may", () => {
  const slice = { ...standard.slice, cpus: null, memoryBytes: 8 * GIB };
  const part = resources(1.5, 2, null);
  expect(sliceLimitsFor({ ...standard, slice }, { serverResources: part, isPart: true })).toEqual({
    ...slice,
    cpus: 1.5,
    memoryBytes: 2 * GIB,
  });
  const more = resources(64, 64, null);
  const small = { ...slice, cpus: 4 };
  expect(sliceLimitsFor({ ...standard, slice: small }, { serverResources: more, isPart: true })).toEqual(
    small,
  );
  expect(sliceLimitsFor({ ...standard, slice }, { serverResources: part })).toBe(slice);
});
