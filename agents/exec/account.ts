import { readFileSync } from "node:fs";

/** An account as the system knows it. */
export interface Account {
  readonly name: string;
  readonly home: string;
  readonly shell: string;
}

/** Who looks users up where they are in no file: `getent` on Linux, `id -P` on macOS. */
const LOOKUPS = [(uid: number) => ["getent", "passwd", String(uid)], () => ["id", "-P"]] as const;

let own: Account | undefined;

/**
 * The account of this process, by its user id. Never by the environment, where `USER`, `LOGNAME` and `SHELL` may be those of whoever
 * started it: by `USER=alice`, "as alice" would mean "as I am", which may be root. (`os.userInfo` of Bun asks the environment.)
 */
export function ownAccount(): Account {
  own ??= readAccount(process.geteuid?.() ?? 0);
  return own;
}

function readAccount(uid: number): Account {
  const sources = [passwdFile, ...LOOKUPS.map((lookup) => () => output(lookup(uid)))];
  for (const source of sources) {
    const found = accountIn(source(), uid);
    if (found !== null) return found;
  }
  // A container may be given a number that nobody has. It is the name of nobody either.
  return { name: String(uid), home: process.env.HOME || "/", shell: "/bin/sh" };
}

/** The first entry of a user id. Home and shell are the last fields, of which BSD has more between. */
function accountIn(passwd: string, uid: number): Account | null {
  for (const line of passwd.split("\n")) {
    const fields = line.split(":");
    const [name = "", , id] = fields;
    if (fields.length < 7 || id !== String(uid)) continue;
    return { name, home: fields.at(-2) || "/", shell: fields.at(-1) || "/bin/sh" };
  }
  return null;
}

function passwdFile(): string {
  try {
    return readFileSync("/etc/passwd", "utf8");
  } catch {
    return "";
  }
}

function output(argv: readonly string[]): string {
  try {
    return Bun.spawnSync([...argv], { stderr: "ignore" }).stdout.toString();
  } catch {
    return "";
  }
}
