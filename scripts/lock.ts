import { spawnSync } from "node:child_process";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isAlive } from "./processes.ts";
import { SetupError } from "./setup-error.ts";

/** How often an abandoned lock is removed before giving up: each time another process may take it first. */
const ATTEMPTS_MAX = 3;

/**
 * Takes a lock file for this process. A holder is identified by its process id and start time, because ids are reused.
 *
 * @param file path of the lock
 * @param what names the holder in the error: "Berth"
 * @returns a function that releases the lock
 * @throws SetupError when a living process holds it
 */
export function acquireLock(file: string, what: string): () => void {
  const mine = `${process.pid} ${startOf(process.pid)}`;
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, mine);
  try {
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      try {
        // A link appears together with its content, so that no process reads a half-written lock.
        linkSync(draft, file);
        return () => {
          if (read(file) === mine) rmSync(file, { force: true });
        };
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
      }
      const holder = read(file);
      const pid = Number.parseInt(holder, 10);
      if (isAlive(pid) && holder === `${pid} ${startOf(pid)}`) {
        throw new SetupError(
          `${what} runs already (process ${pid}, by ${file}): stop it, or set BERTH_DATA elsewhere`,
        );
      }
      rmSync(file, { force: true });
    }
    throw new SetupError(`${file} is contested by other processes: try again`);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The start time of a process as the system prints it: always the same text for the same process. */
function startOf(pid: number): string {
  if (process.platform !== "linux") {
    return spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).stdout?.trim() ?? "";
  }
  // Field 22, counted after the name in parentheses, which may hold anything.
  const stat = read(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
