import { join } from "node:path";
import { startWatchdogShell } from "../system/watchdog-shell.ts";

/**
 * Ends all child processes when this process is gone. (A pipe to each child would require every child to watch it, and
 * PostgreSQL and nats-server do not.)
 */
export interface OrphanWatchdog {
  /** Ends `pid` with `signal` once this process is gone. The last one watched is ended first. */
  watch(pid: number, signal: "TERM" | "INT"): void;
  /** `pid` has ended; its id may soon be reused. */
  forget(pid: number): void;
  /** Removes a temporary folder (`…/berth-XXXXXX`) once this process is gone and all processes have ended. */
  remove(folder: string): void;
}

export function startOrphanWatchdog(): OrphanWatchdog {
  const send = startWatchdogShell(join(import.meta.dir, "orphan-watchdog.sh"));
  return {
    watch: (pid, signal) => send(`hold ${pid} ${signal}`),
    forget: (pid) => send(`drop ${pid}`),
    remove: (folder) => send(`remove ${folder}`),
  };
}
