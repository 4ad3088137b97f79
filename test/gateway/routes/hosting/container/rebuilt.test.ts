import { afterAll, beforeAll, expect, test } from "bun:test";
import { type SharedStack, sharedStack } from "../../../../harness/shared-stack.ts";
import { until } from "../../../../harness/until.ts";
import { type Buckets, bucketsOf, type Host, startHost, tenant } from "./hosting.ts";

/** Hosts and records are compared as a whole every 15 s. */
const SWEPT = { everyMs: 100 };

let stack: SharedStack;
let server: string;
let ours: Awaited<ReturnType<typeof tenant>>;
let buckets: Buckets;
let host: Host;
beforeAll(async () => {
  stack = await sharedStack();
  server = await stack.serverName();
  ours = await tenant(stack, server);
  buckets = await bucketsOf(stack, server);
  host = await startHost(stack, server);
});
afterAll(async () => {
  await buckets.close();
  await host.close();
  await stack.stop();
});

test("buckets that were lost are rebuilt from the records, and what was reported stays known", async () => {
  const [running, stopped, deleted] = await Promise.all(["one", "two", "three"].map(ours.container));
  if (!running || !stopped || !deleted) throw new Error("no containers");
  const rule = { action: "allow", protocol: "tcp", destination_port: "80", description: "" };
  await ours.call("POST", `/${running}/firewall/ingress`, rule);
  await ours.call("POST", `/${stopped}/stop`);
  await ours.call("DELETE", `/${deleted}`);
  await host.reportContainer(running, { address: "10.77.0.7" });
  await until(async () => (await ours.call("GET", `/${running}`)).body.data.state === "running");
  await until(async () => (await buckets.container(deleted))?.revision === 2);

  await buckets.lose();
  await until(() => buckets.firewall(running), SWEPT);
  expect(await until(() => buckets.container(running))).toMatchObject({ revision: 1, state: "running" });
  expect(await until(() => buckets.container(stopped))).toMatchObject({ revision: 2, state: "stopped" });
  expect(await until(() => buckets.container(deleted))).toMatchObject({ revision: 2, state: "deleted" });
  expect(await buckets.firewall(running)).toMatchObject({
    revision: 1,
    container_id: running,
    attached: true,
    rules: [{ ...rule, direction: "ingress", state: "enabled" }],
  });
  expect((await ours.call("GET", `/${running}`)).body.data).toMatchObject({
    state: "running",
    address: "10.77.0.7",
  });
  // A host can report again.
  await host.reportContainer(stopped, { revision: 2, state: "stopped", address: null });
  await until(async () => (await ours.call("GET", `/${stopped}`)).body.data.state === "stopped");
});

test("a change right after the buckets were lost makes them again", async () => {
  const id = await ours.container("four");
  await until(() => buckets.container(id));
  await buckets.lose();
  await ours.call("POST", `/${id}/stop`);
  expect(await until(() => buckets.container(id), SWEPT)).toMatchObject({ revision: 2, state: "stopped" });
});

test("the bucket of reports that was lost alone is made again, so that the host can report again", async () => {
  const id = await ours.container("five");
  await until(() => buckets.container(id));
  await buckets.loseReports();
  await host.reportContainer(id, { address: "10.77.0.9" });
  await until(async () => (await ours.call("GET", `/${id}`)).body.data.address === "10.77.0.9");
});
