import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Value } from "@sinclair/typebox/value";
import { identify, isRunning, ProcessIdentity } from "./process-identity.ts";

/** Another agent works on the same containers. */
export class ResourceInUseError extends Error {
  override readonly name = "ResourceInUseError";
}

/**
 * Notes that this process is the agent of a folder: two of them would start each container twice. A claim ends
 * with the process that made it.
 *
 * @throws ResourceInUseError when a process that runs has claimed it
 */
export function acquireInstanceLock(data: string): void {
  const path = join(data, "agent.json");
  const holder = read(path);
  if (holder && holder.pid !== process.pid && isRunning(holder)) {
    throw new ResourceInUseError(
      `process ${holder.pid} uses ${data}: stop it, or set BERTH_DATA to another folder`,
    );
  }
  writeFileSync(path, JSON.stringify(identify(process.pid)), { mode: 0o600 });
}

function read(path: string): ProcessIdentity | null {
  try {
    const holder: unknown = JSON.parse(readFileSync(path, "utf8"));
    return Value.Check(ProcessIdentity, holder) ? holder : null;
  } catch {
    return null;
  }
}
