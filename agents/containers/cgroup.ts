import { existsSync, readFileSync } from "node:fs";
import { mkdir, readdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { RESOURCE_NAMES } from "../../schemas/hosting/container-settings.ts";
import { UNLIMITED_NAMES, type Unlimited } from "../../schemas/hosting/host.ts";
import type { Limits } from "./limits.ts";

/** Limits of a container, where the kernel offers them: cgroup v2, or the v1 controllers. */

/** Enough for a busy server, and a fork bomb ends here. */
const PIDS_MAX = 1024;
/** The kernel's own default; a container that has used up its share waits for the next. */
export const CPU_PERIOD_US = 100_000;

/** Where the kernel shows them; tests of the writes have a folder of their own. */
export const CGROUP_ROOT = "/sys/fs/cgroup";
const PARENT = "berth";
/** The kernel frees a group a moment after its last process is gone. */
const REMOVE_TRIES = 50;
const REMOVE_POLL_MS = 10;

/** The folders that hold Berth's groups, one for each controller of this host that a limit can be set with; without any, containers run unlimited. */
async function controllers(root: string): Promise<string[]> {
  const unified = await readFile(join(root, "cgroup.controllers"), "utf8").catch(() => null);
  if (unified !== null) {
    const offered = ["cpu", "memory", "pids", "io"].filter((name) => unified.split(/\s/).includes(name));
    const folder = join(root, PARENT);
    await mkdir(folder, { recursive: true });
    for (const name of offered) {
      await writeFile(join(root, "cgroup.subtree_control"), `+${name}`).catch(() => undefined);
      await writeFile(join(folder, "cgroup.subtree_control"), `+${name}`).catch(() => undefined);
    }
    return [folder];
  }
  const v1 = ["pids", "cpu", "memory"].map((controller) => join(root, controller, PARENT));
  return v1.filter((folder) => existsSync(join(folder, "..", "cgroup.procs")));
}

/** The processes in a container's group, also of a run that nobody remembers. */
export async function members(containerId: string, root = CGROUP_ROOT): Promise<number[]> {
  const pids = new Set<number>();
  for (const folder of await controllers(root)) {
    const text = await readFile(join(folder, containerId, "cgroup.procs"), "utf8").catch(() => "");
    for (const line of text.split("\n")) if (line !== "") pids.add(Number(line));
  }
  return [...pids];
}

/** Removes a container's group, and its project's with the last one. Its processes are gone, or about to be. */
export async function removeGroup(name: string, root = CGROUP_ROOT): Promise<void> {
  for (const folder of await hierarchies(root)) {
    const group = join(folder, name);
    for (let tries = 0; existsSync(group) && tries < REMOVE_TRIES; tries += 1) {
      await rmdir(group).catch(() => Bun.sleep(REMOVE_POLL_MS));
    }
    // One with other containers stays.
    if (dirname(name) !== ".") await rmdir(dirname(group)).catch(() => undefined);
  }
}

/** Whether a group is there; also where this host has no groups, and so nobody knows. */
export async function mayBeUsed(group: string, root = CGROUP_ROOT): Promise<boolean> {
  const folders = await hierarchies(root);
  return folders.length === 0 || folders.some((folder) => existsSync(join(folder, group)));
}

/** Berth's folder in each hierarchy: the runtime makes groups in all of them. */
async function hierarchies(root: string): Promise<string[]> {
  if (isUnified(root)) return [join(root, PARENT)];
  const all = await readdir(root).catch(() => []);
  return all.map((name) => join(root, name, PARENT)).filter((folder) => existsSync(folder));
}

/** The name of a container's group below Berth's own: in that of its project, where it has one. */
export const groupOf = ({ id, tenant }: { readonly id: string; readonly tenant?: string | null }): string =>
  tenant ? join(tenant, id) : id;

/** The same for an OCI runtime, which makes groups below the root of the hierarchy. */
export const pathOfGroup = (group: string): string => join("/", PARENT, group);

/** The folder of a group for a controller, as version 1 names it. */
export const groupFolder = (controller: string, group: string, root = CGROUP_ROOT): string =>
  join(root, isUnified(root) ? "" : controller, PARENT, group);

export const isUnified = (root = CGROUP_ROOT) => existsSync(join(root, "cgroup.controllers"));
const offers = (root: string, controller: string, file: string): boolean =>
  isUnified(root)
    ? readFileSync(join(root, "cgroup.controllers"), "utf8").split(/\s/).includes(controller)
    : existsSync(join(root, controller, file));

/** A container's limits as the OCI's runtime specification has them: those that this host can set. */
export function groupResources({ cpus, memoryBytes }: Limits, root = CGROUP_ROOT): object {
  const hasSwap = isUnified(root) || existsSync(join(root, "memory/memory.memsw.limit_in_bytes"));
  // No swap: a container that used it would slow down the disk for all.
  const memory = { limit: memoryBytes, ...(hasSwap ? { swap: memoryBytes } : {}) };
  const cpu = { period: CPU_PERIOD_US, quota: Math.round(cpus * CPU_PERIOD_US) };
  return {
    devices: [{ allow: false, access: "rwm" }],
    ...(offers(root, "pids", "cgroup.procs") ? { pids: { limit: PIDS_MAX } } : {}),
    ...(offers(root, "memory", "cgroup.procs") ? { memory } : {}),
    ...(offers(root, "cpu", "cpu.cfs_quota_us") ? { cpu } : {}),
  };
}

type ResourceName = (typeof RESOURCE_NAMES)[number];

/**
 * Changes the limits of a container that runs. One that has ended meanwhile has none to change.
 *
 * @returns what this host cannot limit, or not now: the kernel refuses a memory limit below what is in use where it cannot free it
 */
export async function changeLimits(
  group: string,
  limits: Limits,
  root = CGROUP_ROOT,
): Promise<ResourceName[]> {
  const quota = Math.round(limits.cpus * CPU_PERIOD_US);
  const cpu: Change = isUnified(root)
    ? { controller: "cpu", writes: async () => [["cpu.max", `${quota} ${CPU_PERIOD_US}`]] }
    : { controller: "cpu", writes: async () => [["cpu.cfs_quota_us", String(quota)]] };
  const bytes = String(limits.memoryBytes);
  const memory: Change = isUnified(root)
    ? { controller: "memory", writes: async () => [["memory.max", bytes]] }
    : { controller: "memory", writes: (folder) => memoryWrites(folder, bytes) };
  const [hasCpu, hasMemory] = [await isChanged(group, cpu, root), await isChanged(group, memory, root)];
  return [...(hasCpu ? [] : (["cpu_cores"] as const)), ...(hasMemory ? [] : (["memory_bytes"] as const))];
}

interface Change {
  readonly controller: "cpu" | "memory";
  /** Files of the group and their text, in this order. */
  readonly writes: (folder: string) => Promise<readonly Write[]>;
}
/** A file of a group and its text. */
export type Write = readonly [string, string];

async function isChanged(group: string, { controller, writes }: Change, root: string): Promise<boolean> {
  if (!offers(root, controller, controller === "cpu" ? "cpu.cfs_quota_us" : "cgroup.procs")) return false;
  const folder = groupFolder(controller, group, root);
  try {
    for (const [file, text] of await writes(folder)) await writeFile(join(folder, file), text);
    return true;
  } catch {
    return !existsSync(folder);
  }
}

/** Memory with swap is never below memory alone: the order depends on whether the limit grows. */
export async function memoryWrites(folder: string, bytes: string): Promise<readonly Write[]> {
  const limit: Write = ["memory.limit_in_bytes", bytes];
  const withSwap: Write = ["memory.memsw.limit_in_bytes", bytes];
  if (!existsSync(join(folder, withSwap[0]))) return [limit];
  const before = Number(await readFile(join(folder, limit[0]), "utf8"));
  return Number(bytes) > before ? [withSwap, limit] : [limit, withSwap];
}

/** What other parts of the kernel limit. */
const NOT_OF_GROUPS = ["bandwidth", "part_bandwidth", "user_counters"] as const;
type NotOfGroups = (typeof NOT_OF_GROUPS)[number];
const isOfGroups = (name: Unlimited): name is Exclude<Unlimited, NotOfGroups> =>
  !(NOT_OF_GROUPS as readonly string[]).includes(name);

/** What the control groups of this host limit nobody in. */
export function unlimited(root = CGROUP_ROOT): Unlimited[] {
  const has: Readonly<Record<Exclude<Unlimited, NotOfGroups>, boolean>> = {
    processes: offers(root, "pids", "cgroup.procs"),
    memory: offers(root, "memory", "cgroup.procs"),
    swap: isUnified(root)
      ? offers(root, "memory", "")
      : offers(root, "memory", "memory.memsw.limit_in_bytes"),
    cpu: offers(root, "cpu", "cpu.cfs_quota_us"),
    disk_speed: isUnified(root)
      ? offers(root, "io", "")
      : offers(root, "blkio", "blkio.throttle.read_bps_device"),
  };
  return UNLIMITED_NAMES.filter(isOfGroups).filter((name) => !has[name]);
}

/** How many processes of a container's last run the kernel has ended for want of memory. */
export async function outOfMemoryKills(group: string, root = CGROUP_ROOT): Promise<number> {
  const file = isUnified(root)
    ? join(root, PARENT, group, "memory.events")
    : join(root, "memory", PARENT, group, "memory.oom_control");
  const text = await readFile(file, "utf8").catch(() => "");
  return Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? 0);
}
