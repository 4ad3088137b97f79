import { join } from "node:path";
import type { ProcessIdentity } from "../../../system/process-identity.ts";

/** Sees to it that what programs leave behind ends when this process is killed. */
export interface OrphanWatchdog {
  watch(key: number, process: ProcessIdentity): void;
  forget(key: number): void;
}

export function startOrphanWatchdog(): OrphanWatchdog {
  const shell = Bun.spawn(["/bin/sh", join(import.meta.dir, "orphan-watchdog.sh")], {
    stdio: ["pipe", "ignore", "ignore"],
    // In a session of its own, since it must outlive this one.
    detached: true,
  });
  shell.unref();
  const held = new Map<number, number[]>();
  const tell = (line: string) => {
    shell.stdin.write(`${line}\n`);
    shell.stdin.flush();
  };
  return {
    watch(key, { pid, started }) {
      held.set(key, [...(held.get(key) ?? []), pid]);
      tell(`hold ${pid} ${started}`);
    },
    forget(key) {
      for (const pid of held.get(key) ?? []) tell(`drop ${pid}`);
      held.delete(key);
    },
  };
}
