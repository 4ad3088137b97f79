import { spawnSync } from "node:child_process";
import { lstatSync } from "node:fs";
import { findProgram } from "../programs.ts";
import { SetupError } from "../setup-error.ts";

/** PostgreSQL refuses to run as root, so root runs it as this user. */
const USER = "berth-postgres";

export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * The user that PostgreSQL runs as: undefined for an ordinary user, who runs it directly; for root a system user that is created
 * at first use.
 *
 * @throws SetupError when it can be neither found nor created
 */
export function postgresUser(): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const known = findUser();
  if (known) return known;
  const useradd = findProgram("useradd");
  if (useradd) {
    spawnSync(useradd, ["--system", "--user-group", "--no-create-home", "--shell", "/bin/false", USER]);
  }
  const made = findUser();
  if (made) return made;
  throw new SetupError(
    `PostgreSQL does not run as root and the system user ${USER} could not be created: ` +
      "create it yourself, run as an ordinary user, or set DATABASE_URL to an external server",
  );
}

/** Whether the user may enter (a folder) or read (a file) `path`. The kernel is asked as that user. */
export function canReach(user: SystemUser, path: string): boolean {
  const flag = lstatSync(path).isDirectory() ? "-x" : "-r";
  return (
    Bun.spawnSync(["/bin/sh", "-c", `test ${flag} "$1"`, "sh", path], { cwd: "/", ...user }).exitCode === 0
  );
}

function findUser(): SystemUser | undefined {
  const id = (flag: string) =>
    Number.parseInt(spawnSync("id", [flag, USER], { encoding: "utf8" }).stdout, 10);
  const uid = id("-u");
  const gid = id("-g");
  return Number.isInteger(uid) && Number.isInteger(gid) ? { uid, gid } : undefined;
}
