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

/** Where a folder goes that PostgreSQL's user could not reach where it was asked for. */
const SYSTEM_STATE = "/var/lib";

/**
 * A folder under /var/lib that stands for `dir`, the same at every start. For root only, when PostgreSQL's user
 * cannot get to `dir` itself.
 */
export function substituteFor(dir: string): string {
  const hash = createHash("sha256").update(resolve(dir)).digest("hex").slice(0, 12);
  const substitute = join(SYSTEM_STATE, `berth-${hash}`);
  mkdirSync(substitute, { recursive: true });
  chmodSync(substitute, 0o711);
  return substitute;
}

/**
 * Where the data of `dir` really lives: `dir`, or a substitute when a folder above it keeps `user` out. A link that an
 * earlier start left at `dir` is followed, so that a folder which was opened since does not hide the data.
 */
export function reachableFolder(dir: string, user: SystemUser | undefined): string {
  mkdirSync(dirname(dir), { recursive: true });
  if (user && !canReach(user, dirname(dir))) return join(substituteFor(dir), "data");
  return isLink(dir) && existsSync(dir) ? realpathSync(dir) : dir;
}

const isLink = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;

/** Leaves a link at `dir` to where its data lives: for whoever looks, and as the sign that they belong together. */
export function linkTo(substitute: string, dir: string): void {
  if (lstatSync(dir, { throwIfNoEntry: false }) === undefined) symlinkSync(substitute, dir);
}

/** Whether the data in a substitute was made for a data folder that is gone: the link to it went with that folder. */
export const isOrphan = (substitute: string, dir: string) => substitute !== dir && !isLink(dir);

/** Renames a folder out of the way, and returns where it is now. */
export function putAside(folder: string): string {
  const aside = `${folder}.left-${new Date().toISOString().replaceAll(/[-:]|\..*/g, "")}`;
  renameSync(folder, aside);
  return aside;
}

/** Gives a folder and all that is in it to `user`, unless it is theirs already. */
export function giveTo(user: SystemUser, folder: string): void {
  if (!existsSync(folder) || lstatSync(folder).uid === user.uid) return;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    // A link (a tablespace) may point anywhere: what it points at is not ours to give.
    if (!entry.isSymbolicLink()) chownSync(join(entry.parentPath, entry.name), user.uid, user.gid);
  }
  // Last: its owner says that the work was finished.
  chownSync(folder, user.uid, user.gid);
}
