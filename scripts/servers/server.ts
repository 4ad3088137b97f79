import { closeSync, openSync, readFileSync, renameSync, statSync } from "node:fs";
import type { Leash } from "../leash.ts";

/** A server that runs as a process of its own. */
export interface RunningServer {
  /** For clients on this machine, with the credentials. */
  readonly url: string;
  readonly pid: number;
  /** Settles when the process has ended, asked or not. */
  readonly exited: Promise<number>;
  /** Ends it cleanly, by force past its time limit. Settles when it has ended. */
  stop(): Promise<void>;
}

/** What any server needs that is started here. */
export interface ServerOptions {
  /** Where it keeps its data, absolute; made when missing. */
  readonly dir: string;
  /** TCP port on 127.0.0.1. */
  readonly port: number;
  /** The file that its output is appended to. */
  readonly log: string;
  readonly leash: Leash;
  /** Takes one-line notices for the person at the terminal. */
  readonly say?: (line: string) => void;
}

/** A log past this becomes `<log>.1`, so that logs never fill a disk. */
export const LOG_BYTES_MAX = 16 * 1024 * 1024;

/** How many bytes of a log's end an error quotes. */
const TAIL_BYTES = 2_000;

/** Starts a program in a session of its own, its output appended to `log`. */
export function launch(
  argv: string[],
  options: {
    log: string;
    cwd: string;
    env: Record<string, string>;
    owner?: { uid: number; gid: number };
    /** Ends it when aborted. */
    signal?: AbortSignal;
  },
): Bun.Subprocess {
  rotate(options.log);
  const output = openSync(options.log, "a", 0o640);
  try {
    return Bun.spawn(argv, {
      cwd: options.cwd,
      env: options.env,
      stdio: ["ignore", output, output],
      // Ctrl-C at a terminal must not end the database before those that use it.
      detached: true,
      ...options.owner,
      ...(options.signal && { signal: options.signal }),
    });
  } finally {
    closeSync(output);
  }
}

export function rotate(log: string): void {
  const size = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_BYTES_MAX) renameSync(log, `${log}.1`);
}

/** The last lines of a log, for an error's text. */
export function tail(log: string): string {
  try {
    return readFileSync(log, "utf8").slice(-TAIL_BYTES).trim();
  } catch {
    return "(no log)";
  }
}
