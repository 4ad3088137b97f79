import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { AddressPool } from "../../agents/addresses.ts";
import { Reconciler } from "../../agents/reconcile.ts";
import { NamespacesDriver } from "../../agents/sandbox/namespaces.ts";
import { newId } from "../agents/firewall/rules.ts";
import { lacks } from "../agents/requirements.ts";
import { testSubnet } from "../agents/sandbox/specs.ts";
import { temporaryFolder } from "../harness/servers.ts";
import { until } from "../harness/until.ts";

/**
 * A container whose command had died was `running` for ever, since its init went on; and what it said filled the host's
 * disk between two looks at its log.
 */

// Past a time limit the runner kills every process of the run: only what hangs may meet it.
setDefaultTimeout(30_000);

const SERVER = "node-9";
const LOG_BYTES_MAX = 8 * 1024 * 1024;

describe.skipIf(lacks("root", "nft", "ip", "unshare", "setpriv"))("a container whose command", () => {
  const ending: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ending.splice(0)) await end();
  });

  /** A container of an agent of its own, and all that is reported of it: each state with its error. */
  async function run(command: string[]) {
    const id = newId();
    const data = temporaryFolder();
    const reported: string[] = [];
    const agent = new Reconciler({
      server: SERVER,
      driver: new NamespacesDriver(new AddressPool(testSubnet(10))),
      filter: null,
      data,
      reports: {
        container: (_id, { state, error }) => reported.push(error === null ? state : `${state}: ${error}`),
        firewall: () => undefined,
      },
      log: pino({ level: "silent" }),
    });
    await agent.start();
    const wanted = {
      server_name: SERVER,
      id,
      project_id: "0".repeat(24),
      name: "web",
      generation: 0,
      command,
    };
    agent.desire(`container.${id}`, { ...wanted, revision: 1, state: "running" });
    ending.push(async () => {
      agent.desire(`container.${id}`, { ...wanted, revision: 2, state: "deleted" });
      await until(() => reported.includes("deleted"));
      await agent.close();
      await agent.halt();
    });
    return { reported, folder: join(data, "containers", id) };
  }

  test("ends is reported with its status, and started again", async () => {
    const { reported } = await run(["sh", "-c", "exit 3"]);
    await until(() => reported.filter((state) => state === "running").length >= 2);
    expect(reported.slice(0, 4)).toEqual([
      "creating",
      "running",
      "error: its command ended with status 3; it starts again",
      "running",
    ]);
  });

  test("is killed is reported with the signal", async () => {
    const { reported } = await run(["sh", "-c", "kill -KILL $$"]);
    await until(() => reported.includes("error: its command was ended by SIGKILL; it starts again"));
  });

  test("says more than a log may hold cannot make it larger", async () => {
    const { reported, folder } = await run([
      "sh",
      "-c",
      "head -c 40000000 /dev/zero; echo said; exec sleep 1000",
    ]);
    await until(() => reported.includes("running"));
    const size = (name: string) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
    let largest = 0;
    await until(
      () => {
        largest = Math.max(largest, size("log"), size("log.1"));
        return size("log") === (40_000_000 + "said\n".length) % LOG_BYTES_MAX;
      },
      { everyMs: 1 },
    );
    expect(largest).toBeLessThanOrEqual(LOG_BYTES_MAX);
  });
});
