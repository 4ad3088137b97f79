import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type LoneAgent, startLoneAgent } from "../agents/lone-agent.ts";
import { lacks } from "../agents/requirements.ts";
import { until } from "../harness/until.ts";

/** One container could fill the host's disk and keep all of its processors busy. */

// Past a time limit the runner kills every process of the run: only what hangs may meet it.
setDefaultTimeout(60_000);

const LIMITS = { cpus: 0.5, diskMegabytes: 64 };
const LIMIT_BYTES = LIMITS.diskMegabytes * 1024 * 1024;

describe.skipIf(lacks("root", "nft", "ip", "unshare", "setpriv"))("a container", () => {
  let agent: LoneAgent;
  afterEach(() => agent.stop());

  const start = async (line: string) => {
    agent = await startLoneAgent(["sh", "-c", line], LIMITS);
    await until(() => agent.reported.includes("running"));
  };
  const log = () => readFileSync(join(agent.folder, "log"), "utf8");

  test("that fills more of the disk than it may is stopped, and told what the limit is", async () => {
    await start(
      "for i in 1 2 3 4 5 6 7 8 9 10; do head -c 10000000 /dev/zero >/srv/$i; done; exec sleep 1000",
    );
    const last = await until(() => agent.reported.at(-1)?.startsWith("error") && agent.reported.at(-1), {
      timeoutMs: 30_000,
    });
    expect(last).toMatch(
      /^error: its files take \d+ MB and may take 64 \(BERTH_CONTAINER_DISK_MB of its host\)/,
    );
    const { init } = JSON.parse(readFileSync(join(agent.folder, "state.json"), "utf8"));
    expect(init).toBeNull();
  });

  test("cannot write one file that is larger than all of its files may be", async () => {
    await start("(head -c 200000000 /dev/zero >/srv/large); echo status $?; exec sleep 1000");
    await until(() => log().includes("status "));
    expect(log()).not.toContain("status 0");
    expect(statSync(join(agent.folder, "root/srv/large")).size).toBeLessThanOrEqual(LIMIT_BYTES);
  });

  const cpuOf = (id: string) =>
    [`/sys/fs/cgroup/berth/${id}/cpu.stat`, `/sys/fs/cgroup/cpu/berth/${id}/cpu.stat`].find(existsSync);
  const limited =
    existsSync("/sys/fs/cgroup/cpu/cpu.cfs_quota_us") || existsSync("/sys/fs/cgroup/cgroup.controllers");
  test.skipIf(!limited)("that computes without end waits for its share", async () => {
    await start("while :; do :; done");
    await until(() => {
      const path = cpuOf(agent.id);
      return path && Number(/nr_throttled (\d+)/.exec(readFileSync(path, "utf8"))?.[1]) > 3;
    });
  });
});
