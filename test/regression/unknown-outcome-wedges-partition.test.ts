import { expect, test } from "bun:test";
import { QuietCluster } from "../simulation/settle.ts";

const credit = { wallet: "user", op: "credit", cents: 100n } as const;

test("after a commit that happened and was not answered, its partition goes on, and its effects are delivered", () => {
  const cluster = new QuietCluster({ hosts: 1, leaseTtlMs: 4_000 });
  const { tables } = cluster.database;
  expect(cluster.ask(credit)).toMatchObject({ kind: "done" });

  cluster.storeFaults.unanswered = 1;
  // A key that its caller made up needs no look at the receipts, so the commit is all that is sent.
  const unlucky = cluster.send({ ...credit, hasClientKey: false });
  cluster.until(() => tables.count("outbox") === 2);
  cluster.storeFaults.unanswered = 0;
  cluster.until(() => unlucky.outcome !== undefined);

  expect(unlucky.outcome).toMatchObject({ kind: "done", answer: { version: 2, replayed: true } });
  expect(cluster.ask(credit)).toMatchObject({ kind: "done", answer: { version: 3, replayed: false } });
  cluster.until(() => cluster.stream.arrived === 3);
});
