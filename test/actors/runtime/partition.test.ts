import { expect, test } from "bun:test";
import { newId } from "../../../actors/platform/ids.ts";
import { PARTITIONS, preferredHost } from "../../../actors/runtime/partition.ts";
import { partitionOf } from "../../harness/partition-of.ts";

const partitions = Array.from({ length: PARTITIONS }, (_, partition) => partition);
const hosts = (count: number) => Array.from({ length: count }, (_, i) => `actors-${i}-${i * 7919}`);
const shares = (names: readonly string[]) =>
  names.map((name) => partitions.filter((partition) => preferredHost(partition, names) === name).length);

test("an actor's partition never changes: it is part of what is stored", () => {
  expect(partitionOf("wallet", "0123456789abcdef01234567")).toBe(1);
  expect(partitionOf("firewall", "0123456789abcdef01234567")).not.toBe(
    partitionOf("wallet", "0123456789abcdef01234567"),
  );
});

test("actors spread over all partitions", () => {
  const counts = partitions.map(() => 0);
  for (let i = 0; i < 64_000; i++) {
    const partition = partitionOf("wallet", newId());
    counts[partition] = (counts[partition] ?? 0) + 1;
  }
  expect(Math.min(...counts)).toBeGreaterThan(700);
  expect(Math.max(...counts)).toBeLessThan(1_300);
});

test("hosts get shares of like size, and a partition has no host where there is none", () => {
  for (const count of [2, 3, 4, 8]) {
    const each = shares(hosts(count));
    expect(Math.min(...each)).toBeGreaterThan(0);
    expect(Math.max(...each)).toBeLessThan((PARTITIONS / count) * 2);
  }
  expect(preferredHost(0, [])).toBeUndefined();
});

test("a host that leaves moves only what it had, and one that joins takes only for itself", () => {
  const before = hosts(4);
  const after = before.slice(0, 3);
  for (const partition of partitions) {
    const owner = preferredHost(partition, before);
    if (owner !== before[3]) expect(preferredHost(partition, after)).toBe(owner as string);
  }
});

test("the order in which hosts are listed does not matter", () => {
  const names = hosts(5);
  for (const partition of partitions) {
    expect(preferredHost(partition, [...names].reverse())).toBe(preferredHost(partition, names) as string);
  }
});
