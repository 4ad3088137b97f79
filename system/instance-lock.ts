import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Value } from "@sinclair/typebox/value";
import { identify, isRunning, type ProcessIdentity } from "./process-identity.ts";
import { ProcessIdentitySchema } from "./process-identity-schema.ts";

/** Another process holds a resource that this one needs exclusively. */
export class ResourceInUseError extends Error {
  override readonly name = "ResourceInUseError";
}

/** How often an abandoned lock is removed before giving up: another process may take it first each time. */
const ATTEMPTS_MAX = 3;

/**
 * Takes a lock file for this process. The lock ends with the process, even if it is killed: the file identifies its
 * holder by process id, start time and boot.
 *
 * @param inUse returns the error message for the operator, given the holder's process id
 * @returns a function that releases the lock
 * @throws ResourceInUseError when a running process holds it
 */
export function acquireInstanceLock(path: string, inUse: (pid: number) => string): () => void {
  const mine = JSON.stringify(identify(process.pid));
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, mine, { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      try {
        // A link appears together with its content, so that no process reads a half-written lock.
        linkSync(draft, path);
        return () => {
          if (JSON.stringify(readHolder(path)) === mine) rmSync(path, { force: true });
        };
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
      }
      const holder = readHolder(path);
      if (holder !== null && isRunning(holder)) {
        throw new ResourceInUseError(inUse(holder.pid));
      }
      rmSync(path, { force: true });
    }
    throw new ResourceInUseError(`${path} is contested by other processes: try again`);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Whether a running process holds the lock. */
export function isLocked(path: string): boolean {
  const holder = readHolder(path);
  return holder !== null && isRunning(holder);
}

function readHolder(path: string): ProcessIdentity | null {
  try {
    const holder: unknown = JSON.parse(readFileSync(path, "utf8"));
    return Value.Check(ProcessIdentitySchema, holder) ? holder : null;
  } catch {
    return null;
  }
}
