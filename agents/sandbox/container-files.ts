import { existsSync } from "node:fs";
import { chmod, cp, lstat, mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ContainerSpec } from "./driver.ts";

/** The files of a container in the `namespaces` driver: a root of its own, and what is mounted over it. */

/** Where something is mounted at each start. Only the agent may decide what these are. */
const MOUNT_POINTS = ["dev", "proc", "tmp", "run", ".berth", "usr"];
const FOLDERS = [
  "etc",
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
const PROGRAM_FOLDERS = ["bin", "sbin", "lib", "lib32", "lib64", "libx32"];
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
/** Folders of hundreds of links, slow to copy: links to where enter.sh mounts the host's. */
const HOST_FOLDERS: Readonly<Record<string, string>> = {
  "etc/alternatives": "/.berth/host/alternatives",
  "etc/ssl/certs": "/.berth/host/certs",
};
/** The programs in /usr are the host's. */
const SHELL = existsSync("/bin/bash") ? "/bin/bash" : "/bin/sh";
const OWN_FILES: Readonly<Record<string, string>> = {
  passwd:
    `root:x:0:0:root:/root:${SHELL}\n` +
    "daemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\n" +
    "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n",
  group: "root:x:0:\ndaemon:x:1:\ntty:x:5:\nnogroup:x:65534:\n",
  "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\nservices: files\nprotocols: files\n",
};

/** Makes the root of a new container. One that is there is left as it is. */
export async function createRoot(spec: ContainerSpec): Promise<void> {
  const root = join(spec.folder, "root");
  if (existsSync(root)) return;
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
  await rename(unfinished, root);
}

/**
 * Makes the places ready that enter.sh mounts on. A container can replace any of these by a link while it runs;
 * it is stopped now, so what is put right here stays right.
 */
export async function prepareMountPoints(spec: ContainerSpec): Promise<void> {
  const root = join(spec.folder, "root");
  await mkdir(join(spec.folder, "outer"), { recursive: true });
  for (const name of MOUNT_POINTS) await ensureFolder(join(root, name));
  for (const name of PROGRAM_FOLDERS) {
    const onHost = await lstat(join("/", name)).catch(() => null);
    if (onHost?.isDirectory()) await ensureFolder(join(root, name));
  }
}

async function ensureFolder(path: string): Promise<void> {
  const present = await lstat(path).catch(() => null);
  if (present?.isDirectory()) return;
  if (present) await rm(path, { force: true });
  await mkdir(path, { mode: 0o755 });
}

/** Writes the files that init puts in /etc at each start; here they are out of the container's reach. */
export async function writeNames(spec: ContainerSpec): Promise<void> {
  const etc = join(spec.folder, "etc");
  await mkdir(etc, { recursive: true });
  await writeFile(join(etc, "hostname"), `${spec.name}\n`);
  await writeFile(join(etc, "hosts"), `127.0.0.1 localhost\n${spec.address} ${spec.name}\n`);
  await writeFile(join(etc, "resolv.conf"), await resolvers());
}

/** The host's name servers, without those on its loopback interface: that is another one in the container. */
export async function resolvers(): Promise<string> {
  for (const path of ["/etc/resolv.conf", "/run/systemd/resolve/resolv.conf"]) {
    const text = await readFile(path, "utf8").catch(() => "");
    const lines = text
      .split("\n")
      .filter(
        (line) => /^(nameserver|search|options)\s/.test(line) && !/^nameserver\s+(127\.|::1)/.test(line),
      );
    if (lines.some((line) => line.startsWith("nameserver"))) return `${lines.join("\n")}\n`;
  }
  return "";
}
