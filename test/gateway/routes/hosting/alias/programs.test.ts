import { afterAll, beforeAll, expect, test } from "bun:test";
import { type EmbeddedStack, startEmbeddedStack } from "../../../../harness/embedded-stack.ts";
import { until } from "../../../../harness/until.ts";
import { type Host, startHost } from "../container/hosting.ts";
import { aliasCalls, aliasTenant } from "./aliasing.ts";

let stack: EmbeddedStack;
let host: Host;
let ours: Awaited<ReturnType<typeof aliasTenant>>;
beforeAll(async () => {
  stack = await startEmbeddedStack({ servers: ["node-1"] });
  host = await startHost(stack, "node-1");
  ours = await aliasTenant(stack, "node-1");
});
afterAll(async () => {
  await host.close();
  await stack.stop();
});

const REFERENCE = "ghcr.io/example/app:1";
const image = {
  ...{ reference: REFERENCE, digest: null, state: "ready" as const },
  ...{ pulled_bytes: 1, total_bytes: 1, exposed_ports: [], labels: {} },
};

/** A container of an image, and what makes aliases of it. */
async function ofImage(name: string) {
  const { body } = await ours.create(name, { image: REFERENCE });
  return { id: body.data.id as string, ...aliasCalls(stack, ours.token, body.data.id) };
}

async function reported(id: string, programs: string[]): Promise<void> {
  await host.reportContainer(id, { image: { ...image, programs } });
  await until(async () => (await ours.call("GET", `/${id}`)).body.data.image.programs !== undefined);
}

test("an alias leads to a program that the container's image declares, and the container's record lists it", async () => {
  const { id, exposed } = await ofImage("declares");
  await reported(id, ["code", "display"]);
  expect((await ours.call("GET", `/${id}`)).body.data.image.programs).toEqual(["code", "display"]);
  expect(await exposed({ program: "code" })).toMatchObject({ program: "code", index: 1 });
  expect(await exposed({ program: "display", index: 3 })).toMatchObject({ program: "display", index: 3 });
});

test("an alias to a program that the image does not declare is refused with what is missing and how it is declared, on creation and in a patch", async () => {
  const { id, expose, exposed, aliases } = await ofImage("lacks");
  await reported(id, ["code"]);
  const { status, body } = await expose({ program: "browser" });
  expect([status, body.code, body.data]).toEqual([400, "VALIDATION_ERROR", { field: "body.program" }]);
  expect(body.message).toContain("no program browser");
  expect(body.message).toContain("berth.program.browser=<port>[/path]");
  expect(body.message).toContain("terminal, pipe, notifications, files, code");
  const made = await exposed({ program: "code" });
  expect((await aliases("PATCH", `/${made.id}`, { program: "browser" })).status).toBe(400);
  expect((await aliases("PATCH", `/${made.id}`, { program: "code", enabled: false })).status).toBe(200);
});

test("while the image of a container is not known, its programs are not, and the refusal says so", async () => {
  const { expose, exposed } = await ofImage("waits");
  const { status, body } = await expose({ program: "code" });
  expect([status, body.message]).toEqual([400, expect.stringContaining("has not been pulled yet")]);
  expect(await exposed({ program: "files" })).toMatchObject({ program: "files" });
});

test("a container without an image has no program but the agent's own, and whatever display its user installs", async () => {
  expect((await ours.expose({ program: "code" })).status).toBe(400);
  expect(await ours.exposed({ program: "display" })).toMatchObject({ program: "display" });
});

test("a replay is answered by its alias, also when the image has lost the program since", async () => {
  const { id, expose } = await ofImage("replayed");
  await reported(id, ["code"]);
  const key = { "idempotency-key": crypto.randomUUID() };
  const first = await expose({ program: "code" }, key);
  expect(first.status).toBe(201);
  await host.reportContainer(id, { image: { ...image, programs: [] } });
  await until(async () => (await ours.call("GET", `/${id}`)).body.data.image.programs.length === 0);
  const again = await expose({ program: "code" }, key);
  expect([again.status, again.body.data.id]).toEqual([201, first.body.data.id]);
});
