import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { ProcessDriver } from "../../agents/containers/process/driver.ts";
import { run } from "../../agents/exec/command.ts";
import { HostReconciler } from "../../agents/reconciler/reconciler.ts";
import { newId } from "../agents/network/nft/rules.ts";
import { lacks } from "../agents/requirements.ts";
import { temporaryFolder } from "../harness/servers.ts";
import { until } from "../harness/until.ts";

/** A container with folders as deep as it could make them took minutes to delete, and held up others meanwhile. */

const DEPTH = 3_000;
/** No path leads there from the root that the kernel would take: each is entered before the next is made. */
const NEST = `for (1 .. ${DEPTH}) { mkdir "x" x 200 or die "$_: $!"; chdir "x" x 200 or die "$_: $!" }`;

describe.skipIf(lacks("linux"))("an agent", () => {
  const data = temporaryFolder();
  const containers = join(data, "containers");
  const removed = join(containers, ".removed");
  const reported = new Map<string, string>();
  const agent = new HostReconciler({
    server: "node-9",
    driver: new ProcessDriver(null),
    filter: null,
    data,
    reports: { container: (id, { state }) => reported.set(id, state), firewall: () => undefined },
    log: pino({ level: "silent" }),
  });
  const want = (id: string, state: "running" | "deleted", revision: number) => {
    const fields = { server_name: "node-9", project_id: "0".repeat(24), name: "web", command: [] };
    agent.desire(`container.${id}`, { ...fields, id, state, revision, generation: 0 });
    return until(() => reported.get(id) === state);
  };
  const emptied = () => until(() => readdirSync(removed).length === 0);

  beforeAll(async () => {
    // What an agent was removing as it was ended.
    mkdirSync(join(removed, "left/root"), { recursive: true });
    writeFileSync(join(removed, "left/root/file"), "");
    await agent.start();
  });
  afterAll(() => agent.close());

  test("goes on with a removal that the one before it could not finish", emptied);

  test("deletes a container whose folders are nested as deep as can be", async () => {
    const id = newId();
    await want(id, "running", 1);
    await run(["perl", "-e", `chdir $ARGV[0] or die; ${NEST}`, join(containers, id, "root")]);
    await want(id, "deleted", 2);
    expect(existsSync(join(containers, id))).toBe(false);
    await emptied();
  });

  test("makes a container of the same id again at once, with nothing of the one before", async () => {
    const id = newId();
    await want(id, "running", 1);
    writeFileSync(join(containers, id, "root/file"), "");
    await want(id, "deleted", 2);
    await want(id, "running", 3);
    expect(readdirSync(join(containers, id, "root"))).toEqual([]);
    await want(id, "deleted", 4);
    await emptied();
  });
});
