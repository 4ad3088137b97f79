import { mkdirSync, readdirSync, readFileSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { CommandError } from "../../../agents/exec/command.ts";
import { temporaryFolder } from "../../harness/servers.ts";
import { until } from "../../harness/until.ts";

/** A machine of its own, with systemd as process 1: namespaces of this one, with a copy of its files that is kept in memory. */
export interface BootedMachine {
  /** Runs a command there, as root. @throws CommandError with what it wrote, when it fails */
  run(...command: string[]): Promise<string>;
  /** The same by a shell. */
  shell(script: string): Promise<string>;
  /** Ends all of its processes, and removes it. */
  stop(): Promise<void>;
}

/** A folder of this machine that is at another place there. What is written there stays there. */
export type Folders = Readonly<Record<string, string>>;

const SYSTEMD = "/lib/systemd/systemd";
const NEEDED = ["unshare", "nsenter", "setpriv", "ip", "systemctl", "journalctl"];
/** It ends with this process, however that ends. unshare itself ignores every signal but the last. */
const NAMESPACES = [
  ...["setpriv", "--pdeathsig", "KILL"],
  ...["unshare", "--mount", "--pid", "--net", "--uts", "--ipc", "--cgroup", "--fork", "--kill-child"],
  ...["--propagation", "private", "sh", join(import.meta.dir, "boot.sh")],
];
const ENTER = ["nsenter", "--mount", "--pid", "--net", "--uts", "--ipc", "--cgroup"];
/** Of a machine as a service manager has it: nothing of the environment of the tests. */
const ENVIRONMENT = [
  "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  "SYSTEMD_UNIT_PATH=/etc/systemd/system:/etc/systemd/units",
  "HOME=/root",
  "LC_ALL=C.UTF-8",
];

/** Why no machine can boot here, for a test that is skipped then; undefined when one can. */
export async function lacksMachine(): Promise<string | undefined> {
  const reason = await obstacle();
  if (reason !== undefined) console.log(`skipped: no machine with systemd can boot here: ${reason}`);
  return reason;
}

async function obstacle(): Promise<string | undefined> {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "it takes root on Linux";
  const missing = NEEDED.filter((program) => Bun.which(program) === null);
  if (!(await Bun.file(SYSTEMD).exists())) missing.push(SYSTEMD);
  if (missing.length > 0) return `${missing.join(", ")} is missing`;
  const group = ownGroup();
  if (typeof group === "string") return group;
  try {
    const { exited, stderr } = start(group.path, ["--probe", temporaryFolder()]);
    return (await exited) === 0 ? undefined : (await stderr.text()).trim();
  } finally {
    group.remove();
  }
}

/** Boots a machine. Settles when it runs. */
export async function bootMachine(folders: Folders): Promise<BootedMachine> {
  const group = ownGroup();
  if (typeof group === "string") throw new Error(group);
  const pairs = Object.entries(folders).map(([to, from]) => `${from}=${to}`);
  const outer = start(group.path, [temporaryFolder(), ...pairs]);
  const said = outer.stderr.text();
  const stop = async () => {
    outer.kill("SIGKILL");
    await outer.exited;
    await until(() => group.remove());
  };
  try {
    return { ...(await enter(outer, said)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Waits until systemd runs there. */
async function enter(
  outer: Bun.Subprocess,
  said: Promise<string>,
): Promise<Pick<BootedMachine, "run" | "shell">> {
  const init = await until(async () => {
    if (outer.exitCode !== null) throw new Error(`the machine did not boot: ${await said}`);
    return readFileSync(`/proc/${outer.pid}/task/${outer.pid}/children`, "utf8").trim() || undefined;
  });
  const run = async (...command: string[]): Promise<string> => {
    const child = Bun.spawn([...ENTER, "--target", init, "--", "env", "-i", ...ENVIRONMENT, ...command], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    if ((await child.exited) !== 0) throw new CommandError(`${command.join(" ")}: ${out}${err}`);
    return out;
  };
  await until(async () => (await run("systemctl", "is-system-running")) === "running\n");
  return { run, shell: (script) => run("sh", "-euc", script) };
}

function start(group: string, words: readonly string[]) {
  // It has to be in the group before it makes the namespace, whose root is the group that it is in.
  const enter = ["sh", "-c", 'echo 0 > "$0/cgroup.procs" && exec "$@"', group];
  return Bun.spawn([...enter, ...NAMESPACES, ...words], { stdio: ["ignore", "ignore", "pipe"] });
}

/** Makes a control group for one machine. A text says why none can be made. */
function ownGroup(): { path: string; remove(): boolean } | string {
  const mount = readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .find((line) => / - cgroup2 /.test(line))
    ?.split(" ")[4];
  const own = /^0::(.*)$/m.exec(readFileSync("/proc/self/cgroup", "utf8"))?.[1];
  if (mount === undefined || own === undefined) return "there is no file system of type cgroup2";
  const path = join(mount, own, `berth-machine-${crypto.randomUUID().slice(0, 8)}`);
  try {
    mkdirSync(path);
  } catch (error) {
    return (error as Error).message;
  }
  return { path, remove: () => removeGroup(path) };
}

/** False while a process of it has not ended yet. */
function removeGroup(path: string): boolean {
  try {
    for (const entry of readdirSync(path, { withFileTypes: true }))
      if (entry.isDirectory() && !removeGroup(join(path, entry.name))) return false;
    rmdirSync(path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EBUSY") return false;
    throw error;
  }
}
