import { existsSync, readFileSync } from "node:fs";

/** Far above what a probe starts; a container has a limit of processes of its own. */
const DESCENDANTS_MAX = 4_096;

/**
 * Kills a process, its process group and its descendants. The descendants are looked up because some programs, `su` among them, put
 * their child into a session of its own, where a signal to the group does not arrive.
 *
 * @param pid of a process that leads its group
 * @param hasExited the process is gone: the number may belong to a new process by now
 */
export function killTree(pid: number, hasExited: boolean): void {
  const descendants = hasExited ? [] : descendantsOf(pid);
  // The kernel gives no process the number of a group that has members: a process with that number belongs to somebody else.
  if (!hasExited || !existsSync(`/proc/${pid}`)) kill(-pid);
  for (const descendant of descendants) kill(descendant);
}

/** By the kernel's list of children, which only Linux has. */
function descendantsOf(pid: number): number[] {
  const found: number[] = [];
  for (const parent of queue(pid, found)) {
    for (const child of childrenOf(parent)) {
      if (found.length < DESCENDANTS_MAX) found.push(child);
    }
  }
  return found;
}

/** A process, then what was found below it, also what is found meanwhile. */
function* queue(first: number, found: readonly number[]) {
  yield first;
  yield* found;
}

function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
    return text === "" ? [] : text.split(" ").map(Number);
  } catch {
    return [];
  }
}

function kill(target: number): void {
  try {
    process.kill(target, "SIGKILL");
  } catch {
    // The process has ended.
  }
}
