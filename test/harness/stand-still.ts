import { readdirSync, readFileSync } from "node:fs";
import { until } from "./until.ts";

/** Stops processes by SIGSTOP, and waits until each of their threads has stopped: on a busy machine some go on for a moment. */
export async function standStill(...pids: readonly number[]): Promise<void> {
  for (const pid of pids) process.kill(pid, "SIGSTOP");
  await until(() => pids.every(isStopped));
}

const isStopped = (pid: number): boolean =>
  readdirSync(`/proc/${pid}/task`).every((thread) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8");
    // The name, in parentheses, may contain anything.
    return stat.slice(stat.lastIndexOf(")") + 2).startsWith("T");
  });
