import { expect, test } from "bun:test";
import { storedReceipt } from "../simulation/attempts.ts";
import { QuietCluster } from "../simulation/settle.ts";

test("a request that was sent twice and refused once is not done", () => {
  const cluster = new QuietCluster({ hosts: 1, leaseTtlMs: 60_000 });
  expect(cluster.ask({ wallet: "user", op: "credit", cents: 100n })).toMatchObject({ kind: "done" });

  const { database, hosts } = cluster;
  // A host that knows of lost connections answers nothing before it has asked again; this is about the copies.
  hosts[0]?.store.onDisconnect(() => {});
  database.goDown();
  for (const { store } of cluster.members) store.breakConnections();
  const transfer = cluster.send({ wallet: "user", op: "transfer", cents: 500n });
  cluster.pass(100);
  const credit = cluster.send({ wallet: "user", op: "credit", cents: 1_000n });
  // Long enough that the caller sends both again.
  cluster.pass(5_000);
  database.comeBack();
  cluster.until(() => transfer.outcome !== undefined && credit.outcome !== undefined);
  cluster.pass(1_000);

  expect(transfer.outcome).toEqual({ kind: "refused", code: "INSUFFICIENT_BALANCE" });
  expect(credit.outcome).toMatchObject({ kind: "done" });
  expect(storedReceipt(cluster, transfer.operation)).toBeUndefined();
});
