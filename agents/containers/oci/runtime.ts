import { existsSync, readFileSync } from "node:fs";
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Value } from "@sinclair/typebox/value";
import { isRunning, nameOf, type ProcessIdentity } from "../../../system/process-identity.ts";
import { ProcessIdentitySchema } from "../../../system/process-identity-schema.ts";
import { run } from "../../exec/command.ts";
import { killTree } from "../../exec/process-tree.ts";
import { ContainerError, type ContainerSpec } from "../driver.ts";
import { runtimeOf, runtimeWords } from "./runtime-program.ts";

/** After SIGKILL only the kernel is in the way. */
const END_MS_MAX = 5_000;
const END_POLL_MS = 10;

/** The OCI runtime's own commands, and what its supervisor leaves in a container's folder. */

/** Removes what the runtime knows of a container, with its processes and groups; fine when there is nothing. */
export async function deleteContainer(spec: ContainerSpec): Promise<void> {
  if (!existsSync(join(spec.folder, "runtime", spec.id))) return;
  await run([...runtimeWords(spec, runtimeOf(spec)), "delete", "--force", spec.id]);
}

/** What supervises the last run, or was to; null: none is noted. */
export function supervisorOf({ folder }: ContainerSpec): ProcessIdentity | null {
  try {
    const noted: unknown = JSON.parse(read(join(folder, "supervisor")));
    return Value.Check(ProcessIdentitySchema, noted) ? noted : null;
  } catch {
    return null;
  }
}

export const noteSupervisor = ({ folder }: ContainerSpec, supervisor: ProcessIdentity): Promise<void> =>
  writeFile(join(folder, "supervisor"), JSON.stringify(supervisor), { mode: 0o600 });

/** The process whose mount namespace has the container's devices and root; null while there is none. */
export function supervisorPidOf(spec: ContainerSpec): number | null {
  const supervisor = supervisorOf(spec);
  const isThere = supervisor !== null && isRunning(supervisor) && nameOf(supervisor.pid) === "conmon";
  return isThere ? supervisor.pid : null;
}

/** Ends the supervisor with all that it has under way: a container that is being made for an agent that has died, perhaps. */
export async function endSupervisor(spec: ContainerSpec): Promise<void> {
  const supervisor = supervisorOf(spec);
  const limit = performance.now() + END_MS_MAX;
  while (supervisor !== null && isRunning(supervisor)) {
    if (performance.now() > limit) throw new ContainerError("its supervisor does not end");
    killTree(supervisor.pid, false);
    await Bun.sleep(END_POLL_MS);
  }
}

/** Whether the container's program was started since the supervisor was: what had not begun has not ended either. */
export const hasBegun = ({ folder }: ContainerSpec): boolean => existsSync(join(folder, "begun"));

/** Removes what the last run has left in the container's folder. */
export async function forgetRun({ folder }: ContainerSpec): Promise<void> {
  for (const left of ["exit", "begun", "supervisor"])
    await rm(join(folder, left), { recursive: true, force: true });
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
