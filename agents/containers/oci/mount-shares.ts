import { chmodSync, chownSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { faultOfVolumes } from "../../../schemas/hosting/volume-paths.ts";
import { ContainerError, UnstartableError } from "../driver.ts";
import { SHARE_PROGRAM } from "../volumes/share-files.ts";
import type { ShareMount } from "../volumes/share-mount.ts";
import { ATTRIBUTE } from "./kernel.ts";
import { DISKS, SHARES } from "./places.ts";
import type { RootFolder } from "./root-folder.ts";
import type { User } from "./users.ts";

const REASON_CHARS_MAX = 200;

/**
 * Mounts storage shares where the runtime binds them from, in the mount namespace of a container's supervisor: they are unmounted with it,
 * whatever becomes of the agent. Files belong to the same ids in every container.
 *
 * @param bindMapped mounts a folder with the container's ids
 */
export function mountShares(
  shares: readonly ShareMount[],
  bindMapped: (source: string, target: string, attributes: bigint) => void,
): void {
  for (const [at, { kind, folder, isReadOnly }] of shares.entries()) {
    const [disk, target] = [join(DISKS, String(at)), join(SHARES, String(at))];
    mkdirSync(disk, { recursive: true });
    mkdirSync(target, { recursive: true });
    if (kind === "disk") mountDisk(folder, disk);
    const readOnly = isReadOnly ? ATTRIBUTE.rdonly : 0n;
    const attributes = ATTRIBUTE.nosuid | ATTRIBUTE.nodev | readOnly;
    bindMapped(join(kind === "disk" ? disk : folder, "data"), target, attributes);
  }
}

function mountDisk(folder: string, target: string): void {
  const { success, stderr } = Bun.spawnSync(["/bin/sh", SHARE_PROGRAM, "mount", folder, target], {
    env: {},
  });
  if (success) return;
  const reason = stderr.toString().trim().split("\n").at(-1) ?? "";
  throw new ContainerError(`a storage share could not be mounted: ${reason.slice(0, REASON_CHARS_MAX)}`);
}

/**
 * Makes the folders that shares are mounted over. The control plane checks paths as they are written, but a link in the container may lead
 * to `/proc`, where the runtime would then read what the container's programs wrote.
 *
 * @throws UnstartableError where a path leads to a place that its host makes
 */
export function assertShareFolders(
  shares: readonly Pick<ShareMount, "path">[],
  root: RootFolder,
  owner: number,
): void {
  const places = shares.map(({ path }) => {
    makeShareFolder(path, root, owner);
    return { path: root.realPath(path) ?? path };
  });
  const wrong = faultOfVolumes(places);
  if (wrong === undefined) return;
  const { path } = shares[wrong.at] ?? { path: "" };
  throw new UnstartableError(
    `its volume ${path} leads to ${places[wrong.at]?.path}: a volume ${wrong.fault}`,
  );
}

function makeShareFolder(path: string, root: RootFolder, owner: number): void {
  try {
    root.makeFolder(path, owner);
  } catch {
    throw new UnstartableError(`its volume ${path} has no place: a file is in the way`);
  }
}

/**
 * Gives an empty share the owner and mode of the folder that it is mounted over, or the container's user where there is none: a program that is
 * not root can use a new share without further ado. As Docker does with volumes.
 */
export function ownEmptyShares(
  shares: readonly ShareMount[],
  root: RootFolder,
  { uid, gid }: User,
  firstId: number,
): void {
  for (const [at, { path, isReadOnly }] of shares.entries()) {
    const share = join(SHARES, String(at));
    if (isReadOnly || readdirSync(share).length > 0) continue;
    const { owner, group, mode } = root.folder(path) ?? {
      ...{ owner: firstId + uid, group: firstId + gid, mode: 0o755 },
    };
    chownSync(share, owner, group);
    chmodSync(share, mode);
  }
}
