import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { freemem } from "node:os";
import { join } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { identify, isRunning } from "../system/process-identity.ts";
import { ProcessIdentitySchema } from "../system/process-identity-schema.ts";
import { endLeftovers } from "./test-leftovers.ts";

const OWNER_FILE = "owner.json";

/** A file system in memory, on Linux. */
const MEMORY = "/dev/shm";
/** Several times what the databases and streams of a run take. */
const MEMORY_BYTES_MIN = 4 * 2 ** 30;

/**
 * Where the servers of a run keep their data: in memory where there is room, else as `otherwise` says. A database is seven hundred files; on a
 * disk their creation takes most of the processor time of a control plane's start.
 */
export function serverDataUnder(otherwise: string): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return Math.min(bavail * bsize, freemem()) >= MEMORY_BYTES_MIN ? MEMORY : otherwise;
  } catch {
    return otherwise;
  }
}

/** The run that a folder belongs to. In another PID namespace the same id is another process. */
const Owner = Type.Object({ process: ProcessIdentitySchema, namespace: Type.String() });

/**
 * Creates a temporary folder for all files of one test run, with a file that identifies its owner. Other users may
 * enter it.
 */
export function makeTestFolder(under: string): string {
  const folder = mkdtempSync(join(under, "berth-"));
  chmodSync(folder, 0o711);
  const owner = { process: identify(process.pid), namespace: namespace() };
  writeFileSync(join(folder, OWNER_FILE), JSON.stringify(owner));
  return folder;
}

/**
 * Removes what killed runs left behind: folders, and whatever was started or mounted in them. A folder is removed
 * only if the process that it names as its owner has ended.
 */
export function removeDeadFolders(under: string): void {
  for (const name of readdirSync(under)) {
    const folder = join(under, name);
    if (!name.startsWith("berth-") || !isDead(folder)) continue;
    endLeftovers(folder);
    // A file system that is still mounted in it, such as a container's disk, would be emptied.
    if (read("/proc/self/mountinfo").includes(` ${folder}/`)) continue;
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // A process of that run still writes there: the next run tries again.
    }
  }
}

function isDead(folder: string): boolean {
  const owner = ownerOf(folder);
  return owner !== undefined && owner.namespace === namespace() && !isRunning(owner.process);
}

/** Undefined if the folder names no owner, or if another user could have written it. */
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
