import { afterAll, beforeAll, expect, test } from "bun:test";
import { type SharedStack, sharedStack } from "../../../../harness/shared-stack.ts";
import { until } from "../../../../harness/until.ts";
import { inCatalogue } from "../image/catalogue.ts";
import { type Buckets, bucketsOf, tenant } from "./hosting.ts";

/** What the control plane wants of a host that does not answer. */

let stack: SharedStack;
let server: string;
let otherServer: string;
let ours: Awaited<ReturnType<typeof tenant>>;
let buckets: Buckets;
beforeAll(async () => {
  stack = await sharedStack();
  server = await stack.serverName();
  otherServer = await stack.serverName();
  ours = await tenant(stack, server);
  buckets = await bucketsOf(stack, server);
});
afterAll(async () => {
  await buckets.close();
  await stack.stop();
});

/** The desired state, once it has come to a revision. */
const desired = (id: string, revision: number) =>
  until(async () => {
    const found = await buckets.container(id);
    return found?.revision === revision && found;
  });
const ask = async (id: string, what: string) => {
  const { status, body } = await ours.call("POST", `/${id}/${what}`);
  return { status, state: body.data?.state, code: body.code };
};

test("a new container is wanted running by its server", async () => {
  const id = await ours.container("fresh");
  expect(await desired(id, 1)).toMatchObject({
    revision: 1,
    server_name: server,
    id,
    project_id: ours.projectId,
    name: "fresh",
    state: "running",
    generation: 1,
    command: [],
  });
});

test("stop, start, restart and delete raise the revision; the record waits for the host", async () => {
  const id = await ours.container("lived");
  const creating = { status: 200, state: "creating", code: undefined };
  expect(await ask(id, "stop")).toEqual(creating);
  expect(await desired(id, 2)).toMatchObject({ state: "stopped", generation: 1 });
  expect(await ask(id, "start")).toEqual(creating);
  expect(await desired(id, 3)).toMatchObject({ state: "running", generation: 2 });
  expect(await ask(id, "restart")).toEqual(creating);
  expect(await desired(id, 4)).toMatchObject({ state: "running", generation: 3 });
  await ours.call("DELETE", `/${id}`);
  expect(await desired(id, 5)).toMatchObject({ state: "deleted" });
});

test("asking for what is asked for already changes nothing", async () => {
  const id = await ours.container("steady");
  expect((await ask(id, "start")).status).toBe(200);
  await ask(id, "stop");
  await desired(id, 2);
  expect((await ask(id, "stop")).status).toBe(200);
  const [row] = await stack.db`SELECT desired_revision FROM containers WHERE id = ${id}`;
  expect(row?.desired_revision).toBe(2n);
  const events = await stack.db`SELECT event_type FROM events WHERE resource_id = ${id} ORDER BY id`;
  expect(events.map((event) => event.event_type)).toEqual(["container.created", "container.stopping"]);
});

test("a stopped container cannot be restarted", async () => {
  const id = await ours.container("idle");
  await ask(id, "stop");
  expect(await ask(id, "restart")).toEqual({
    status: 409,
    state: undefined,
    code: "CONTAINER_STATE_CONFLICT",
  });
  expect(await desired(id, 2)).toMatchObject({ state: "stopped", generation: 1 });
});

test("a restart that comes again with its key is one restart", async () => {
  const id = await ours.container("again");
  const headers = { "idempotency-key": "k" };
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => ours.call("POST", `/${id}/restart`, undefined, headers)),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(await desired(id, 2)).toMatchObject({ generation: 2 });
  await ours.call("POST", `/${id}/restart`);
  expect(await desired(id, 3)).toMatchObject({ generation: 3 });
});

test("the newest image is asked for by a count, once for a key; a container of no tag has none", async () => {
  const { body } = await ours.create("tagged", { image: "registry.example/team/app:1" });
  const { id } = body.data;
  const headers = { "idempotency-key": "pull" };
  for (const _ of [1, 2]) {
    const asked = await ours.call("POST", `/${id}/pull`, undefined, headers);
    expect([asked.status, asked.body.data.image.state]).toEqual([200, "waiting"]);
  }
  expect(await desired(id, 2)).toMatchObject({ image_generation: 1, generation: 1, state: "running" });
  const [event] = await stack.db`
    SELECT event_type, data FROM events WHERE resource_id = ${id} ORDER BY id DESC LIMIT 1`;
  expect(event).toMatchObject({ event_type: "container.restarting", data: { pull: true } });
  const pinned = await ours.create("pinned", { image: `app@sha256:${"0".repeat(64)}` });
  for (const made of [pinned.body.data.id, await ours.container("bare")])
    expect(await ask(made, "pull")).toMatchObject({ status: 409, code: "CONTAINER_STATE_CONFLICT" });
});

test("a container of the catalogue takes the reference that its entry has now, once for a key", async () => {
  const digest = (digit: string) => `@sha256:${digit.repeat(64)}`;
  const image = await inCatalogue(stack, { reference: `registry.example/entry${digest("1")}` });
  const { body } = await ours.create("of-entry", { image_id: image });
  const { id } = body.data;
  const asked = async (headers = {}) => {
    const { status, body } = await ours.call("POST", `/${id}/pull`, undefined, headers);
    return [status, body.data?.image.reference ?? body.code];
  };
  expect(await asked()).toEqual([409, "CONTAINER_STATE_CONFLICT"]);
  for (const [revision, reference] of [
    [2, `registry.example/entry${digest("2")}`],
    [3, "registry.example/other:2"],
  ] as const) {
    await stack.actors.image(image).update({ reference });
    const headers = { "idempotency-key": `take-${revision}` };
    expect(await asked(headers)).toEqual([200, reference]);
    expect(await asked(headers)).toEqual([200, reference]);
    expect(await desired(id, revision)).toMatchObject({ image: reference, image_generation: revision - 1 });
  }
  // What its owner may no longer use stays what it was.
  await stack.actors.image(image).update({ reference: "registry.example/sold:1", price: "5" });
  expect(await asked()).toEqual([200, "registry.example/other:2"]);
});

test("many changes at once end in the revision that the record has", async () => {
  const id = await ours.container("busy");
  await Promise.all(
    Array.from({ length: 30 }, (_, i) => ours.call("POST", `/${id}/${["stop", "start", "restart"][i % 3]}`)),
  );
  const [row] =
    await stack.db`SELECT desired_state, desired_revision, generation FROM containers WHERE id = ${id}`;
  const last = await desired(id, Number(row?.desired_revision));
  expect(last).toMatchObject({ state: row?.desired_state, generation: row?.generation });
});

test("what is wanted of one server is not told to another", async () => {
  const theirs = await tenant(stack, otherServer);
  const id = await theirs.container("apart");
  const other = await bucketsOf(stack, otherServer);
  await until(() => other.container(id));
  expect(await buckets.keys()).not.toContain(`container.${id}`);
  await other.close();
});
