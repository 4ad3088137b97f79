import { afterAll, beforeAll, expect, test } from "bun:test";
import { newId } from "../../../../actors/platform/ids.ts";
import { type EmbeddedStack, startEmbeddedStack } from "../../../harness/embedded-stack.ts";
import { until } from "../../../harness/until.ts";

let stack: EmbeddedStack;
beforeAll(async () => {
  stack = await startEmbeddedStack({ actorHosts: 2 });
});
afterAll(() => stack.stop());

test("an operator sees who owns which partition, and how each host is doing", async () => {
  const operator = await stack.user({ role: "admin", balance: "5" });
  const read = async () =>
    (await stack.call("GET", "/api/v1/admin/cluster", { token: operator.token })).body.data;
  // So many actors that each host has some of them.
  const gift = { amount: "1", reason: "test", idempotency_key: "gift" };
  await Promise.all(Array.from({ length: 40 }, () => stack.actors.wallet(newId()).credit(gift)));
  const cluster = await until(async () => {
    const seen = await read();
    const commits = seen.hosts.map(
      (host: { status: { commit_ms: { commits: number } } | null }) => host.status?.commit_ms.commits ?? 0,
    );
    return commits.length === 2 && commits.every((count: number) => count > 0) && seen;
  });
  expect(cluster.partitions).toHaveLength(64);
  const owners = new Set(cluster.partitions.map((partition: { owner: string }) => partition.owner));
  expect(owners).toEqual(new Set(cluster.hosts.map(({ host }: { host: string }) => host)));
  for (const { status } of cluster.hosts) {
    expect(status.partitions).toBeGreaterThan(0);
    expect(status.quarantined).toEqual([]);
    expect(status.commit_ms.p50).toBeGreaterThan(0);
  }
  for (const { epoch, expired } of cluster.partitions) {
    expect(epoch).toBeGreaterThan(0);
    expect(expired).toBe(false);
  }
  await until(async () =>
    (await read()).partitions.every(({ undelivered }: { undelivered: number }) => undelivered === 0),
  );
});

test("nobody else does", async () => {
  const user = await stack.user();
  const answer = await stack.call("GET", "/api/v1/admin/cluster", { token: user.token });
  expect([answer.status, answer.body.code]).toEqual([403, "INSUFFICIENT_PERMISSIONS"]);
  expect((await stack.call("GET", "/api/v1/admin/cluster")).status).toBe(401);
});
