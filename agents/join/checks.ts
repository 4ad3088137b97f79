import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { release } from "node:os";
import { dirname } from "node:path";
import { which } from "bun";
import { OCI_PROGRAMS } from "../containers/choose.ts";
import { PROFILE } from "../containers/oci/seccomp.ts";

/** Whether a machine can be a host of Berth, and what to do where it cannot. */

/** Ids of users that differ by mount, and pidfd of processes of other namespaces. */
const KERNEL_MIN = { major: 5, minor: 12 };
/** Images of a few containers, and their files. */
const DISK_BYTES_MIN = 5 * 1024 ** 3;

/** The packages of Debian that have the programs. */
const PACKAGES: Readonly<Record<string, string>> = {
  crun: "crun",
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

/** @param folder the agent's, which may not exist yet @param path the folders of programs */
export async function checkHost(folder: string, path = process.env.PATH ?? ""): Promise<Check[]> {
  return [
    checkSystem(),
    checkKernel(release()),
    checkCgroups(),
    checkPrograms(path),
    await checkDisk(folder),
  ];
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

function checkPrograms(path: string): Check {
  const missing = OCI_PROGRAMS.filter((program) => which(program, { PATH: path }) === null);
  const packages = new Set(missing.map((program) => PACKAGES[program] ?? program));
  if (!existsSync(PROFILE)) packages.add("golang-github-containers-common");
  if (packages.size === 0) return { name: "programs", found: OCI_PROGRAMS.join(", ") };
  return {
    name: "programs",
    found: missing.length === 0 ? `${PROFILE} is missing` : `missing: ${missing.join(", ")}`,
    remedy: `apt-get install --no-install-recommends ${[...packages].join(" ")}`,
  };
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
