import { existsSync } from "node:fs";
import { which } from "bun";
import { DEFAULT_RUNTIME } from "./oci/runtime-program.ts";
import { PROFILE } from "./oci/seccomp.ts";

/** The programs that isolated containers need. @param runtime its name or its path */
export const ociPrograms = (runtime: string): string[] => [
  ...[runtime, "conmon", "catatonit", "busybox"],
  ...["ip", "nft", "unshare", "nsenter", "setpriv", "script", "mountpoint", "umount"],
];
/** What keeps this machine from isolating containers; null when nothing does. @param runtime its name or its path */
export function missingPrerequisite(runtime: string = DEFAULT_RUNTIME): string | null {
  if (process.platform !== "linux") return "it needs Linux";
  if (process.getuid?.() !== 0) return "it needs root";
  const missing = ociPrograms(runtime).filter((program) => which(program) === null);
  if (missing.length > 0) return `these programs are missing: ${missing.join(", ")}`;
  return !existsSync(PROFILE) ? `${PROFILE} is missing (golang-github-containers-common)` : null;
}
