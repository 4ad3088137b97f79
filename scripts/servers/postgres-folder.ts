import { createHash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  symlinkSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { canReach, type SystemUser } from "./system-user.ts";

/** The place of folders that PostgreSQL's user could not reach otherwise. */
const SYSTEM_STATE = "/var/lib";

/**
 * The substitute of `dir` under /var/lib, the same at every start. For root only, when PostgreSQL's user cannot reach `dir`.
 */
export function substituteFor(dir: string): string {
  const hash = createHash("sha256").update(resolve(dir)).digest("hex").slice(0, 12);
  const substitute = join(SYSTEM_STATE, `berth-${hash}`);
  mkdirSync(substitute, { recursive: true });
  chmodSync(substitute, 0o711);
  return substitute;
}

/**
 * The real folder of the data of `dir`: `dir`, or a substitute when `user` cannot enter a folder above it. A link that an earlier
 * start left at `dir` is followed, so that the data stay found when the folder becomes accessible later.
 */
export function reachableFolder(dir: string, user: SystemUser | undefined): string {
  mkdirSync(dirname(dir), { recursive: true });
  if (user && !canReach(user, dirname(dir))) return join(substituteFor(dir), "data");
  return isLink(dir) && existsSync(dir) ? realpathSync(dir) : dir;
}

const isLink = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;

/** Leaves a link at `dir` to its data, so that people find them, and as proof that both belong together. */
export function linkTo(substitute: string, dir: string): void {
  if (lstatSync(dir, { throwIfNoEntry: false }) === undefined) symlinkSync(substitute, dir);
}

/** Whether the data in a substitute belong to a deleted data folder: the link was deleted with it. */
export const isOrphan = (substitute: string, dir: string) => substitute !== dir && !isLink(dir);

/** Renames a folder out of the way, and returns its new path. */
export function putAside(folder: string): string {
  const aside = `${folder}.left-${new Date().toISOString().replaceAll(/[-:]|\..*/g, "")}`;
  renameSync(folder, aside);
  return aside;
}

/** Makes `user` the owner of a folder and its contents, unless that is so already. */
export function giveTo(user: SystemUser, folder: string): void {
  if (!existsSync(folder) || lstatSync(folder).uid === user.uid) return;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    // A link (a tablespace) may point anywhere: its target does not change its owner.
    if (!entry.isSymbolicLink()) chownSync(join(entry.parentPath, entry.name), user.uid, user.gid);
  }
  // Last: the folder's owner marks the work as complete.
  chownSync(folder, user.uid, user.gid);
}
