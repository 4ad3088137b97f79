import { existsSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { type Finding, fault } from "./finding.ts";

const READ = 0o4;
const ENTER = 0o1;

/**
 * Key files that root can use, and the processes cannot, because root has made them or put them back from a backup.
 *
 * @param config the settings file: `deploy/install.sh` gives it to the group of the processes
 */
export function checkReaders(files: readonly string[], config: string | undefined): Finding[] {
  if (config === undefined || !existsSync(config)) return [];
  const { gid } = statSync(config);
  // Processes of root, as those of an agent, read everything.
  if (gid === 0) return [];
  const closed = files.filter((file) => existsSync(file) && !mayRead(file, gid));
  if (closed.length === 0) return [];
  return [
    fault(
      "readers of key files",
      `processes of the group of ${config} cannot read ${closed.join(", ")}: no gateway or actor host starts`,
      "give them and their folder to the user of the processes: chown -R berth:berth FOLDER",
    ),
  ];
}

const mayRead = (file: string, gid: number): boolean =>
  isOpenTo(statSync(file), gid, READ) && isOpenTo(statSync(dirname(file)), gid, ENTER);

/** What belongs to another user than root belongs to that of the processes. */
const isOpenTo = ({ uid, gid, mode }: Stats, group: number, bit: number): boolean =>
  uid !== 0 || (mode & bit) !== 0 || (gid === group && (mode & (bit << 3)) !== 0);
