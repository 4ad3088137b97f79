import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { identify, isRunning, ProcessIdentity } from "../agents/system/process-identity.ts";

const OWNER_FILE = "owner.json";

/** Which run a folder belongs to. In another namespace of processes the same id is another process. */
const Owner = Type.Object({ process: ProcessIdentity, namespace: Type.String() });

/** A temporary folder for all that one run of the tests makes, with its owner's name in it. Other users may enter it. */
export function makeTestFolder(under: string): string {
  const folder = mkdtempSync(join(under, "berth-"));
  chmodSync(folder, 0o711);
  const owner = { process: identify(process.pid), namespace: namespace() };
  writeFileSync(join(folder, OWNER_FILE), JSON.stringify(owner));
  return folder;
}

/**
 * Removes what runs that were killed left behind, and nothing that isn't proven to be that: the folder names its owner, and
 * that process has ended.
 */
export function removeDeadFolders(under: string): void {
  const mounts = read("/proc/self/mountinfo");
  for (const name of readdirSync(under)) {
    const folder = join(under, name);
    // What is mounted in there, such as a container's disk, would be emptied.
    if (!name.startsWith("berth-") || !isDead(folder) || mounts.includes(` ${folder}/`)) continue;
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // Something of that run still writes there: the next run looks again.
    }
  }
}

function isDead(folder: string): boolean {
  const owner = ownerOf(folder);
  return owner !== undefined && owner.namespace === namespace() && !isRunning(owner.process);
}

/** Undefined where the folder has no owner, or where somebody else could have written who it is. */
function ownerOf(folder: string): Static<typeof Owner> | undefined {
  try {
    if (statSync(folder).uid !== process.getuid?.()) return undefined;
    const owner: unknown = JSON.parse(read(join(folder, OWNER_FILE)));
    return Value.Check(Owner, owner) ? owner : undefined;
  } catch {
    return undefined;
  }
}

function namespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "-";
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
