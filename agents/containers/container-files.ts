import { existsSync } from "node:fs";
import { chmod, chown, cp, lstat, mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { writeAtomically } from "../../system/atomic-file.ts";
import { run } from "../exec/command.ts";
import { resolvConf } from "../network/resolvers.ts";
import { ContainerError, type ContainerSpec } from "./driver.ts";
import type { StoredImage } from "./images/store.ts";
import { readVolumes, removeAllBut } from "./kept-files.ts";
import type { RootImage } from "./root-image.ts";

/** The files of an isolated container: a root of its own, and what is mounted over it. */

const COPY_MS_MAX = 120_000;
/** Where something is mounted at each start. Only the agent may decide what these are. */
const MOUNT_POINTS = ["dev", "etc", "proc", "tmp", "run", ".berth"];
const FOLDERS = [
  "etc/pam.d",
  "home",
  "mnt",
  "opt",
  "srv",
  "var/cache",
  "var/lib",
  "var/log",
  "var/spool",
  "var/tmp",
];
/** Links at the top as a merged /usr has them; real folders are mounted instead. */
const PROGRAM_FOLDERS = ["usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32"];
/** What programs in /usr expect to find, and that says nothing about the host. Copied once. */
const HOST_FILES = [
  "bash.bashrc",
  "debian_version",
  "ld.so.cache",
  "ld.so.conf",
  "ld.so.conf.d",
  "localtime",
  "mime.types",
  "os-release",
  "profile",
  "protocols",
  "services",
  "ssl/openssl.cnf",
  "terminfo",
];
/** Folders of hundreds of links, slow to copy: links to where make-root.ts mounts the host's. */
const HOST_FOLDERS: Readonly<Record<string, string>> = {
  "etc/alternatives": "/.berth/host/alternatives",
  "etc/ssl/certs": "/.berth/host/certs",
};
/** Root becomes whom it wants, and nobody else becomes anybody: there are no passwords. */
const SU =
  "auth sufficient pam_rootok.so\nauth required pam_deny.so\naccount required pam_permit.so\nsession required pam_permit.so\n";
/** The programs in /usr are the host's. */
const SHELL = existsSync("/bin/bash") ? "/bin/bash" : "/bin/sh";
const OWN_FILES: Readonly<Record<string, string>> = {
  passwd:
    `root:x:0:0:root:/root:${SHELL}\n` +
    "daemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\n" +
    "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n",
  group: "root:x:0:\ndaemon:x:1:\ntty:x:5:\nnogroup:x:65534:\n",
  "pam.d/su": SU,
  "pam.d/su-l": SU,
  "pam.d/other":
    "auth required pam_deny.so\naccount required pam_deny.so\npassword required pam_deny.so\nsession required pam_deny.so\n",
  "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\nservices: files\nprotocols: files\n",
};

/**
 * What a container's root is made of, written beside it when it is made: it stays so, whatever new containers get.
 *
 * - `host`: a root of its own under the host's programs
 * - `whole`: a copy of an image
 * - `layered`: its own files over those of an image that the host has made
 * - `layers`: its own files over the layers of an image from a registry
 */
const RootSource = Type.Union([
  Type.Object({ kind: Type.Literal("host") }),
  Type.Object({ kind: Type.Literal("whole") }),
  Type.Object({ kind: Type.Literal("layered"), image: Type.String() }),
  Type.Object({ kind: Type.Literal("layers"), digest: Type.String() }),
]);
export type RootSource = Static<typeof RootSource>;

/** What a root that is there was made of. */
export async function readRootSource(spec: ContainerSpec): Promise<RootSource> {
  const text = await readFile(join(spec.folder, "base.json"), "utf8").catch(() => null);
  if (text === null) return { kind: "host" };
  const source: unknown = JSON.parse(text);
  if (!Value.Check(RootSource, source)) throw new ContainerError("what its root was made of cannot be read");
  return source;
}

/**
 * Makes the root of a new container. One that is there is left as it is, unless the container has been given a newer image.
 *
 * @param image what new containers are made of; null: the host's programs
 * @param owner of its own files: the id of the host that the container's root is; 0: the host's root itself
 */
export async function createRoot(
  spec: ContainerSpec,
  image: () => RootImage | null,
  owner = 0,
): Promise<void> {
  if (existsSync(join(spec.folder, "root"))) return takeImage(spec);
  if (spec.image !== null) return createLayeredRoot(spec, layersOf(spec.image), owner);
  const from = image();
  if (from === null) return createHostRoot(spec, owner);
  if (from.isLayered) return createLayeredRoot(spec, { kind: "layered", image: from.name }, owner);
  if (owner !== 0) throw new ContainerError("its host's disk cannot lay files over others (overlayfs)");
  const source: RootSource = { kind: "whole" };
  await writeAtomically(join(spec.folder, "base.json"), JSON.stringify(source));
  const unfinished = join(spec.folder, "root.new");
  await rm(unfinished, { recursive: true, force: true });
  // Of a minute at most; where the disk can, nothing is copied at all.
  await run(["cp", "-a", "--reflink=auto", from.folder, unfinished], undefined, COPY_MS_MAX);
  await rename(unfinished, join(spec.folder, "root"));
}

const layersOf = ({ digest }: StoredImage): RootSource => ({ kind: "layers", digest });

/** Lays the files of a container over its newer image: those in the folders that its former image named as volumes. The others belong to that image. */
async function takeImage(spec: ContainerSpec): Promise<void> {
  const source = await readRootSource(spec);
  if (spec.image === null || source.kind !== "layers" || source.digest === spec.image.digest) return;
  // Whoever is killed in between begins again: what is removed stays so.
  await removeAllBut(join(spec.folder, "root"), await readVolumes(spec.folder));
  await writeAtomically(join(spec.folder, "base.json"), JSON.stringify(layersOf(spec.image)));
}

async function createLayeredRoot(spec: ContainerSpec, source: RootSource, owner: number): Promise<void> {
  await writeAtomically(join(spec.folder, "base.json"), JSON.stringify(source));
  await rm(join(spec.folder, "work"), { recursive: true, force: true });
  await mkdir(join(spec.folder, "work"));
  const unfinished = join(spec.folder, "root.new");
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o755 });
  await chown(unfinished, owner, owner);
  await rename(unfinished, join(spec.folder, "root"));
}

async function createHostRoot(spec: ContainerSpec, owner: number): Promise<void> {
  const root = join(spec.folder, "root");
  await rm(join(spec.folder, "base.json"), { force: true });
  // Under another name until it is whole, so that a crash leaves no half of one.
  const unfinished = join(spec.folder, "root.new");
  await rm(unfinished, { recursive: true, force: true });
  for (const folder of FOLDERS) await mkdir(join(unfinished, folder), { recursive: true, mode: 0o755 });
  await mkdir(join(unfinished, "root"), { mode: 0o700 });
  await chmod(join(unfinished, "var/tmp"), 0o1777);
  for (const file of HOST_FILES) {
    if (!existsSync(join("/etc", file))) continue;
    await cp(join("/etc", file), join(unfinished, "etc", file), { recursive: true, verbatimSymlinks: true });
  }
  for (const [path, target] of Object.entries(HOST_FOLDERS)) {
    await mkdir(dirname(join(unfinished, path)), { recursive: true, mode: 0o755 });
    await symlink(target, join(unfinished, path));
  }
  for (const [file, text] of Object.entries(OWN_FILES)) await writeFile(join(unfinished, "etc", file), text);
  await chmod(unfinished, 0o755);
  if (owner !== 0) await run(["chown", "--recursive", "--no-dereference", `${owner}:${owner}`, unfinished]);
  await rename(unfinished, root);
}

/**
 * Makes the places ready that make-root.ts mounts on. A container can replace any of these by a link while it runs;
 * it is stopped now, so what is put right here stays right.
 */
export async function prepareMountPoints(
  spec: ContainerSpec,
  { kind }: RootSource,
  owner = 0,
): Promise<void> {
  const root = join(spec.folder, "root");
  await mkdir(join(spec.folder, "outer"), { recursive: true });
  const isLayered = kind === "layers" || kind === "layered";
  for (const name of MOUNT_POINTS) {
    // What is below shows where nothing is in its place.
    if (isLayered && owner !== 0) await removeLink(join(root, name));
    else await ensureFolder(join(root, name), owner);
  }
  for (const name of kind === "host" ? PROGRAM_FOLDERS : []) {
    const onHost = await lstat(join("/", name)).catch(() => null);
    if (onHost?.isDirectory()) await ensureFolder(join(root, name), owner);
  }
}

async function removeLink(path: string): Promise<void> {
  const present = await lstat(path).catch(() => null);
  if (present?.isSymbolicLink()) await rm(path, { force: true });
}

async function ensureFolder(path: string, owner: number): Promise<void> {
  const present = await lstat(path).catch(() => null);
  if (present?.isDirectory()) return;
  if (present) await rm(path, { force: true });
  await mkdir(path, { mode: 0o755 });
  await chown(path, owner, owner);
}

/**
 * Writes the files that init puts in /etc at each start; here they are out of the container's reach.
 *
 * @param nameServer its address
 */
export async function writeNames(spec: ContainerSpec, nameServer: string): Promise<void> {
  const etc = join(spec.folder, "etc");
  await mkdir(etc, { recursive: true });
  await writeFile(join(etc, "hostname"), `${spec.name}\n`);
  await writeFile(join(etc, "hosts"), `127.0.0.1 localhost\n${spec.address} ${spec.name}\n`);
  await writeFile(join(etc, "resolv.conf"), await resolvConf(nameServer));
}
