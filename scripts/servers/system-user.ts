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

const TEST_ALL = 'while [ $# -gt 0 ]; do test "$1" "$2" || exit 1; shift 2; done';

/** Whether the user may enter each of `paths` that is a folder, and read each that is a file. The kernel is asked as that user. */
export function canReach(user: SystemUser, ...paths: string[]): boolean {
  const tests = paths.flatMap((path) => [lstatSync(path).isDirectory() ? "-x" : "-r", path]);
  return Bun.spawnSync(["/bin/sh", "-c", TEST_ALL, "sh", ...tests], { cwd: "/", ...user }).exitCode === 0;
}

function findUser(): SystemUser | undefined {
  // uid=101(berth-postgres) gid=102(berth-postgres) groups=…
  const { stdout } = spawnSync("id", [USER], { encoding: "utf8" });
  const [, uid, gid] = /^uid=(\d+)\S* gid=(\d+)/.exec(stdout ?? "") ?? [];
  return uid !== undefined && gid !== undefined ? { uid: Number(uid), gid: Number(gid) } : undefined;
}
