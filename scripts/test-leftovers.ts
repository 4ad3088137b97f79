import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { Glob } from "bun";
import { firewallTableName } from "../agents/network/nft/compile.ts";
import { signal } from "../system/process-identity.ts";
import { ProcessIdentitySchema } from "../system/process-identity-schema.ts";

/** A process that is killed may have started another one meanwhile. */
const ROUNDS_MAX = 20;
/** How far below a run's folder the data folders of its agents are. */
const AGENT_DEPTH_MAX = 4;
const CGROUPS = "/sys/fs/cgroup";

/** The part of an agent's record of a container that is needed here. */
const Started = Type.Object({ init: ProcessIdentitySchema });

/**
 * Ends what a killed test run left on the machine: processes that have its folder in their command line or environment, the containers of its
 * agents with their cgroups and firewall tables, and mounts. The folder itself is left.
 */
export function endLeftovers(folder: string): void {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const pids = processesOf(folder);
    if (pids.length === 0) break;
    for (const pid of pids) kill(pid);
    Bun.sleepSync(50);
  }
  for (const data of agentFolders(folder, AGENT_DEPTH_MAX)) {
    for (const id of readdirSync(join(data, "containers"))) endContainer(data, id);
    spawnSync("nft", ["delete", "table", "inet", firewallTableName(data)], { stdio: "ignore" });
  }
  for (const path of mountsIn(folder)) spawnSync("umount", ["--lazy", path], { stdio: "ignore" });
}

/**
 * Working folders and mounts are not considered: a person's shell may be in the folder, and other namespaces get a
 * copy of each mount.
 */
function processesOf(folder: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => ["cmdline", "environ"].some((file) => read(`/proc/${pid}/${file}`).includes(folder)))
    .map(Number);
}

/** Data folders of agents: those that have containers. */
function agentFolders(folder: string, depth: number): string[] {
  if (depth === 0) return [];
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.flatMap(({ name }) =>
    name === "containers" ? [folder] : agentFolders(join(folder, name), depth - 1),
  );
}

/** All processes of a container end with its first one. */
function endContainer(data: string, id: string): void {
  try {
    const record: unknown = JSON.parse(read(join(data, "containers", id, "state.json")));
    if (Value.Check(Started, record)) signal(record.init, "SIGKILL");
  } catch {
    // It was never started.
  }
  // In a hierarchy for each controller, or in one for all; below its project's group.
  const groups = ["berth/*/", "*/berth/*/"].flatMap((where) => [
    ...new Glob(`${where}${id}`).scanSync({ cwd: CGROUPS, onlyFiles: false }),
  ]);
  for (const group of groups) {
    try {
      rmdirSync(join(CGROUPS, group));
      rmdirSync(dirname(join(CGROUPS, group)));
    } catch {
      // It still has a process for a moment, or its project has others. An empty group that remains costs nothing.
    }
  }
}

/** The innermost first. */
const mountsIn = (folder: string): string[] =>
  read("/proc/self/mountinfo")
    .split("\n")
    .map((line) => line.split(" ")[4] ?? "")
    .filter((path) => path.startsWith(`${folder}/`))
    .toReversed();

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
