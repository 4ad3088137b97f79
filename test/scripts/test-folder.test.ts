import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newId } from "../../actors/platform/ids.ts";
import { run } from "../../agents/exec/command.ts";
import { firewallTableName } from "../../agents/network/nft/compile.ts";
import { makeTestFolder, removeDeadFolders } from "../../scripts/test-folder.ts";
import { identify } from "../../system/process-identity.ts";
import { lacks } from "../agents/requirements.ts";
import { temporaryFolder } from "../harness/servers.ts";

const MODULE = join(import.meta.dir, "../../scripts/test-folder.ts");

/** What a run leaves that was killed. */
async function leftBehind(under: string): Promise<string> {
  const script = `import { run } from "../../agents/exec/command.ts";
import { firewallTableName } from "../../agents/network/nft/compile.ts";
import { makeTestFolder } from ${JSON.stringify(MODULE)};
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

/** A process that outlives its run, once it runs. */
async function start(command: string[], env: Record<string, string> = {}) {
  const child = Bun.spawn(command, {
    cwd: "/",
    env: { PATH: process.env.PATH, ...env },
    stdout: "pipe",
    stderr: "ignore",
  });
  await child.stdout.getReader().read();
  return child;
}
const WAIT = ["sh", "-c", "echo; exec sleep 1000"];

test("what a killed run had started ends; another run's goes on", async () => {
  const under = temporaryFolder();
  const [dead, living] = [await leftBehind(under), makeTestFolder(under)];
  const file = join(dead, "berth-inner", "log");
  writeFileSync(file, "a line\n");
  const theirs = [await start(WAIT, { TMPDIR: dead }), await start(["tail", "-f", file])];
  const ours = await start(WAIT, { TMPDIR: living });
  try {
    removeDeadFolders(under);
    await Promise.all(theirs.map(({ exited }) => exited));
    expect(theirs.map(({ signalCode }) => signalCode)).toEqual(["SIGKILL", "SIGKILL"]);
    expect([existsSync(dead), existsSync(living), ours.exitCode]).toEqual([false, true, null]);
  } finally {
    for (const child of [...theirs, ours]) child.kill("SIGKILL");
  }
});

test.skipIf(lacks("root", "nft"))(
  "a container of a killed run ends, and its firewall, its mounts and its folder go",
  async () => {
    const under = temporaryFolder();
    const dead = await leftBehind(under);
    const data = join(dead, "berth-inner", "agent");
    const container = join(data, "containers", newId());
    mkdirSync(join(container, "disk"), { recursive: true });
    await run(["nft", "add", "table", "inet", firewallTableName(data)]);
    await run(["mount", "-t", "tmpfs", "none", join(container, "disk")]);
    // Nothing but the agent's record tells whose it is.
    const init = await start(WAIT);
    writeFileSync(join(container, "state.json"), JSON.stringify({ init: identify(init.pid) }));
    try {
      removeDeadFolders(under);
      await init.exited;
      expect(init.signalCode).toBe("SIGKILL");
      expect(await run(["nft", "list", "tables"])).not.toContain(firewallTableName(data));
      expect(readFileSync("/proc/self/mountinfo", "utf8")).not.toContain(dead);
      expect(existsSync(dead)).toBe(false);
    } finally {
      init.kill("SIGKILL");
    }
  },
);

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
