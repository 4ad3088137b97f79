import { afterAll, beforeAll, expect, test } from "bun:test";
import { idOf } from "../../../../actors/hosting/certificate/rules.ts";
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

test("what waits for an operator stands in the order of its urgency, with the first names", async () => {
  const { token } = await stack.user({ role: "admin" });
  const read = async () => (await stack.call("GET", "/api/v1/admin/overview", { token })).body.data;
  const { holdings, attention } = await read();
  expect(attention).toEqual([]);
  expect(holdings).toMatchObject({ hosts: 0, hosts_online: 0, servers: 0, servers_rented: 0, containers: 0 });
  expect(holdings.users).toBeGreaterThan(0);

  const names = Array.from({ length: 7 }, (_, at) => `name-${at}.example.com`);
  for (const name of names) {
    const certificate = stack.actors.certificate(idOf(name));
    await certificate.want({ name, purpose: "name", user_id: null });
    await certificate.record_failure({ error: "no A record" });
  }
  const host = async (name: string) =>
    (await stack.call("POST", "/api/v1/admin/hosts", { token, body: { name } })).body.data.id;
  const [silent, online] = [await host("silent"), await host("online"), await host("pending")];
  await stack.db`UPDATE host_machines SET last_seen_at = now() - interval '2 minutes' WHERE id = ${silent}`;
  await stack.db`UPDATE host_machines SET last_seen_at = now() WHERE id = ${online}`;
  const now = await until(async () => {
    const seen = await read();
    return seen.attention.length === 2 && seen;
  });
  expect(now.attention).toEqual([
    { kind: "hosts_not_heard_of", count: 1, names: ["silent"] },
    { kind: "certificates_failing", count: 7, names: names.slice(0, 5) },
  ]);
  expect(now.holdings).toMatchObject({ hosts: 3, hosts_online: 1 });
});

test("nobody else does", async () => {
  const user = await stack.user();
  for (const path of ["/api/v1/admin/cluster", "/api/v1/admin/overview"]) {
    const answer = await stack.call("GET", path, { token: user.token });
    expect([answer.status, answer.body.code]).toEqual([403, "INSUFFICIENT_PERMISSIONS"]);
    expect((await stack.call("GET", path)).status).toBe(401);
  }
});
