import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect } from "nats";
import { desiredKey, kvSubject, statusBucket } from "../../../../../schemas/subjects.ts";
import { type SharedStack, sharedStack } from "../../../../harness/shared-stack.ts";
import { until } from "../../../../harness/until.ts";
import { startHost, tenant } from "../container/hosting.ts";

/** What a change of a firewall says whose host does not answer: the gateway waits a second for it. */

let stack: SharedStack;
let server: string;
let away: Awaited<ReturnType<typeof tenant>>;
beforeAll(async () => {
  stack = await sharedStack();
  server = await stack.serverName();
  away = await tenant(stack, server);
});
afterAll(() => stack.stop());

const web = { action: "allow", protocol: "tcp", description: "web", destination_port: "80" };
const add = async (id: string, rule: object = web) =>
  (await away.call("POST", `/${id}/firewall/ingress`, rule)).body.data.firewall;
const record = async (id: string) => (await away.call("GET", `/${id}`)).body.data.firewall;

test("a host that does not answer holds a reply for about a second, which says that nothing is applied", async () => {
  const id = await away.container("unheard");
  const from = performance.now();
  const pending = { revision: 1, applied_revision: 0, applied: false, enforced: false, error: null };
  expect(await add(id, web)).toEqual(pending);
  expect(performance.now() - from).toBeGreaterThanOrEqual(990);
  expect(await record(id)).toEqual(pending);
});

test("a host that comes back later catches up, and the record tells", async () => {
  const id = await away.container("later");
  await add(id, web);
  const late = await startHost(stack, server);
  await late.answerFirewalls(() => ({}));
  const caughtUp = await until(async () => {
    const found = await record(id);
    return found.applied && found;
  });
  expect(caughtUp).toEqual({ revision: 1, applied_revision: 1, applied: true, enforced: true, error: null });
  await late.close();
});

test("a host cannot report a revision that was never asked for", async () => {
  const id = await away.container("boastful");
  await add(id, web);
  const late = await startHost(stack, server);
  await late.reportFirewall(id, { revision: 1_000 });
  await until(async () => (await record(id)).enforced);
  expect((await record(id)).applied_revision).toBe(1);
  // Otherwise the next rule would count as applied before it is.
  await late.reportFirewall(id, { revision: 1 });
  await late.close();
  expect(await add(id, { ...web, destination_port: "81" })).toMatchObject({
    revision: 2,
    applied: false,
  });
});

test("revisions that a host makes up at a high rate are no word on the change that waits", async () => {
  const id = await away.container("forged");
  await add(id);
  const { host: address, username, password } = new URL(stack.agentUrl(server));
  const forger = await connect({ servers: address, user: username, pass: password });
  const subject = kvSubject(statusBucket(server), desiredKey("firewall", id));
  const reported_at = new Date().toISOString();
  let sent = 0;
  const forging = setInterval(() => {
    for (const revision of [0, -1, 9, 502, 1e9, 2 ** 53 - 1, 1e300]) {
      sent += 1;
      forger.publish(subject, JSON.stringify({ revision, enforced: true, error: null, reported_at }));
    }
  }, 1);
  try {
    await until(() => sent > 100);
    expect(await add(id, { ...web, destination_port: "99" })).toMatchObject({ revision: 2, applied: false });
  } finally {
    clearInterval(forging);
    await forger.close();
  }
});
