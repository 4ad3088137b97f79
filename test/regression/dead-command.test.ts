import { afterEach, describe, expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type LoneAgent, startLoneAgent } from "../agents/lone-agent.ts";
import { lacks } from "../agents/requirements.ts";
import { until } from "../harness/until.ts";

/**
 * A container whose command had died was `running` for ever, since its init went on; and what it said filled the host's
 * disk between two looks at its log.
 */

const LOG_BYTES_MAX = 8 * 1024 * 1024;

describe.skipIf(lacks("root", "nft", "ip", "unshare", "setpriv"))("a container whose command", () => {
  let agent: LoneAgent;
  afterEach(() => agent.stop());

  test("ends is reported with its status, and started again", async () => {
    agent = await startLoneAgent(["sh", "-c", "exit 3"]);
    await until(() => agent.reported.filter((state) => state === "running").length >= 2);
    expect(agent.reported.slice(0, 4)).toEqual([
      "creating",
      "running",
      "error: its command ended with status 3; it starts again",
      "running",
    ]);
  });

  test("is killed is reported with the signal", async () => {
    agent = await startLoneAgent(["sh", "-c", "kill -KILL $$"]);
    await until(() => agent.reported.includes("error: its command was ended by SIGKILL; it starts again"));
  });

  test("says more than a log may hold cannot make it larger", async () => {
    agent = await startLoneAgent(["sh", "-c", "head -c 40000000 /dev/zero; echo said; exec sleep 1000"]);
    await until(() => agent.reported.includes("running"));
    const size = (name: string) => statSync(join(agent.folder, name), { throwIfNoEntry: false })?.size ?? 0;
    let largest = 0;
    await until(
      () => {
        largest = Math.max(largest, size("log"), size("log.1"));
        // Where the pieces of the long line before it end is the driver's.
        return readFileSync(join(agent.folder, "log")).subarray(-100).includes("said\n");
      },
      { everyMs: 1 },
    );
    expect(largest).toBeLessThanOrEqual(LOG_BYTES_MAX);
  });
});
