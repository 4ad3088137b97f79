import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { asRootOf, FIRST_ID } from "../../../agents/containers/oci/id-ranges.ts";
import { findRuntime } from "../../../agents/containers/oci/runtime-program.ts";
import { canMakeNamespace, hasOwnCounters } from "../../../agents/containers/oci/user-counters.ts";
import { readHostFacts } from "../../../agents/control-plane/host-facts.ts";
import { lacks } from "../requirements.ts";
import { inside, output } from "./inside.ts";
import { newDriver } from "./new-driver.ts";
import { destroyAll, newSpec, startAll, testPool } from "./specs.ts";

/** What the kernel counts by user: a container that uses up its own leaves that of others. */

/** Opens as many as it may and holds them; says how many. */
const TAKE_ALL = `
import { dlopen } from "bun:ffi";
const { symbols: libc } = dlopen("libc.so.6", { inotify_init: { args: [], returns: "i32" } });
let count = 0;
while (count < 60000 && libc.inotify_init() >= 0) count += 1;
console.log(count);
await Bun.sleep(HOLD);
`;
/** The words that have Bun run it: a file would have to be in each image. */
const take = (holdMs: number) => `/.berth/bun -e '${TAKE_ALL.replace("HOLD", String(holdMs))}'`;

describe.skipIf(lacks("root", "setpriv"))(
  "a host says that containers share what the kernel counts by user",
  () => {
    const shares = async (runtime: string | null, driver: "oci" | "process" = "oci") =>
      (await readHostFacts("/", driver, runtime)).unlimited?.includes("user_counters");
    test("under another runtime than crun, and without isolation", async () => {
      const canMake = await canMakeNamespace(asRootOf(FIRST_ID));
      expect(await shares("crun 1.8.1")).toBe(!canMake);
      expect(await shares("runc 1.1.5+ds1")).toBe(true);
      expect(await shares(null, "process")).toBe(true);
    });
    test("where only root may make user namespaces", async () => {
      const no = () => canMakeNamespace(["false"]);
      expect(await hasOwnCounters("crun", no)).toBe(false);
      expect(await hasOwnCounters("crun", () => canMakeNamespace([]))).toBe(true);
    });
  },
);

describe.skipIf(lacks("root", "nft", "ip", "oci"))("what the kernel counts by user", () => {
  const pool = testPool(10);
  let driver: ReturnType<typeof newDriver>;
  const specs = [0, 1].map(() => newSpec(pool, { command: ["sh", "-c", "exec sleep 1000"] }));
  let pids: number[];
  beforeAll(async () => {
    driver = newDriver(pool, { runtime: await findRuntime("crun") });
    pids = await startAll(driver, specs);
  });
  afterAll(() => destroyAll(driver, specs));

  test("is counted for each container on its own: inotify instances of one are missing nowhere else", async () => {
    const [first = 0, second = 0] = pids;
    const most = Number(await Bun.file("/proc/sys/fs/inotify/max_user_instances").text());
    await output(
      first,
      `(${take(600_000)}) >/srv/count 2>&1 & until grep -q . /srv/count; do sleep 0.05; done`,
    );
    const taken = Number(await output(first, "cat /srv/count"));
    expect(taken).toBeGreaterThan(0);
    // As far as the limit of open files lets it come.
    if (most < 60_000) expect(taken).toBe(most);
    expect(Number((await inside(first, take(0))).stdout)).toBe(0);
    expect(Number(await output(second, take(0)))).toBe(taken);
    const host = Bun.spawnSync([
      process.execPath,
      "-e",
      'process.exit(require("fs").watch("/tmp").close() ?? 0)',
    ]);
    expect(host.exitCode).toBe(0);
  });
});
