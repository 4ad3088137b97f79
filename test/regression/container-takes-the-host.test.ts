import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_LIMITS } from "../../agents/containers/limits.ts";
import { type LoneAgent, startLoneAgent } from "../agents/lone-agent.ts";
import { lacks } from "../agents/requirements.ts";
import { until } from "../harness/until.ts";

/**
 * One container could fill the host's disk and keep all of its processors busy. Later: the disk by files without a name, and by
 * more files than the disk has room to note.
 */

const LIMITS = { ...DEFAULT_LIMITS, cpus: 0.5, diskMegabytes: 64, files: 3_000 };
const LIMIT_BYTES = LIMITS.diskMegabytes * 1024 * 1024;

describe.skipIf(lacks("root", "nft", "ip", "unshare", "setpriv"))("a container", () => {
  let agent: LoneAgent;
  afterEach(() => agent.stop());

  const start = async (line: string) => {
    agent = await startLoneAgent(["sh", "-c", line], LIMITS);
    await until(() => agent.reported.includes("running"));
  };
  const log = () => readFileSync(join(agent.folder, "log"), "utf8");
  const stopped = () => until(() => agent.reported.at(-1)?.startsWith("error") && agent.reported.at(-1));

  test("that fills more of the disk than it may is stopped, and told what the limit is", async () => {
    await start(
      "for i in 1 2 3 4 5 6 7 8 9 10; do head -c 10000000 /dev/zero >/srv/$i; done; exec sleep 1000",
    );
    expect(await stopped()).toMatch(
      /^error: its files take \d+ MB and may take 64 \(resources\.disk_bytes, or BERTH_CONTAINER_DISK_MB of its host\)/,
    );
    const { init } = JSON.parse(readFileSync(join(agent.folder, "state.json"), "utf8"));
    expect(init).toBeNull();
  });

  test("that has more files than it may is stopped, and told how many that is", async () => {
    await start("i=0; while [ $i -lt 4000 ]; do : >/srv/$i; i=$((i + 1)); done; exec sleep 1000");
    expect(await stopped()).toStartWith(
      "error: it has more than the 3000 files and folders that it may have (BERTH_CONTAINER_FILES of its host)",
    );
  });

  const grouped = ["cgroup.controllers", "pids/cgroup.procs"].some((name) =>
    existsSync(`/sys/fs/cgroup/${name}`),
  );
  test.skipIf(!grouped)(
    "that fills the disk with files which have no name any more is stopped for them",
    async () => {
      const hold = 'eval "exec $i>/srv/$i"; head -c 10000000 /dev/zero >&$i; rm /srv/$i';
      await start(`for i in 3 4 5 6 7 8 9; do ${hold}; done; exec sleep 1000`);
      expect(await stopped()).toStartWith("error: its files take");
    },
  );

  test("cannot write one file that is larger than all of its files may be", async () => {
    await start("(head -c 200000000 /dev/zero >/srv/large); echo status $?; exec sleep 1000");
    await until(() => log().includes("status "));
    expect(log()).not.toContain("status 0");
    expect(statSync(join(agent.folder, "root/srv/large")).size).toBeLessThanOrEqual(LIMIT_BYTES);
  });

  const cpuOf = (id: string) => {
    const group = `berth/${"0".repeat(24)}/${id}/cpu.stat`;
    return [`/sys/fs/cgroup/${group}`, `/sys/fs/cgroup/cpu/${group}`].find(existsSync);
  };
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
