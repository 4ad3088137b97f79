import { readFile } from "node:fs/promises";
import { identify, signal } from "../../../system/process-identity.ts";

/** Each round ends what was there at its beginning; a process can start another one meanwhile. */
const ROUNDS_MAX = 20;

/**
 * Kills those processes of a container that have a variable in their environment, which a process has from the one that started
 * it: also those whose parent has ended.
 *
 * @param members the container's processes, as the host numbers them
 */
export async function killMarked(members: () => Promise<readonly number[]>, variable: string): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const marked = (
      await Promise.all((await members()).map(async (pid) => ((await isMarked(pid, variable)) ? pid : null)))
    ).flatMap((pid) => (pid === null ? [] : (identify(pid) ?? [])));
    if (marked.length === 0) return;
    for (const process of marked) signal(process, "SIGKILL");
  }
}

async function isMarked(pid: number, variable: string): Promise<boolean> {
  const environment = await readFile(`/proc/${pid}/environ`, "latin1").catch(() => "");
  return environment.split("\0").includes(variable);
}
