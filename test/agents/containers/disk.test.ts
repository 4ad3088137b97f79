import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, linkSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type DiskUse, diskUse } from "../../../agents/containers/disk.ts";
import { newDriver } from "../../../test/agents/containers/new-driver.ts";
import { temporaryFolder } from "../../harness/servers.ts";
import { until } from "../../harness/until.ts";
import { lacks } from "../requirements.ts";
import { newSpec, testPool } from "./specs.ts";

const MEGABYTE = 1024 * 1024;
const FILES_MAX = 100_000;

describe.skipIf(lacks("linux"))("the files of a container", () => {
  function folderWith(count: number) {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "root"));
    for (let file = 0; file < count; file += 1) writeFileSync(join(folder, "root", `${file}`), "");
    return folder;
  }

  test("are counted with their folders, and once under all of their names", async () => {
    const folder = folderWith(10);
    writeFileSync(join(folder, "root/large"), Buffer.alloc(4 * MEGABYTE, "x"));
    linkSync(join(folder, "root/large"), join(folder, "root/again"));
    const { files, bytes } = await diskUse(folder, FILES_MAX, []);
    expect(files).toBe(12);
    expect(bytes).toBeGreaterThanOrEqual(4 * MEGABYTE);
    expect(bytes).toBeLessThan(5 * MEGABYTE);
  });

  test("are not counted past what it may have", async () => {
    expect((await diskUse(folderWith(500), 100, [])).files).toBe(101);
  });
});

/** Holds 8 MB that it writes, 8 MB that it has mapped, and 8 MB in memory; none of them has a name. */
const HOLD = `
import { mmap } from "bun";
import { openSync, unlinkSync, writeFileSync, writeSync } from "node:fs";
const large = Buffer.alloc(${8 * MEGABYTE}, "x");
const [written, , inMemory] = ["/srv/written", "/srv/mapped", "/dev/shm/large"].map((path) => {
  const file = openSync(path, "w");
  writeSync(file, large);
  return file;
});
const mapped = mmap("/srv/mapped");
for (const path of ["/srv/written", "/srv/mapped", "/dev/shm/large"]) unlinkSync(path);
writeFileSync("/srv/ready", "");
setInterval(() => [written, inMemory, mapped[0]], 1_000_000);
`;

describe.skipIf(lacks("root", "nft", "ip", "oci"))("what a container holds open", () => {
  const pool = testPool(10);
  const driver = newDriver(pool);
  const spec = newSpec(pool, { command: ["/.berth/bun", "/hold.ts"] });
  let [named, all]: DiskUse[] = [];

  beforeAll(async () => {
    await driver.prepare();
    await driver.create(spec);
    writeFileSync(join(spec.folder, "root/hold.ts"), HOLD);
    const { init } = await driver.start(spec, async () => undefined);
    await until(() => existsSync(join(spec.folder, "root/srv/ready")));
    named = await diskUse(spec.folder, FILES_MAX, []);
    all = await diskUse(spec.folder, FILES_MAX, await driver.processes(spec));
    await driver.stop(spec, init, 0);
  });
  afterAll(async () => {
    await driver.destroy(spec);
    await driver.release();
  });

  const grouped = ["cgroup.controllers", "pids/cgroup.procs"].some((name) =>
    existsSync(`/sys/fs/cgroup/${name}`),
  );
  test.skipIf(!grouped)("counts as long as it does, once each; what is in memory is no disk", () => {
    expect((all?.files ?? 0) - (named?.files ?? 0)).toBe(2);
    expect((all?.bytes ?? 0) - (named?.bytes ?? 0)).toBeGreaterThanOrEqual(16 * MEGABYTE);
  });

  test("no longer counts when it has ended", async () => {
    const after = await diskUse(spec.folder, FILES_MAX, await driver.processes(spec));
    expect(after.files).toBe(named?.files ?? 0);
  });
});
