import { join } from "node:path";

/**
 * Ends all child processes when this process is gone. A small shell process in a session of its own knows every child; it
 * acts when the pipe from this process closes, which the kernel does even on kill -9. (A pipe to each child would require
 * every child to watch it, and PostgreSQL and nats-server do not.)
 */
export interface OrphanWatchdog {
  /** Ends `pid` with `signal` once this process is gone. The last one watched is ended first. */
  watch(pid: number, signal: "TERM" | "INT"): void;
  /** `pid` has ended; its number may soon belong to another program. */
  forget(pid: number): void;
  /** Removes a temporary folder (`…/berth-XXXXXX`) once this process is gone and all processes have ended. */
  remove(folder: string): void;
}

export function startOrphanWatchdog(): OrphanWatchdog {
  const shell = Bun.spawn(["/bin/sh", join(import.meta.dir, "orphan-watchdog.sh")], {
    stdin: "pipe",
    stdout: "ignore",
    stderr: "ignore",
    // Ctrl-C at a terminal goes to the whole process group, and this one must outlive it.
    detached: true,
  });
  shell.unref();
  const tell = (line: string) => {
    shell.stdin.write(`${line}\n`);
    shell.stdin.flush();
  };
  return {
    watch: (pid, signal) => tell(`hold ${pid} ${signal}`),
    forget: (pid) => tell(`drop ${pid}`),
    remove: (folder) => tell(`remove ${folder}`),
  };
}
