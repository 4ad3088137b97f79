import { join } from "node:path";
import type { ProcessIdentity } from "../../../system/process-identity.ts";
import { startWatchdogShell } from "../../../system/watchdog-shell.ts";

/** Ends what programs leave behind when this process is killed. */
export interface OrphanWatchdog {
  watch(key: number, process: ProcessIdentity): void;
  forget(key: number): void;
}

export function startOrphanWatchdog(): OrphanWatchdog {
  const send = startWatchdogShell(join(import.meta.dir, "orphan-watchdog.sh"));
  const held = new Map<number, number[]>();
  return {
    watch(key, { pid, started }) {
      held.set(key, [...(held.get(key) ?? []), pid]);
      send(`hold ${pid} ${started}`);
    },
    forget(key) {
      for (const pid of held.get(key) ?? []) send(`drop ${pid}`);
      held.delete(key);
    },
  };
}
