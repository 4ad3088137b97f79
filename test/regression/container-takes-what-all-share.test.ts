import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { ProcessIdentity } from "../../system/process-identity.ts";
import { newDriver } from "../../test/agents/containers/new-driver.ts";
import { newSpec, testPool } from "../agents/containers/specs.ts";
import { lacks } from "../agents/requirements.ts";

/** What the kernel counts by user, or for the whole host, one container could use up: nothing was left for the host's programs. */

const SIGNAL = 40;
/** Sends itself a signal that it does not take, far more often than the kernel keeps signals for a user. */
const QUEUE = `
use POSIX;
sigprocmask(SIG_BLOCK, POSIX::SigSet->new(${SIGNAL}));
kill ${SIGNAL}, $$ for 1 .. 500_000;
open my $status, "<", "/proc/self/status";
print grep { /^SigQ/ } <$status>;
$| = 1; print "\n"; sleep 1000;
`;
const OPEN_TERMINALS = `
my @open;
while (@open < 2000 and open my $one, "+<", "/dev/ptmx") { push @open, $one }
print scalar @open;
`;

/** Soft and hard, by the kernel's name. */
function limitsOf(text: string): Record<string, [string, string]> {
  const lines = text.matchAll(/^(Max \S.*?) {2,}(\S+) +(\S+)/gm);
  return Object.fromEntries([...lines].map(([, name = "", soft = "", hard = ""]) => [name, [soft, hard]]));
}

describe.skipIf(lacks("root", "nft", "ip", "oci"))("a container", () => {
  const pool = testPool(10);
  const driver = newDriver(pool);
  const spec = newSpec(pool);
  let init: ProcessIdentity;
  beforeAll(async () => {
    await driver.prepare();
    await driver.create(spec);
    init = (await driver.start(spec, async () => undefined)).init;
  });
  afterAll(async () => {
    await driver.stop(spec, init, 0);
    await driver.destroy(spec);
    await driver.release();
  });
  const machine = () => driver.execTarget(spec, () => init);
  const run = async (...argv: string[]) => (await machine().run({ user: null, argv })).stdout;

  test("has limits of its own for all of its processes, also for those that enter it", async () => {
    const own = limitsOf(readFileSync("/proc/self/limits", "utf8"));
    const found = limitsOf(readFileSync(`/proc/${init.pid}/limits`, "utf8"));
    const half = (name: string, max: number) => {
      const bound = String(
        Math.min(max, Math.floor((Number(own[name]?.[1]) || Number.POSITIVE_INFINITY) / 2)),
      );
      return [bound, bound];
    };
    expect(found).toMatchObject({
      "Max core file size": ["0", "0"],
      "Max pending signals": half("Max pending signals", 65_536),
      "Max msgqueue size": half("Max msgqueue size", 409_600),
      "Max locked memory": half("Max locked memory", 8 * 1024 * 1024),
      "Max processes": half("Max processes", 65_536),
      "Max nice priority": ["0", "0"],
      "Max realtime priority": ["0", "0"],
    });
    expect(Number(found["Max open files"]?.[1])).toBeLessThanOrEqual(65_536);
    expect(limitsOf(await run("cat", "/proc/self/limits"))).toEqual(found);
  });

  test("cannot raise them", async () => {
    expect(await run("sh", "-c", "ulimit -l 64 && ulimit -l")).toBe("64\n");
    expect(await run("sh", "-c", "ulimit -l 1000000 2>/dev/null && echo raised")).toBe("");
  });

  test("that keeps as many signals waiting as it may leaves the host's programs room for theirs", async () => {
    const queue = machine().stream({ user: null, argv: ["perl", "-e", QUEUE] }, null);
    const { value } = await queue.stdout.getReader().read();
    const countsOf = (status: string) => (/^SigQ:\s*(\d+)\/(\d+)$/m.exec(status) ?? []).slice(1).map(Number);
    const [inside = 0] = countsOf(new TextDecoder().decode(value));
    expect(inside).toBeGreaterThan(100);
    // The kernel counts them for the container's own root, and not for the host's.
    const [waiting = 0, most = 0] = countsOf(readFileSync("/proc/self/status", "utf8"));
    expect(waiting).toBeLessThan(most - inside);
    queue.kill();
    await queue.exited;
  });

  test("has so many terminals and no more: the kernel counts those of all containers together", async () => {
    expect(await run("perl", "-e", OPEN_TERMINALS)).toBe("256");
  });
});
