import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { UnstartableError } from "../driver.ts";
import { volumesFile } from "../kept-files.ts";
import { capabilitiesOf } from "./capabilities.ts";
import { asRootOf, RANGE_IDS } from "./id-ranges.ts";
import { ATTRIBUTE, bindWithAttributes, KernelError, MS, makeDevice, mount, unmount } from "./kernel.ts";
import { assertShareFolders, mountShares, ownEmptyShares } from "./mount-shares.ts";
import { DEVICES, ETC, FILES, HELPERS, PROGRAM_FOLDERS, ROOT, STAGE, USER_NAMESPACE } from "./places.ts";
import { type Plan, UNSTARTABLE } from "./plan.ts";
import { RootFolder } from "./root-folder.ts";
import { findUser } from "./users.ts";

/**
 * A process of its own in the mount namespace of a container's supervisor (supervise.sh): mounts what the container sees, with the ids
 * of files mapped to its own, and completes `config.json` by what only the image's files tell. Nothing of the container runs yet.
 *
 * Argument: the file of the plan.
 */

const EPERM = 1;
const EINVAL = 22;
const NAMESPACE_MS_MAX = 5_000;
/** A tty's group, by which `write` and `mesg` go: Debian's and Alpine's number. */
const TTY_GROUP = 5;
const PTYS_MAX = 256;

const CHARACTER_DEVICES = [
  ["null", 1, 3],
  ["zero", 1, 5],
  ["full", 1, 7],
  ["random", 1, 8],
  ["urandom", 1, 9],
  ["tty", 5, 0],
] as const;
const LINKS = [
  ["ptmx", "pts/ptmx"],
  ["fd", "/proc/self/fd"],
  ["stdin", "fd/0"],
  ["stdout", "fd/1"],
  ["stderr", "fd/2"],
] as const;

async function makeRoot(plan: Plan): Promise<void> {
  const { folder, firstId, layers, hostFolders, joinsUserNamespace } = plan;
  const owned = `uid=${firstId},gid=${firstId}`;
  mount("tmpfs", STAGE, "tmpfs", MS.nosuid, "mode=755,size=4m,nr_inodes=2k");
  for (const place of [ROOT, ETC, FILES, HELPERS]) mkdirSync(place, { mode: 0o755 });
  const namespace = await userNamespace(firstId, joinsUserNamespace);
  try {
    if (layers.length > 0) mountLayers(folder, layers, namespace);
    else mount(join(folder, "root"), ROOT, "none", MS.bind);
    for (const path of hostFolders) {
      mkdirSync(`${ROOT}.host${path}`, { recursive: true });
      bindMapped(path, `${ROOT}.host${path}`, ATTRIBUTE.rdonly | ATTRIBUTE.nodev, namespace);
    }
    mountShares(plan.shares, (source, target, attributes) =>
      bindMapped(source, target, attributes, namespace),
    );
  } finally {
    closeSync(namespace);
  }
  if (hostFolders.length > 0) makeLinks(firstId);
  // What is told of the disk that a container uses: under an overlay the files have another device inside than on the host.
  writeFileSync(join(folder, "device"), `${statSync(ROOT).dev}\n`);
  makeEtc(folder, firstId);
  makeHelpers(plan.helpers);
  writeConfig(plan);
  // Last: from here on the host's devices are out of view.
  makeDevices(firstId, owned);
}

/** What the container has in place of a link stays; it is its own to break. */
function makeLinks(owner: number): void {
  for (const path of PROGRAM_FOLDERS) {
    const own = `${ROOT}${path}`;
    const onHost = lstatSync(path, { throwIfNoEntry: false });
    if (!onHost?.isSymbolicLink() || lstatSync(own, { throwIfNoEntry: false }) !== undefined) continue;
    symlinkSync(readlinkSync(path), own);
    lchownSync(own, owner, owner);
  }
}

/** By short names: the kernel takes a page of options, and an image may have a hundred layers. */
function mountLayers(folder: string, layers: readonly string[], namespace: number): void {
  const lower = join(STAGE, "lower");
  mkdirSync(lower);
  mkdirSync(join(STAGE, "own"));
  mount(folder, join(STAGE, "own"), "none", MS.bind);
  for (const [at, layer] of layers.entries()) {
    mkdirSync(join(lower, String(at)));
    bindMapped(layer, join(lower, String(at)), ATTRIBUTE.rdonly, namespace);
  }
  process.chdir(lower);
  const options = [
    `lowerdir=${[...layers.keys()].join(":")}`,
    `upperdir=${STAGE}/own/root`,
    `workdir=${STAGE}/own/work`,
  ];
  try {
    mount("overlay", ROOT, "overlay", MS.nodev, options.join(","));
  } catch (error) {
    throw new Error("this host's disk cannot lay files over others (overlayfs): no image can be run", {
      cause: error,
    });
  }
  process.chdir("/");
  // The overlay has its own view of them.
  for (const at of layers.keys()) {
    unmount(join(lower, String(at)));
    rmdirSync(join(lower, String(at)));
  }
}

function bindMapped(source: string, target: string, attributes: bigint, namespace: number): void {
  try {
    bindWithAttributes(source, target, attributes, namespace);
  } catch (error) {
    if (error instanceof KernelError && (error.errno === EINVAL || error.errno === EPERM))
      throw new Error(`this host's file system cannot map ids (idmapped mounts): ${source}`, {
        cause: error,
      });
    throw error;
  }
}

/** What went wrong; null when nothing did. */
function tryTo(work: () => void): string | null {
  try {
    work();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * A user namespace with the container's ids, open; if it is kept, the supervisor's mount namespace does so. Its maker is the container's root: what
 * the kernel counts for the maker, such as inotify instances and waiting signals, it counts for each container on its own, and not for the host's
 * root. Where only root may make namespaces, root does.
 */
async function userNamespace(firstId: number, isKept: boolean): Promise<number> {
  for (const maker of [asRootOf(firstId), []]) {
    const child = Bun.spawn([...maker, "unshare", "--user", "cat"], {
      stdin: "pipe",
      stdout: "ignore",
      stderr: "ignore",
    });
    try {
      if (await hasNamespace(child)) return openNamespace(child.pid, firstId, isKept);
    } finally {
      child.kill("SIGKILL");
    }
  }
  throw new Error("this host has no user namespaces");
}

/** Waits until a program is in a user namespace of its own. @returns false: it has ended, or takes too long */
async function hasNamespace({ pid, exited }: Bun.Subprocess): Promise<boolean> {
  let isOver = false;
  void exited.then(() => {
    isOver = true;
  });
  const limit = performance.now() + NAMESPACE_MS_MAX;
  const own = readlinkSync("/proc/self/ns/user");
  while (!isOver && performance.now() < limit) {
    try {
      if (readlinkSync(`/proc/${pid}/ns/user`) !== own) return true;
    } catch {
      // It has ended.
    }
    await Bun.sleep(1);
  }
  return false;
}

function openNamespace(pid: number, firstId: number, isKept: boolean): number {
  const place = `/proc/${pid}/ns/user`;
  for (const map of ["uid_map", "gid_map"])
    writeFileSync(`/proc/${pid}/${map}`, `0 ${firstId} ${RANGE_IDS}\n`);
  if (isKept) {
    writeFileSync(USER_NAMESPACE, "");
    mount(place, USER_NAMESPACE, "none", MS.bind);
  }
  return openSync(place, "r");
}

function makeEtc(folder: string, owner: number): void {
  for (const file of ["hostname", "hosts", "resolv.conf"]) {
    copyFileSync(join(folder, "etc", file), join(ETC, file));
    chmodSync(join(ETC, file), 0o644);
    chownSync(join(ETC, file), owner, owner);
  }
}

function makeHelpers(helpers: Plan["helpers"]): void {
  for (const [name, source] of Object.entries(helpers)) {
    // One to show the runtime, and one that it mounts on: it binds no folder with what is mounted below.
    for (const target of [join(FILES, name), join(HELPERS, name)]) {
      mkdirSync(dirname(target), { recursive: true });
      if (statSync(source).isDirectory()) mkdirSync(target);
      else writeFileSync(target, "");
    }
    mount(source, join(FILES, name), "none", MS.bind);
  }
  mkdirSync(join(HELPERS, "bin"));
  for (const applet of appletsOf(join(FILES, "busybox")))
    symlinkSync("../busybox", join(HELPERS, "bin", applet));
}

const appletsOf = (busybox: string): string[] =>
  Bun.spawnSync([busybox, "--list"])
    .stdout.toString()
    .trim()
    .split("\n")
    .filter((name) => name !== "busybox");

/**
 * Of the container's own, all of them: a bind of the host's nodes would share their inodes. They take the place of the host's, so that the runtime
 * finds nothing else to pass on.
 */
function makeDevices(owner: number, owned: string): void {
  mount("tmpfs", DEVICES, "tmpfs", MS.nosuid | MS.noexec, `mode=755,size=1m,nr_inodes=1k,${owned}`);
  for (const [name, major, minor] of CHARACTER_DEVICES) {
    const path = join(DEVICES, name);
    makeDevice(path, major, minor);
    chmodSync(path, 0o666);
    chownSync(path, owner, owner);
  }
  for (const [name, target] of LINKS) {
    symlinkSync(target, join(DEVICES, name));
    lchownSync(join(DEVICES, name), owner, owner);
  }
  mkdirSync(join(DEVICES, "pts"));
  mkdirSync(join(DEVICES, "shm"));
  const ptys = `newinstance,ptmxmode=0666,mode=620,gid=${owner + TTY_GROUP},max=${PTYS_MAX}`;
  mount("devpts", join(DEVICES, "pts"), "devpts", MS.nosuid | MS.noexec, ptys);
  const shm = `mode=1777,size=64m,nr_inodes=16k,${owned}`;
  mount("tmpfs", join(DEVICES, "shm"), "tmpfs", MS.nosuid | MS.nodev | MS.noexec, shm);
}

function writeConfig({ folder, firstId, user: text, volumes, shares, config }: Plan): void {
  using root = new RootFolder(ROOT);
  const user = findUser(text, root.read("/etc/passwd"), root.read("/etc/group"));
  const { process: first, ...rest } = config;
  // The smallest images lack it, and the services of a container use it.
  tryTo(() => root.makeFolder("/tmp", firstId, 0o1777));
  for (const path of volumes) tryTo(() => root.makeFolder(path, firstId));
  const found = volumes.map((path) => root.realPath(path)).filter((path) => path !== null);
  writeFileSync(volumesFile(folder), JSON.stringify(found), { mode: 0o600 });
  const refusal = tryTo(() => root.makeFolder(first.cwd, firstId));
  if (!root.isFolder(first.cwd))
    throw new UnstartableError(
      `its working directory ${first.cwd} cannot be entered: ${refusal ?? "it is no folder"}`,
    );
  ownEmptyShares(shares, root, user, firstId);
  assertShareFolders(shares, root, firstId);
  const env = first.env.some((entry) => entry.startsWith("HOME="))
    ? first.env
    : [...first.env, `HOME=${user.home}`];
  const { uid, gid, additionalGids } = user;
  const complete = {
    ...rest,
    process: {
      ...first,
      env,
      user: { ...first.user, uid, gid, additionalGids },
      capabilities: capabilitiesOf(uid),
    },
  };
  mkdirSync(join(folder, "bundle"), { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, "bundle/config.json"), JSON.stringify(complete), { mode: 0o600 });
}

// The container's users enter what is made here.
process.umask(0o022);
const [file = ""] = process.argv.slice(2);
try {
  await makeRoot(JSON.parse(readFileSync(file, "utf8")) as Plan);
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  console.error(error instanceof UnstartableError ? `${UNSTARTABLE}${reason}` : reason);
  process.exit(1);
}
process.exit(0);
