import { expect, test } from "bun:test";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { acquireInstanceLock, ResourceInUseError } from "../../system/instance-lock.ts";
import { temporaryFolder } from "../harness/servers.ts";
import { until } from "../harness/until.ts";

const MODULE = join(import.meta.dir, "../../system/instance-lock.ts");
const acquire = (path: string) => acquireInstanceLock(path, (pid) => `process ${pid} has it`);

test("a lock that another process holds is refused, and free when that process was killed", async () => {
  const folder = temporaryFolder();
  const path = join(folder, "lock");
  const script = `
    const { acquireInstanceLock } = await import(${JSON.stringify(MODULE)});
    acquireInstanceLock(${JSON.stringify(path)}, () => "in use");
    console.log("held");
    await Bun.sleep(60_000);
  `;
  const other = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "inherit" });
  try {
    // With its draft removed: it holds the lock, and is done with making it.
    await until(() => existsSync(path) && readdirSync(folder).length === 1);
    expect(() => acquire(path)).toThrow(new ResourceInUseError(`process ${other.pid} has it`));
  } finally {
    other.kill("SIGKILL");
    await other.exited;
  }
  acquire(path)();
  expect(readdirSync(folder)).toEqual([]);
});

test("a lock of unreadable content, or of a process that has ended, is taken over", async () => {
  const folder = temporaryFolder();
  const path = join(folder, "lock");
  for (const content of ["", "x", '{"pid":2,"started":"0","boot":"another"}']) {
    writeFileSync(path, content);
    acquire(path)();
    expect(existsSync(path)).toBe(false);
  }
});

test("the release removes this process's lock, and never another's", async () => {
  const folder = temporaryFolder();
  const path = join(folder, "lock");
  const release = acquire(path);
  writeFileSync(path, '{"pid":2,"started":"0","boot":"another"}');
  release();
  expect(existsSync(path)).toBe(true);
});
