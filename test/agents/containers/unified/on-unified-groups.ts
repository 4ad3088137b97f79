import { existsSync, readFileSync } from "node:fs";
import { unlimited } from "../../../../agents/containers/cgroup.ts";
import { findRuntime } from "../../../../agents/containers/oci/runtime-program.ts";
import { until } from "../../../harness/until.ts";
import { newId } from "../../network/nft/rules.ts";
import { output } from "../inside.ts";
import { newDriver } from "../new-driver.ts";
import { newSpec, testPool } from "../specs.ts";

/**
 * A process in a mount namespace where `/sys/fs/cgroup` is a hierarchy of version 2 alone: runs a container there, and writes what it has seen
 * as JSON. Argument: the runtime.
 */

const runtime = await findRuntime(process.argv[2] ?? "");
const pool = testPool(10);
const driver = newDriver(pool, { runtime });
const tenant = newId();
const spec = newSpec(pool, { tenant, command: ["sh", "-c", "sleep 1000 & exec sleep 1000"] });
const group = `/sys/fs/cgroup/berth/${tenant}/${spec.id}`;

await driver.prepare();
await driver.create(spec);
const { init } = await driver.start(spec, async () => undefined);
try {
  const inside = await output(init.pid, "cat /proc/self/cgroup; head -c 4 /dev/zero | wc -c");
  const applied = await driver.limit(spec);
  // The command starts another program.
  const processes = await until(async () => {
    const all = await driver.processes(spec);
    return all.length >= 2 && all;
  });
  const groupOfInit = readFileSync(`/proc/${init.pid}/cgroup`, "utf8");
  const { cpuMicros } = await driver.usage(spec);
  await driver.stop(spec, init, 0);
  const isEnded = !driver.isRunning(init) && !existsSync(group);
  const controllers = readFileSync("/sys/fs/cgroup/cgroup.controllers", "utf8").trim().split(" ");
  console.log(
    JSON.stringify({
      ...{ controllers, unlimited: unlimited(), unenforced: applied.unenforced, isEnded, inside, cpuMicros },
      isInGroup: groupOfInit.includes(`/berth/${tenant}/${spec.id}`),
      holdsInit: processes.includes(init.pid),
      reason: (await driver.lastEnd(spec)).reason,
    }),
  );
} finally {
  await driver.destroy(spec);
  await driver.release();
}
