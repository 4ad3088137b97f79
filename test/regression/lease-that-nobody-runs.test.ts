import { expect, test } from "bun:test";
import { preferredHost } from "../../actors/runtime/partition.ts";
import { partitionOf } from "../harness/partition-of.ts";
import { QuietCluster } from "../simulation/settle.ts";

const LEASE_MS = 2_000;
const credit = { wallet: "user", op: "credit", cents: 100n } as const;

test("a partition that a host took without hearing of it is not lost", () => {
  const cluster = new QuietCluster({ hosts: 2, leaseTtlMs: LEASE_MS });
  expect(cluster.ask(credit)).toMatchObject({ kind: "done" });
  const { database } = cluster;
  const partition = partitionOf("wallet", credit.wallet);
  const names = cluster.hosts.map(({ process }) => process.name);
  const preferred = preferredHost(partition, names) ?? "";
  const other = names.find((name) => name !== preferred) ?? "";
  cluster.until(() => database.leases.heldBy(preferred).includes(partition));

  // As by a statement that arrives when its sender has given it up.
  database.leases.release(preferred, [partition], database.nowMs);
  database.leases.acquire(other, [partition], LEASE_MS, database.nowMs);

  expect(cluster.ask(credit)).toMatchObject({ kind: "done" });
});
