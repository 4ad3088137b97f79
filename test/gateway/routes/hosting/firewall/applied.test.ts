import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect } from "nats";
import type { EventRecord } from "../../../../../schemas/events.ts";
import { desiredKey, kvSubject, statusBucket } from "../../../../../schemas/subjects.ts";
import { type EmbeddedStack, startEmbeddedStack } from "../../../../harness/embedded-stack.ts";
import { until } from "../../../../harness/until.ts";
import { type Host, startHost, tenant } from "../container/hosting.ts";

/** Whether the kernel follows, as replies and records tell it. What a silent host means is in `silent-host.test.ts`. */

const server = "node-1";
/** A reply that waits for the host waits until the host has answered, however busy the machine is. */
const env = { BERTH_FIREWALL_APPLIED_WITHIN_MS: "60000" };

let stack: EmbeddedStack;
let ours: Awaited<ReturnType<typeof tenant>>;
let host: Host;
/** What the host makes of firewalls, by container. */
const answers = new Map<string, object>();
beforeAll(async () => {
  stack = await startEmbeddedStack({ env, servers: [server] });
  ours = await tenant(stack, server);
  await ours.container("brings-the-bucket");
  host = await startHost(stack, server);
  await host.answerFirewalls((desired) => answers.get(desired.container_id) ?? {});
});
afterAll(async () => {
  await host.close();
  await stack.stop();
});

const web = { action: "allow", protocol: "tcp", description: "web", destination_port: "80" };
const add = async (id: string, rule: object = web) =>
  (await ours.call("POST", `/${id}/firewall/ingress`, rule)).body.data.firewall;
const eventsOf = async (id: string): Promise<EventRecord[]> => {
  const { body } = await stack.call("GET", `/api/v1/events?container_id=${id}&sort_order=asc`, {
    token: ours.token,
  });
  return body.data.events;
};
const record = async (id: string) => (await ours.call("GET", `/${id}`)).body.data.firewall;

test("a rule that its host enforces is applied, in the reply and soon in the record", async () => {
  const id = await ours.container("followed");
  const applied = { revision: 1, applied_revision: 1, applied: true, enforced: true, error: null };
  expect(await add(id)).toEqual(applied);
  expect(await until(async () => (await record(id)).applied && record(id))).toEqual(applied);
  const { body } = await ours.call("POST", `/${id}/firewall/reset`);
  expect(body.data.firewall).toEqual({ ...applied, revision: 2, applied_revision: 2 });
});

test("a host that cannot filter says so: applied, not enforced", async () => {
  const id = await ours.container("unfiltered");
  answers.set(id, { enforced: false });
  expect(await add(id)).toMatchObject({ applied: true, enforced: false, error: null });
  await until(async () => (await record(id)).applied_revision === 1);
  expect(await record(id)).toMatchObject({ applied: true, enforced: false });
});

test("a host that lost what it had in force and cannot put it back says so, until it is right again", async () => {
  const id = await ours.container("lost");
  const applied = { revision: 1, applied_revision: 1, applied: true, enforced: true, error: null };
  expect(await add(id)).toEqual(applied);
  await until(async () => (await record(id)).enforced);
  await host.reportFirewall(id, { enforced: false, error: "nft: not permitted" });
  const lost = await until(async () => {
    const found = await record(id);
    return !found.enforced && found;
  });
  expect(lost).toEqual({ ...applied, enforced: false, error: "nft: not permitted" });
  await host.reportFirewall(id, {});
  expect(await until(async () => (await record(id)).enforced && record(id))).toEqual(applied);
});

test("why a host could not apply a rule is passed on, and the revision that it keeps", async () => {
  const id = await ours.container("failed");
  expect(await add(id)).toMatchObject({ applied: true, applied_revision: 1 });
  await until(async () => (await record(id)).applied);
  answers.set(id, { revision: 1, error: "nft: no space" });
  const failed = { revision: 2, applied_revision: 1, applied: false, enforced: true, error: "nft: no space" };
  expect(await add(id, { ...web, destination_port: "81" })).toEqual(failed);
  await until(async () => (await record(id)).error !== null);
  expect(await record(id)).toEqual(failed);
  answers.delete(id);
  const mended = { revision: 3, applied_revision: 3, applied: true, enforced: true, error: null };
  expect(await add(id, { ...web, destination_port: "82" })).toEqual(mended);
  await until(async () => (await record(id)).error === null);
  // The log has it with the record, which this gateway may be ahead of.
  const told = await until(async () => {
    const events = (await eventsOf(id)).filter(({ event_type }) => event_type.startsWith("firewall.appl"));
    return events.length >= 3 && events;
  });
  expect(told).toMatchObject([
    { event_type: "firewall.applied", data: { revision: 1, enforced: true } },
    { event_type: "firewall.apply_failed", data: { applied_revision: 1, error: "nft: no space" } },
    { event_type: "firewall.applied", data: { revision: 3, enforced: true } },
  ]);
});

test("an identical rule waits for its host too, and of many at once each is told of its host", async () => {
  const id = await ours.container("busy");
  const replies = await Promise.all(
    Array.from({ length: 30 }, (_, i) => add(id, { ...web, destination_port: String(i + 1) })),
  );
  expect(replies.every((firewall) => firewall.applied)).toBe(true);
  await until(async () => (await record(id)).applied_revision === 30);
});

test("a host's reports of revisions that do not exist, at a high rate, count for none", async () => {
  const id = await ours.container("forged");
  await add(id);
  const { host: address, username, password } = new URL(stack.agentUrl(server));
  const forger = await connect({ servers: address, user: username, pass: password });
  const subject = kvSubject(statusBucket(server), desiredKey("firewall", id));
  const reported_at = new Date().toISOString();
  let revision = 1;
  let sent = 0;
  const forging = setInterval(() => {
    for (const wrong of [0, -1, revision - 1, revision + 7, revision + 500, 1e9, 2 ** 53 - 1, 1e300]) {
      sent += 1;
      // Each changes the record, and so writes events.
      const report = { revision: wrong, enforced: sent % 2 === 0, error: `made up ${sent}`, reported_at };
      forger.publish(subject, JSON.stringify(report));
    }
  }, 1);
  try {
    for (let n = 0; n < 20; n++) {
      const firewall = await add(id, { ...web, destination_port: String(1_000 + n) });
      revision = firewall.revision;
      expect(firewall).toEqual({
        revision: n + 2,
        applied_revision: n + 2,
        applied: true,
        enforced: true,
        error: null,
      });
    }
  } finally {
    clearInterval(forging);
    await forger.close();
  }
});
