import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Host, startHost, tenant } from "../gateway/routes/hosting/container/hosting.ts";
import { type Stack, startStack } from "../harness/stack.ts";
import { until } from "../harness/until.ts";

/** A rule was called applied in the reply to its creation and not applied by a read right after it, or in a replay. */

let stack: Stack;
let ours: Awaited<ReturnType<typeof tenant>>;
let host: Host;
/** What happens before the host answers for a container. */
const before = new Map<string, () => void>();
beforeAll(async () => {
  stack = await startStack({
    servers: ["node-1"],
    // However busy the machine is, the host answers within it.
    env: { BERTH_FIREWALL_APPLIED_WITHIN_MS: "60000" },
  });
  ours = await tenant(stack, "node-1");
  await ours.container("brings-the-bucket");
  host = await startHost(stack, "node-1");
  await host.answerFirewalls((desired) => {
    before.get(desired.container_id)?.();
    return {};
  });
});
afterAll(async () => {
  await host.close();
  await stack.stop();
});

const rule = (port: number) => ({
  action: "allow",
  protocol: "tcp",
  description: "",
  destination_port: String(port),
});

test("what a reply calls applied no read calls otherwise, though the record does not have it yet", async () => {
  const id = await ours.container("followed");
  const actors = stack.hosts[0]?.pid ?? 0;
  // The host's word arrives while the actors stand still, so that the record cannot have it.
  before.set(id, () => process.kill(actors, "SIGSTOP"));
  try {
    const { body } = await ours.call("POST", `/${id}/firewall/ingress`, rule(80));
    const applied = { revision: 1, applied_revision: 1, applied: true, enforced: true, error: null };
    expect(body.data.firewall).toEqual(applied);
    const recorded = await stack.db`SELECT applied_revision FROM firewalls WHERE container_id = ${id}`;
    expect([...recorded]).toEqual([{ applied_revision: 0n }]);

    expect((await ours.call("GET", `/${id}/firewall/rules`)).body.data.firewall).toEqual(applied);
    expect((await ours.call("GET", `/${id}`)).body.data.firewall).toEqual(applied);
    const { containers } = (await ours.call("GET", "")).body.data;
    expect(containers.find((one: { id: string }) => one.id === id).firewall).toEqual(applied);
  } finally {
    before.delete(id);
    process.kill(actors, "SIGCONT");
  }
  await until(async () => {
    const [row] = await stack.db`SELECT applied_revision FROM firewalls WHERE container_id = ${id}`;
    return row?.applied_revision === 1n;
  });
});

test("a replay answers the rule that was made, its revision, and whether that is applied now", async () => {
  const id = await ours.container("replayed");
  const add = async (port: number, key: string) =>
    (await ours.call("POST", `/${id}/firewall/ingress`, rule(port), { "idempotency-key": key })).body.data;
  const first = await add(80, "first");
  expect(first.firewall).toMatchObject({ revision: 1, applied: true });
  expect((await add(81, "second")).firewall).toMatchObject({ revision: 2, applied: true });
  // A host that fails at a later revision still has the first.
  await until(async () => (await ours.call("GET", `/${id}`)).body.data.firewall.applied);
  await host.reportFirewall(id, { revision: 2, error: "nft: no space" });
  await until(async () => (await ours.call("GET", `/${id}`)).body.data.firewall.error !== null);
  expect(await add(80, "first")).toEqual(first);
});

test("a host that says more than it was asked for gains nothing for what comes next", async () => {
  const id = await ours.container("boastful");
  before.set(id, () => void host.reportFirewall(id, { revision: 1_000 }));
  expect((await ours.call("POST", `/${id}/firewall/ingress`, rule(80))).body.data.firewall.applied).toBe(
    true,
  );
  before.delete(id);
  await until(async () => {
    const [row] = await stack.db`SELECT revision, applied_revision FROM firewalls WHERE container_id = ${id}`;
    return row?.revision === 1n && row.applied_revision === 1n;
  });
  // As another gateway would change it, of which this one hears nothing.
  await stack.db`UPDATE firewalls SET revision = 2 WHERE container_id = ${id}`;
  expect((await ours.call("GET", `/${id}`)).body.data.firewall).toMatchObject({
    revision: 2,
    applied: false,
  });
});
