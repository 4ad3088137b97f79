import { expect, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeTestFolder, removeDeadFolders } from "../../scripts/test-folder.ts";
import { temporaryFolder } from "../harness/servers.ts";

const MODULE = join(import.meta.dir, "../../scripts/test-folder.ts");

/** What a run leaves that was killed. */
async function leftBehind(under: string): Promise<string> {
  const script = `import { makeTestFolder } from ${JSON.stringify(MODULE)};
    console.log(makeTestFolder(${JSON.stringify(under)}));
    process.kill(process.pid, "SIGKILL");`;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe" });
  const folder = (await child.stdout.text()).trim();
  await child.exited;
  mkdirSync(join(folder, "berth-inner"));
  writeFileSync(join(folder, "berth-inner", "file"), "");
  return folder;
}

test("what a killed run left is removed, and the folder of a run that goes on is not", async () => {
  const under = temporaryFolder();
  const [dead, living] = [await leftBehind(under), makeTestFolder(under)];
  expect(existsSync(join(dead, "berth-inner", "file"))).toBe(true);
  removeDeadFolders(under);
  expect([existsSync(dead), existsSync(living)]).toEqual([false, true]);
});

test("a folder that doesn't say whose it is stays, as does one that doesn't say it whole", async () => {
  const under = temporaryFolder();
  const unknown = join(under, "berth-abcdef");
  mkdirSync(unknown);
  const other = join(under, "berth-ghijkl");
  mkdirSync(other);
  writeFileSync(join(other, "owner.json"), JSON.stringify({ process: { pid: 4_000_000 } }));
  removeDeadFolders(under);
  expect([existsSync(unknown), existsSync(other)]).toEqual([true, true]);
});

test("no folder is removed that isn't one of the tests'", async () => {
  const under = temporaryFolder();
  const dead = await leftBehind(under);
  const elsewhere = join(under, "else");
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, "owner.json"), await Bun.file(join(dead, "owner.json")).text());
  removeDeadFolders(under);
  expect([existsSync(dead), existsSync(elsewhere)]).toEqual([false, true]);
});
