import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { release } from "node:os";
import { dirname } from "node:path";
import { which } from "bun";
import { DEFAULT_RUNTIME, type FoundRuntime, findRuntime } from "../containers/oci/runtime-program.ts";
import { PROFILE } from "../containers/oci/seccomp.ts";
import { ociPrograms } from "../containers/prerequisites.ts";

/** Whether a machine can be a host of Berth, and what to do where it cannot. */

/** Ids of users that differ by mount, and pidfd of processes of other namespaces. */
const KERNEL_MIN = { major: 5, minor: 12 };
/** Images of a few containers, and their files. */
const DISK_BYTES_MIN = 5 * 1024 ** 3;

/** The packages of Debian that have the programs. */
const PACKAGES: Readonly<Record<string, string>> = {
  crun: "crun",
  runc: "runc",
  conmon: "conmon",
  catatonit: "catatonit",
  busybox: "busybox-static",
  ip: "iproute2",
  nft: "nftables",
  unshare: "util-linux",
  nsenter: "util-linux",
  setpriv: "util-linux",
  script: "bsdutils",
  mountpoint: "util-linux",
  umount: "mount",
};

export interface Check {
  readonly name: string;
  /** What was found. */
  readonly found: string;
  /** What is missing, and how to get it; undefined: nothing is. */
  readonly remedy?: string;
}

export interface CheckedHost {
  readonly checks: readonly Check[];
  /** The OCI runtime that the host's agent would use; null: there is none that can be used. */
  readonly runtime: FoundRuntime | null;
}

/**
 * @param folder the agent's, which may not exist yet
 * @param path the folders of programs
 * @param runtime the OCI runtime that the operator wants: its name or its path
 */
export async function checkHost(
  folder: string,
  path = process.env.PATH ?? "",
  runtime = DEFAULT_RUNTIME,
): Promise<CheckedHost> {
  const checked = await checkRuntime(path, runtime);
  const checks = [
    checkSystem(),
    checkKernel(release()),
    checkCgroups(),
    checkPrograms(path, runtime),
    ...(checked === null ? [] : [checked.check]),
    await checkDisk(folder),
  ];
  return { checks, runtime: checked?.runtime ?? null };
}

function checkSystem(): Check {
  if (process.platform !== "linux")
    return { name: "system", found: process.platform, remedy: "use a machine with Linux" };
  const isRoot = process.getuid?.() === 0;
  return {
    name: "system",
    found: isRoot ? "Linux, as root" : "Linux, not as root",
    ...(isRoot
      ? {}
      : { remedy: "run the command as root: containers are isolated by means that only root has" }),
  };
}

/** @param text as `uname -r` has it */
export function checkKernel(text: string): Check {
  const [, major = 0, minor = 0] = (/^(\d+)\.(\d+)/.exec(text) ?? []).map(Number);
  const isNew = major > KERNEL_MIN.major || (major === KERNEL_MIN.major && minor >= KERNEL_MIN.minor);
  return {
    name: "kernel",
    found: text,
    ...(isNew
      ? {}
      : { remedy: `install Linux ${KERNEL_MIN.major}.${KERNEL_MIN.minor} or newer, and reboot` }),
  };
}

function checkCgroups(): Check {
  if (existsSync("/sys/fs/cgroup/cgroup.controllers")) return { name: "control groups", found: "version 2" };
  if (existsSync("/sys/fs/cgroup/memory")) return { name: "control groups", found: "version 1" };
  return {
    name: "control groups",
    found: "none",
    remedy: "mount them: mount -t cgroup2 none /sys/fs/cgroup (systemd does so at the boot)",
  };
}

function checkPrograms(path: string, runtime: string): Check {
  const needed = ociPrograms(runtime);
  const missing = needed.filter((program) => which(program, { PATH: path }) === null);
  const packages = new Set(missing.flatMap((program) => PACKAGES[program] ?? []));
  if (!existsSync(PROFILE)) packages.add("golang-github-containers-common");
  if (missing.length === 0 && packages.size === 0) return { name: "programs", found: needed.join(", ") };
  // Debian has no package of what an operator has put there.
  const own = missing.filter((program) => PACKAGES[program] === undefined);
  const remedies = [
    ...(packages.size === 0 ? [] : [`apt-get install --no-install-recommends ${[...packages].join(" ")}`]),
    ...own.map((program) => `install ${program}, or name another runtime in BERTH_RUNTIME`),
  ];
  return {
    name: "programs",
    found: missing.length === 0 ? `${PROFILE} is missing` : `missing: ${missing.join(", ")}`,
    remedy: remedies.join("; "),
  };
}

/** Whether a runtime that is there can be used; null: it is not there, which the check of programs says. */
async function checkRuntime(
  path: string,
  setting: string,
): Promise<{ check: Check; runtime: FoundRuntime | null } | null> {
  const program = which(setting, { PATH: path });
  if (program === null) return null;
  try {
    const runtime = await findRuntime(program);
    return { check: { name: "runtime", found: `${runtime.name} ${runtime.version}` }, runtime };
  } catch (error) {
    const remedy = error instanceof Error ? error.message : String(error);
    return { check: { name: "runtime", found: `${program} cannot be used`, remedy }, runtime: null };
  }
}

async function checkDisk(folder: string): Promise<Check> {
  let existing = folder;
  while (!existsSync(existing) && existing !== dirname(existing)) existing = dirname(existing);
  const { bavail, bsize } = await statfs(existing);
  const free = bavail * bsize;
  const found = `${Math.floor(free / 1024 ** 3)} GB free under ${existing}`;
  if (free >= DISK_BYTES_MIN) return { name: "disk", found };
  const remedy = `free some space, or set BERTH_DATA to a folder on a disk with ${DISK_BYTES_MIN / 1024 ** 3} GB`;
  return { name: "disk", found, remedy };
}
