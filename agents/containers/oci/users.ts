import { UnstartableError } from "../driver.ts";

/** A user of a container, as its own files have it. */
export interface User {
  readonly uid: number;
  readonly gid: number;
  readonly additionalGids: readonly number[];
  readonly name: string;
  readonly home: string;
  readonly shell: string;
}

/** The first 65,536 ids are a container's; the last but one of these is nobody's. */
const ID = /^(?:0|[1-9]\d{0,4})$/;
const ID_MAX = 65_535;
const isId = (text: string) => ID.test(text) && Number(text) <= ID_MAX;

/**
 * Looks a user up as Docker does: a name must be in passwd; a number need not be, and then has group 0.
 *
 * @param text `<user>[:<group>]`, names or numbers; empty: root
 * @throws UnstartableError when there is no such user or group
 */
export function findUser(text: string, passwd: string, group: string): User {
  const [name = "", wanted] = text.split(":", 2);
  const known = entriesOf(passwd, 7).find(
    ([own, , uid = "", gid = ""]) => isId(uid) && isId(gid) && (own === (name || "root") || uid === name),
  );
  if (known === undefined && name !== "" && name !== "root" && !isId(name))
    throw new UnstartableError(`its user ${name} is not in its /etc/passwd`);
  const [own = name, , uid = name, gid = "0", , home, shell] = known ?? [];
  const groups = entriesOf(group, 4).filter(([, , number = ""]) => isId(number));
  const users = {
    uid: isId(uid) ? Number(uid) : 0,
    name: own || "root",
    home: home || "/",
    shell: shell ?? "",
  };
  if (wanted !== undefined) {
    const found = groups.find(([its, , number]) => its === wanted || number === wanted)?.[2];
    if (found === undefined && !isId(wanted))
      throw new UnstartableError(`its group ${wanted} is not in its /etc/group`);
    return { ...users, gid: Number(found ?? wanted), additionalGids: [] };
  }
  const member = groups.filter(([, , , members = ""]) => members.split(",").includes(own));
  const additionalGids = member.map(([, , number]) => Number(number)).filter((id) => id !== Number(gid));
  return { ...users, gid: Number(gid), additionalGids };
}

const entriesOf = (text: string, fields: number): string[][] =>
  text
    .split("\n")
    .map((line) => line.split(":"))
    .filter((entry) => entry.length >= fields);
