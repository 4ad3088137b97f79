import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../agents/exec/command.ts";
import type { RunningServer } from "../../scripts/servers/server.ts";
import { freePort, startOwnPostgres, temporaryFolder } from "../harness/servers.ts";

/** A PostgreSQL that crashes, and fails over to a standby that is behind. Durable: what it acknowledged is on disk. */
export interface FailingPostgres {
  readonly url: string;
  readonly pid: number;
  /** Ends it without a checkpoint, and starts it again. */
  crash(): Promise<void>;
  /** Keeps the data as it is now, for a later `failOver`. It stops for that. */
  keepCopy(): Promise<void>;
  /** Ends it, and goes on from the copy on a new timeline: all that was committed since then is lost. */
  failOver(): Promise<void>;
  stop(): Promise<void>;
}

export async function startFailingPostgres(): Promise<FailingPostgres> {
  const folder = temporaryFolder();
  const at = { port: await freePort(), password: "of-this-test", durable: true };
  const copy = join(folder, "copy");
  let dir = join(folder, "postgres");
  let server: RunningServer = await startOwnPostgres({ ...at, dir });
  const start = async () => {
    server = await startOwnPostgres({ ...at, dir });
  };
  const crash = async () => {
    // An immediate shutdown: the server ends where it is, as after a power failure.
    process.kill(server.pid, "SIGQUIT");
    await server.exited;
  };
  return {
    url: server.url,
    get pid() {
      return server.pid;
    },
    async crash() {
      await crash();
      await start();
    },
    async keepCopy() {
      await server.stop();
      await run(["cp", "-a", dir, copy]);
      await start();
    },
    async failOver() {
      await crash();
      dir = copy;
      // With no more WAL to be had the server promotes itself, on a timeline of its own.
      writeFileSync(join(dir, "recovery.signal"), "");
      appendFileSync(join(dir, "postgresql.auto.conf"), "restore_command = 'false'\n");
      await start();
    },
    stop: () => server.stop(),
  };
}
