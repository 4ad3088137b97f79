import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { newId } from "../../../../../actors/platform/ids.ts";
import type { ContainerStatus } from "../../../../../schemas/hosting/desired.ts";
import { type EmbeddedStack, startEmbeddedStack } from "../../../../harness/embedded-stack.ts";
import { until } from "../../../../harness/until.ts";
import { type Buckets, bucketsOf, type Host, startHost, tenant } from "./hosting.ts";

/** What a host says, and what the record makes of it. */

const [server, otherServer] = ["node-1", "node-2"] as const;
let stack: EmbeddedStack;
let ours: Awaited<ReturnType<typeof tenant>>;
let host: Host;
let otherHost: Host;
let buckets: Buckets;
beforeAll(async () => {
  stack = await startEmbeddedStack({ servers: [server, otherServer] });
  ours = await tenant(stack, server);
  const theirs = await tenant(stack, otherServer);
  await theirs.container("brings-the-bucket");
  [host, otherHost, buckets] = await Promise.all([
    startHost(stack, server),
    startHost(stack, otherServer),
    bucketsOf(stack, server),
  ]);
});
afterAll(async () => {
  await Promise.all([host.close(), otherHost.close(), buckets.close()]);
  await stack.stop();
});

const record = async (id: string) => (await ours.call("GET", `/${id}`)).body.data;
const reaches = (id: string, state: ContainerStatus["state"]) =>
  until(async () => {
    const found = await record(id);
    return found?.state === state && found;
  });
const eventsOf = async (id: string) =>
  (await stack.db`SELECT event_type FROM events WHERE resource_id = ${id} ORDER BY created_at, id`).map(
    (event) => event.event_type,
  );
/** A later report of the same host, by which all that came before has been taken. */
const caughtUp = async () => {
  const id = await ours.container(`mark-${crypto.randomUUID().slice(0, 8)}`);
  await host.reportContainer(id, {});
  await reaches(id, "running");
};

test("the record shows how far its image is, and the log tells of it", async () => {
  const { body } = await ours.create("pulled", { image: "ghcr.io/example/app:1" });
  const { id } = body.data;
  const digest = `sha256:${"0123456789abcdef".repeat(4)}`;
  const image = { reference: "ghcr.io/example/app:1", exposed_ports: [], labels: {}, total_bytes: 100 };
  const pulling = { ...image, digest: null, state: "pulling" as const, pulled_bytes: 40 };
  await host.reportContainer(id, { state: "creating", address: null, image: pulling });
  await until(async () => (await record(id)).image.pulled_bytes === 40);
  const ready = {
    ...{ ...image, digest, state: "ready" as const, pulled_bytes: 100 },
    ...{ exposed_ports: ["80/tcp"], labels: { team: "a" } },
  };
  await host.reportContainer(id, { state: "running", image: ready });
  expect((await reaches(id, "running")).image).toEqual(ready);
  const events = await stack.db`
    SELECT data->'image' AS image FROM events WHERE resource_id = ${id} AND data ? 'image' ORDER BY created_at, id`;
  expect(events.map((event) => event.image.state)).toEqual(["pulling", "ready"]);
  expect(await eventsOf(id)).toEqual(["container.created", "container.starting", "container.running"]);
});

test("the record follows its host: running, stopped, failed and running again", async () => {
  const id = await ours.container("followed");
  await host.reportContainer(id, { state: "running", address: "10.77.0.9" });
  expect(await reaches(id, "running")).toMatchObject({
    address: "10.77.0.9",
    driver: "oci",
    error: null,
  });
  await ours.call("POST", `/${id}/stop`);
  expect((await record(id)).state).toBe("running");
  await host.reportContainer(id, { revision: 2, state: "stopped", address: null });
  expect(await reaches(id, "stopped")).toMatchObject({ address: null });
  await host.reportContainer(id, { revision: 2, state: "error", error: "no room on the disk" });
  expect(await reaches(id, "error")).toMatchObject({ error: "no room on the disk" });
  await host.reportContainer(id, { revision: 2, state: "running" });
  expect(await reaches(id, "running")).toMatchObject({ error: null });
  expect(await eventsOf(id)).toEqual([
    "container.created",
    "container.running",
    "container.stopping",
    "container.stopped",
    "container.error",
    "container.running",
    "container.recovered",
  ]);
});

test("the same report twice is one change", async () => {
  const id = await ours.container("repeated");
  await host.reportContainer(id, {});
  const { updated_at } = await reaches(id, "running");
  await host.reportContainer(id, {});
  await caughtUp();
  expect((await record(id)).updated_at).toBe(updated_at);
  expect(await eventsOf(id)).toEqual(["container.created", "container.running"]);
});

test("a host that has no word in a container is not heard", async () => {
  const id = await ours.container("guarded");
  await host.reportContainer(id, { address: "10.77.0.5" });
  const before = await reaches(id, "running");
  await otherHost.reportContainer(id, { state: "error", error: "taken over", address: "10.0.0.1" });
  await otherHost.reportContainer(id, { state: "deleted" });
  await otherHost.reportFirewall(id, { revision: 99 });
  const theirs = await stack.db`SELECT id FROM containers WHERE server_name = ${otherServer}`;
  await otherHost.reportContainer(theirs[0]?.id, {});
  await until(async () => {
    const [row] = await stack.db`SELECT state FROM containers WHERE id = ${theirs[0]?.id}`;
    return row?.state === "running";
  });
  expect(await record(id)).toEqual(before);
});

test("a host cannot write another host's reports, nor read what is wanted of it", async () => {
  const id = await ours.container("walled");
  const { host: address, username, password } = new URL(stack.agentUrl(otherServer));
  const { connect } = await import("nats");
  const intruder = await connect({
    servers: address,
    user: username,
    pass: password,
    inboxPrefix: `_INBOX_${otherServer}`,
  });
  const refusals: string[] = [];
  void (async () => {
    for await (const status of intruder.status())
      if (status.type === "error") refusals.push(String(status.data));
  })();
  intruder.publish(`$KV.status_${server}.container.${id}`, JSON.stringify({ state: "error" }));
  intruder.publish(`$KV.desired_${server}.container.${id}`, "{}");
  intruder.publish("cluster.session-ended", "x");
  await intruder.flush();
  await until(() => refusals.length >= 3);
  await expect(
    intruder.request(`$JS.API.STREAM.INFO.KV_desired_${server}`, "", { timeout: 500 }),
  ).rejects.toThrow();
  await intruder.close();
  await caughtUp();
  expect((await record(id)).state).toBe("creating");
});

test("a report that is none harms nothing", async () => {
  const id = await ours.container("robust");
  const key = `container.${id}`;
  for (const text of [
    "",
    "null",
    "[]",
    "{",
    '{"state":"running"}',
    '"running"',
    "\u0000",
    "x".repeat(8_000),
  ]) {
    await host.reportRaw(key, text);
  }
  await host.reportContainer(id, { state: "melted" as never });
  await host.reportRaw("container.nonsense", "{}");
  await host.reportRaw(`volume.${id}`, "{}");
  await caughtUp();
  expect((await record(id)).state).toBe("creating");
  await host.reportContainer(id, {});
  await reaches(id, "running");
});

test("a host that reports a container deleted which nobody deleted does not take it away", async () => {
  const id = await ours.container("kept");
  await host.reportContainer(id, {});
  await reaches(id, "running");
  await host.reportContainer(id, { state: "deleted" });
  await caughtUp();
  expect((await record(id)).state).toBe("running");
});

test("once the host reports a deleted container gone, nothing is left of it but its log", async () => {
  const id = await ours.container("gone");
  await host.reportContainer(id, {});
  await reaches(id, "running");
  const rule = { action: "allow", protocol: "tcp", destination_port: "80", description: "" };
  await ours.call("POST", `/${id}/firewall/ingress`, rule);
  await host.reportFirewall(id, { revision: 1 });
  await ours.call("DELETE", `/${id}`);
  await until(async () => (await buckets.container(id))?.state === "deleted");
  expect(await stack.db`SELECT 1 FROM containers WHERE id = ${id}`).toHaveLength(1);

  await host.reportContainer(id, { revision: 2, state: "deleted", address: null });
  await until(async () => (await stack.db`SELECT 1 FROM containers WHERE id = ${id}`).length === 0);
  await until(async () => (await stack.db`SELECT 1 FROM firewalls WHERE container_id = ${id}`).length === 0);
  expect(await stack.db`SELECT 1 FROM firewall_rules WHERE container_id = ${id}`).toHaveLength(0);
  await until(async () => !(await buckets.keys()).some((key) => key.endsWith(id)));
  expect((await eventsOf(id)).at(-1)).toBe("container.deleted");
});

test("a project whose containers are all gone can be deleted", async () => {
  const { token } = ours;
  const made = await stack.call("POST", "/api/v1/projects", { token, body: { name: "emptied" } });
  const project_id = made.body.data.id;
  const { id } = (await ours.create("last", { project_id })).body.data;
  await host.reportContainer(id, {});
  await ours.call("DELETE", `/${id}`);
  await host.reportContainer(id, { revision: 2, state: "deleted" });
  await until(async () => (await stack.db`SELECT 1 FROM containers WHERE id = ${id}`).length === 0);
  const { status } = await stack.call("DELETE", `/api/v1/projects/${project_id}`, { token });
  expect(status).toBe(200);
});

test("a report from before a container was deleted adds nothing to its log", async () => {
  const id = await ours.container("late");
  await host.reportContainer(id, { revision: 1 });
  await reaches(id, "running");
  await ours.call("DELETE", `/${id}`);
  const before = await eventsOf(id);
  await host.reportContainer(id, { revision: 1 });
  await caughtUp();
  expect(await eventsOf(id)).toEqual(before);
  const [row] = await stack.db`SELECT state FROM containers WHERE id = ${id}`;
  expect(row?.state).toBe("deleted");
});

test("reports on records that do not exist, or are another host's, do not stay in the host's bucket", async () => {
  const here = await ours.container("not-of-node-2");
  const ids = [here, ...Array.from({ length: 50 }, newId)];
  for (const id of ids.slice(1)) await otherHost.reportContainer(id, {});
  await otherHost.reportFirewall(ids[1] ?? "", {});
  await otherHost.reportContainer(here, { state: "error", error: "not its own" });
  const left = await bucketsOf(stack, otherServer);
  // Keys of the desired state too: those of its own containers alone.
  const unknown = async () => (await left.keys()).filter((key) => ids.some((id) => key.endsWith(id)));
  expect((await record(here)).state).not.toBe("error");
  await until(async () => (await unknown()).length === 0);
  await left.close();
});

test("reports that the database refuses for any reason fail by themselves: the container stays usable, and others' reports count", async () => {
  const id = await ours.container("refused");
  await host.reportContainer(id, {});
  await reaches(id, "running");
  await stack.db`ALTER TABLE containers ADD CONSTRAINT of_a_test CHECK (error IS NULL OR error NOT LIKE 'refused%')`;
  for (let n = 0; n < 30; n++) {
    await host.reportContainer(id, { state: "error", error: `refused ${n}` });
    if (n % 10 !== 9) continue;
    await caughtUp();
    const to = n % 20 === 9 ? "stop" : "start";
    expect([n, (await ours.call("POST", `/${id}/${to}`)).status]).toEqual([n, 200]);
  }
  await host.reportContainer(id, { revision: 9, state: "stopped" });
  await reaches(id, "stopped");
  const { body } = await stack.call("GET", "/api/v1/admin/cluster", {
    token: (await stack.user({ role: "admin" })).token,
  });
  for (const { status } of body.data.hosts) expect(status.quarantined).toEqual([]);
  const lines = readFileSync(join(stack.logs, "actors-1.log"), "utf8").split("\n");
  expect(lines.filter((line) => line.includes("the database refused changes"))).toHaveLength(1);
  expect(lines.filter((line) => line.includes("reports of a host did nothing")).length).toBeWithin(1, 3);
  await stack.db`ALTER TABLE containers DROP CONSTRAINT of_a_test`;
});

test("the error of a report is kept up to 1,000 characters", async () => {
  const id = await ours.container("long-error");
  await host.reportContainer(id, { state: "error", error: `${"x".repeat(998)}😀${"y".repeat(5_000)}` });
  const { error } = await reaches(id, "error");
  expect(error).toHaveLength(1_000);
  expect(error).toStartWith("x".repeat(998));
});

test("a report with text that the database cannot store is dropped, and its container stays usable", async () => {
  const id = await ours.container("hostile-text");
  await host.reportContainer(id, {});
  await reaches(id, "running");
  for (const error of ["a\0b", "\ud800x", "c\0d", "\0", "\0e"])
    await host.reportContainer(id, { state: "error", error });
  await caughtUp();
  expect((await record(id)).state).toBe("running");
  expect((await ours.call("POST", `/${id}/stop`)).status).toBe(200);
  expect((await ours.call("DELETE", `/${id}`)).status).toBe(200);
});
