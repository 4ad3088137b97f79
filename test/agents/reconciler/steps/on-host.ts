import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../../../agents/exec/command.ts";
import { vethOf } from "../../../../agents/network/host-network.ts";

const CGROUPS = "/sys/fs/cgroup";

const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
};
const namespaceOf = (pid: number): string => {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return "";
  }
};

/** Its own, and those that make, supervise or remove it; not this one. */
export const processesOf = (id: string): number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
    .filter((pid) => read(`/proc/${pid}/cgroup`).includes(id) || read(`/proc/${pid}/cmdline`).includes(id))
    .map(Number);

/** All that a host has of a container, in the kernel and among its processes. */
export async function onHost(id: string) {
  const pids = processesOf(id);
  const inGroup = pids.filter((pid) => read(`/proc/${pid}/cgroup`).includes(id));
  const commands = pids.map((pid) => read(`/proc/${pid}/cmdline`)).filter((text) => text.includes(id));
  return {
    supervisors: commands.filter((text) => text.startsWith("conmon\0")).length,
    otherPrograms: commands.filter((text) => !text.startsWith("conmon\0")),
    /** Of processes that run in its groups: one for each container that there is of it. */
    containers: new Set(inGroup.map(namespaceOf).filter((one) => one !== "")).size,
    groups: groupsNamed(id),
    mounts: read("/proc/mounts")
      .split("\n")
      .filter((line) => line.includes(id)),
    links: existsSync(`/sys/class/net/${vethOf(id)}`) ? 1 : 0,
    rules: (await run(["nft", "list", "chains", "inet"])).includes(id),
  };
}

export const NOTHING = {
  ...{ supervisors: 0, otherPrograms: [], containers: 0, groups: [], mounts: [], links: 0, rules: false },
};

/** None of a group that another test has removed meanwhile. */
function foldersIn(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** In every hierarchy, a controller each or one for all. */
function groupsNamed(id: string, folder = CGROUPS, depth = 4): string[] {
  return foldersIn(folder).flatMap(({ name }) => {
    const path = join(folder, name);
    if (name === id) return [path];
    return depth === 0 || (existsSync(join(path, "cgroup.procs")) && /system|user\.slice/.test(name))
      ? []
      : groupsNamed(id, path, depth - 1);
  });
}
