import type { Stack } from "./stack.ts";
import { until } from "./until.ts";

/** The only actor host of a stack, for tests in which it dies. */
export interface MortalHost {
  /** Ends it at once, and starts another one. */
  replace(): Promise<void>;
  /** While `work` runs, no commit can write to the table; it ends when the host has died and another one is there. */
  dieBefore(table: string, work: () => Promise<unknown>): Promise<void>;
}

export function mortalHost(stack: Stack): MortalHost {
  let pid = stack.hosts[0]?.pid as number;
  let started = 1;

  const startNext = async () => {
    started += 1;
    pid = (await stack.startHost(`actors-${started}`)).pid;
  };

  /** Whether some commit waits for the table. */
  const isHeldUp = async () => {
    const [row] = await stack.db<{ count: number }[]>`
      SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%commit_batch%'`;
    return (row?.count ?? 0) > 0;
  };

  return {
    async replace() {
      process.kill(pid, "SIGKILL");
      await startNext();
    },
    async dieBefore(table, work) {
      const held = await stack.db.reserve();
      let under: Promise<unknown>;
      try {
        await held`BEGIN`;
        await held.unsafe(`LOCK TABLE ${table} IN SHARE MODE`);
        under = work();
        await until(isHeldUp);
        process.kill(pid, "SIGKILL");
        // What the dead host had sent to the database must not be done after all.
        await held`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%commit_batch%'`;
        await held`COMMIT`;
      } finally {
        held.release();
      }
      await startNext();
      await under;
    },
  };
}
