import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { UNLIMITED_NAMES } from "../../../../schemas/hosting/host.ts";
import { lacks } from "../../requirements.ts";

/**
 * The driver under control groups of version 2 alone, in a mount namespace of its own: also on a machine whose controllers are in hierarchies
 * of version 1. There it has none, and has to say so; groups, their processes and the filter of devices are version 2's all the same.
 */

const SCRIPT = join(import.meta.dir, "on-unified-groups.ts");
const MOUNT = 'mount -t cgroup2 none /sys/fs/cgroup && exec "$@"';
const onUnified = (...command: string[]) =>
  Bun.spawn(["unshare", "--mount", "--propagation", "private", "sh", "-c", MOUNT, "sh", ...command], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });

const canMount = !lacks("root", "unshare") && (await onUnified("true").exited) === 0;
/** crun makes room for its filter of devices, which takes a root who may raise limits. */
const canRaise = Bun.spawnSync(["prlimit", "--memlock=unlimited", "true"]).exitCode === 0;
if (canMount && !canRaise) console.log("skipped: this machine's root may not raise limits");
const isTried = (runtime: "crun" | "runc") =>
  canMount && !lacks("root", "nft", "ip", "oci", runtime) && (runtime !== "crun" || canRaise);

describe.each(["crun", "runc"] as const)("under control groups of version 2 alone, %s", (runtime) => {
  test.skipIf(!isTried(runtime))(
    "runs a container in a group of its project, ends all of it, and says what is not limited",
    async () => {
      const child = onUnified(process.execPath, SCRIPT, runtime);
      const found = JSON.parse(await new Response(child.stdout).text());
      expect(await child.exited).toBe(0);
      expect(found).toMatchObject({
        ...{ isInGroup: true, holdsInit: true, isEnded: true },
        // It is asked to end, and killed in the same moment.
        reason: expect.stringMatching(/^its command was ended by SIG(TERM|KILL)$/),
      });
      expect(found.cpuMicros).toBeGreaterThan(0);
      // Its own group is the top of what it sees, and its own null device works.
      expect(found.inside.split("\n")).toContain("0::/");
      expect(found.inside).toEndWith("\n4");
      const has = (controller: string) => found.controllers.includes(controller);
      const limited = { processes: "pids", memory: "memory", swap: "memory", cpu: "cpu", disk_speed: "io" };
      expect(found.unlimited).toEqual(
        UNLIMITED_NAMES.filter((name) => name in limited && !has(limited[name as keyof typeof limited])),
      );
      expect(found.unenforced).toEqual([
        ...(has("cpu") ? [] : ["cpu_cores"]),
        ...(has("memory") ? [] : ["memory_bytes"]),
      ]);
    },
  );
});
