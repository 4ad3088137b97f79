import { existsSync, readFileSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { nameOf } from "../../../system/process-identity.ts";
import { run } from "../../exec/command.ts";
import type { ContainerSpec } from "../driver.ts";

/** The OCI runtime's own commands, and what its supervisor leaves in a container's folder. */

export const runtimeArguments = ({ folder }: ContainerSpec): string[] => [
  `--root=${join(folder, "runtime")}`,
  "--cgroup-manager=cgroupfs",
];

/** Removes what the runtime knows of a container, with its processes and groups; fine when there is nothing. */
export async function deleteContainer(spec: ContainerSpec): Promise<void> {
  if (!existsSync(join(spec.folder, "runtime", spec.id))) return;
  await run(["crun", ...runtimeArguments(spec), "delete", "--force", spec.id]);
}

/** The process whose mount namespace has the container's devices and root; null while there is none. */
export function supervisorPidOf({ folder }: ContainerSpec): number | null {
  const pid = Number(read(join(folder, "supervisor")));
  if (!Number.isInteger(pid) || pid < 2 || nameOf(pid) !== "conmon") return null;
  return read(`/proc/${pid}/cmdline`).includes(`\0${join(folder, "bundle")}\0`) ? pid : null;
}

/** How the last run ended, as a shell reports it; null when that is not known. */
export async function exitStatusOf({ folder, id }: ContainerSpec): Promise<number | null> {
  const text = await readFile(join(folder, "exit", id), "utf8").catch(() => "");
  return /^\d+$/.test(text) ? Number(text) : null;
}

/** When the last run ended. */
export const exitTimeOf = async ({ folder, id }: ContainerSpec): Promise<Date> =>
  (await stat(join(folder, "exit", id))).mtime;

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
